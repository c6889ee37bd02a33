import { readerOf } from './fetch.ts'
import { type HandlerOptions, type OnEvent, receiver } from './receive.ts'

/** The members of Hono's context that are used. */
export interface HonoContext {
  readonly req: {
    readonly raw: Request
    /** Comes from Hono's cache if the body was read before. */
    arrayBuffer(): Promise<ArrayBuffer>
  }
}

/** Creates a handler for `app.post()` of Hono. */
export function honoHandler<Context extends HonoContext>(
  onEvent: OnEvent<Context>,
  options: HandlerOptions,
): (context: Context) => Promise<Response> {
  const receive = receiver(options)
  return async (context) => {
    const { raw } = context.req
    const readBody = raw.bodyUsed
      ? async () => new Uint8Array(await context.req.arrayBuffer())
      : readerOf(raw)
    const incoming = { method: raw.method, headers: raw.headers, readBody }
    const { status, headers, body } = await receive(incoming, (event) => onEvent(event, context))
    return new Response(body, { status, headers })
  }
}
