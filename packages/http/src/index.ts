export { type Answer } from './answers/answer.ts'
export { STATUS_CODES } from './answers/answer.ts'
export { type ApiOptions } from './api/api-options.ts'
export { createDocument, type DocumentOptions } from './document/document.ts'
export { type OpenApiDocument } from './document/types.ts'
export { type AppOptions, createApp } from './fastify/create-app.ts'
export { type Dashboard } from './fastify/dashboard-routes.ts'
export { type McpEndpoint } from './fastify/mcp-route.ts'
export { memoryIdempotency, type MemoryIdempotencyOptions } from './idempotency/memory-idempotency.ts'
export { checkKeyFormat, createKey, type CreateKeyOptions } from './keys/key-format.ts'
export { staticKeys, type StaticKey } from './keys/static-keys.ts'
export { memoryRateLimiter, type MemoryRateLimiterOptions } from './limits/memory-rate-limiter.ts'
export { type Limits, type BindingOptions } from './options.ts'
export { type GenerateOptions, type GenerationEngine } from './ports/engine.ts'
export {
  type IdempotencyStart,
  type IdempotencyStore,
  type IdempotentRequest,
  type StoredAnswer,
} from './ports/idempotency.ts'
export { type KeyHolder, type Keys } from './ports/keys.ts'
export { type Logger } from './ports/logger.ts'
export { type RateLimiter, type RatePolicy, type RateState } from './ports/rate-limiter.ts'
export { type Sessions } from './ports/sessions.ts'
