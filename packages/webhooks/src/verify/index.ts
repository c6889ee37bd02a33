export {
  fastifyPlugin,
  type FastifyLike,
  type FastifyPluginOptions,
  type FastifyRequestLike,
} from './fastify.ts'
export { fetchHandler } from './fetch.ts'
export { type HeadersLike } from './header-values.ts'
export { honoHandler, type HonoContext } from './hono.ts'
export { expressHandler, nodeHandler, type NodeRequest, type NodeResponse } from './node.ts'
export { type HandlerOptions, type OnEvent } from './receive.ts'
export {
  VERIFICATION_FAILURES,
  type VerificationFailure,
  WebhookVerificationError,
} from './verification-error.ts'
export { type Secrets, verify, type VerifyOptions } from './verify.ts'
export { type WebhookEvent, type WebhookEventKind } from './webhook-event.ts'
