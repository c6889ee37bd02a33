import { fromNode, type NodeRequest } from './node.ts'
import { type HandlerOptions, type OnEvent, receiver } from './receive.ts'

/** The members of a Fastify request that are read. */
export interface FastifyRequestLike {
  readonly raw: NodeRequest
}

interface FastifyReplyLike {
  code(status: number): FastifyReplyLike
  headers(values: Record<string, string>): FastifyReplyLike
  send(body: string): unknown
}

type Parser = (request: unknown, payload: unknown, done: (error: null) => void) => void

/** The members of a Fastify instance that are used. */
export interface FastifyLike {
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(type: string, parser: Parser): unknown
  post(
    path: string,
    handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>,
  ): unknown
}

export interface FastifyPluginOptions extends HandlerOptions {
  /** Handles each verified event. If it rejects, the delivery fails and is sent again. */
  readonly onEvent: OnEvent<FastifyRequestLike>
  /** The path at which deliveries arrive. @default '/' below the plugin's prefix */
  readonly path?: string
}

/**
 * Creates a plugin for `app.register()` of Fastify, with one route. Bodies stay raw inside the plugin; the
 * rest of the application keeps its parsers.
 */
export async function fastifyPlugin(instance: FastifyLike, options: FastifyPluginOptions): Promise<void> {
  const { onEvent, path = '/', ...handlerOptions } = options
  const receive = receiver(handlerOptions)
  instance.removeAllContentTypeParsers()
  instance.addContentTypeParser('*', (_request, _payload, done) => done(null))
  instance.post(path, async (request, reply) => {
    const { status, headers, body } = await receive(fromNode(request.raw), (event) => onEvent(event, request))
    return reply
      .code(status)
      .headers({ ...headers })
      .send(body)
  })
}
