import { Readable } from 'node:stream'
import { StagecraftError } from '@stagecraft/spec'
import type { Caller } from '@stagecraft/spec/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../admission/admit.ts'
import { disconnectSignal, rawBody } from './send.ts'

/** The Model Context Protocol over HTTP: `serviceMcp(context)` of `@stagecraft/service`. */
export interface McpEndpoint {
  /** Responds to a request whose key was checked. */
  readonly fetch: (
    request: Request,
    call: { readonly caller: Caller; readonly requestId: string },
  ) => Promise<Response>
  readonly close: () => Promise<void>
}

/** The headers that the protocol reads; the key, cookies and all others are not passed on. */
const PASSED = /^(?:accept|content-type|host|origin|mcp-[a-z-]+|last-event-id)$/

/**
 * Adds `/mcp` for keys with the scope `read`. A key gives access to its own project; the cookie of the dashboard is
 * not accepted, and pages of other origins are refused.
 */
export function addMcpRoute(app: FastifyInstance, mcp: McpEndpoint): void {
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    exposeHeadRoute: false,
    config: { scope: 'read', needsProject: true, isBodyOptional: true },
    handler: (request, reply) => answer(request, reply, mcp),
  })
  app.addHook('onClose', () => mcp.close())
}

async function answer(request: FastifyRequest, reply: FastifyReply, mcp: McpEndpoint): Promise<FastifyReply> {
  checkOwnOrigin(request)
  const caller = request.holder && callerOf(request.holder)
  if (!caller) throw new TypeError('/mcp was reached without a project')
  const forwarded = toRequest(request, disconnectSignal(reply))
  const { body, headers, status } = await mcp.fetch(forwarded, { caller, requestId: request.id })
  reply.code(status).headers({ ...Object.fromEntries(headers), 'x-request-id': request.id })
  return reply.send(body ? Readable.fromWeb(body) : undefined)
}

/** @throws {StagecraftError} FORBIDDEN for a page of another origin. */
function checkOwnOrigin({ headers: { host, origin } }: FastifyRequest): void {
  if (origin === undefined) return
  const url = URL.parse(origin)
  if (url !== null && url.host === host?.toLowerCase()) return
  throw new StagecraftError(
    'FORBIDDEN',
    'expected a client outside a browser, got a page of another origin',
    {
      details: { reason: 'origin' },
    },
  )
}

function toRequest(request: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (PASSED.test(name) && typeof value === 'string') headers.set(name, value)
  const bytes = rawBody(request)
  return new Request(`http://${request.headers.host ?? 'localhost'}/mcp`, {
    method: request.method,
    headers,
    signal,
    ...(request.method === 'POST' && { body: Buffer.from(bytes) }),
  })
}
