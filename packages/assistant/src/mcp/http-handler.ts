import type { AuthInfo } from '@modelcontextprotocol/server'
import type { MessageFault } from './message-fault.ts'
import { mcpServerFactory, type McpOptions, messageCheck } from './server.ts'

/** The holder of a key. */
export interface McpHttpCaller {
  /** Shown in logs; never the key itself. */
  readonly id: string
  readonly scopes: readonly string[]
  /** Facts about the caller that `open` needs: its project. @default nothing */
  readonly extra?: Readonly<Record<string, unknown>>
}

export interface McpHttpOptions extends McpOptions {
  /** Returns the holder of a key; undefined for an unknown key. */
  readonly verify: (key: string) => Promise<McpHttpCaller | undefined>
  /** The scope that a key must have. @default 'read' */
  readonly scope?: string
  /** Accepted host names, without ports. Others are refused, which prevents DNS rebinding by web pages. */
  readonly allowedHosts: readonly string[]
  /** Accepted origins of web pages, by host name. @default those of this machine */
  readonly allowedOrigins?: readonly string[]
}

/** Answers requests of the protocol for known callers: the shell has checked host, origin, key and scope. */
export interface McpAnswerer {
  readonly fetch: (request: Request, caller: McpHttpCaller) => Promise<Response>
  readonly close: () => Promise<void>
}

/** Answers requests of the protocol over HTTP. */
export interface McpHttpHandler {
  readonly fetch: (request: Request) => Promise<Response>
  readonly close: () => Promise<void>
}

/** The largest request in bytes. Questions are short. */
const LARGEST_BODY = 1_048_576
const LONGEST_KEY = 512

/** Creates a handler for requests of the protocol. It keeps no state between them. */
export async function createMcpAnswerer(options: McpOptions): Promise<McpAnswerer> {
  const { createMcpHandler, readRequestBody } = await import('@modelcontextprotocol/server')
  const faultOf = await messageCheck()
  const handler = createMcpHandler(await mcpServerFactory(options), {
    maxRequestBodySize: LARGEST_BODY,
    onerror: (error) => options.onFault?.(error),
  })
  return {
    close: () => handler.close(),
    async fetch(request, { extra, id, scopes }) {
      const authInfo: AuthInfo = {
        // the SDK requires a token and an expiry; the real ones are not needed from here on
        token: id,
        clientId: id,
        scopes: [...scopes],
        expiresAt: 4_102_444_800,
        extra: { ...extra },
      }
      if (request.method !== 'POST') return handler.fetch(request, { authInfo })
      const body = await readRequestBody(request, LARGEST_BODY)
      if (body.tooLarge) return answerFault(TOO_LARGE, 413)
      // clients of 2025-03-26 send several messages at once
      const isBatch = /^\s*\[\s*\{/.test(body.text)
      const fault = isBatch ? undefined : faultOf(body.text)
      if (fault) return answerFault(fault, fault.error.code === -32_602 ? 200 : 400)
      const { headers, method, signal, url } = request
      return handler.fetch(new Request(url, { headers, method, signal, body: body.text }), { authInfo })
    },
  }
}

const TOO_LARGE: MessageFault = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_600, message: 'the message is longer than 1 MB' },
}

function answerFault(fault: MessageFault, status: 200 | 400 | 413): Response {
  return Response.json(fault, { status, headers: { 'cache-control': 'no-store' } })
}

/**
 * Creates the handler of the protocol over HTTP: host, origin and key are checked before the body is read. It keeps
 * no state between requests.
 */
export async function createMcpHttpHandler(options: McpHttpOptions): Promise<McpHttpHandler> {
  const sdk = await import('@modelcontextprotocol/server')
  const { allowedHosts, allowedOrigins = sdk.localhostAllowedOrigins(), scope = 'read', verify } = options
  const answerer = await createMcpAnswerer(options)
  return {
    close: () => answerer.close(),
    async fetch(request) {
      const refused =
        sdk.hostHeaderValidationResponse(request, [...allowedHosts]) ??
        sdk.originValidationResponse(request, [...allowedOrigins])
      if (refused) return refused
      const key = readBearer(request.headers.get('authorization'))
      const caller = key === undefined ? undefined : await verify(key)
      if (!caller) return refuse(401, { error: key === undefined ? undefined : 'invalid_token' })
      if (!caller.scopes.includes(scope)) return refuse(403, { error: 'insufficient_scope', scope })
      return answerer.fetch(request, caller)
    },
  }
}

function readBearer(header: string | null): string | undefined {
  const key = /^\s*bearer\s+([\w.~+/-]+=*)\s*$/i.exec(header ?? '')?.[1]
  return key === undefined || key.length > LONGEST_KEY ? undefined : key
}

/** https://www.rfc-editor.org/rfc/rfc6750#section-3 */
function refuse(
  status: 401 | 403,
  { error, scope }: { readonly error: string | undefined; readonly scope?: string },
): Response {
  const parts = [
    'Bearer realm="stagecraft"',
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(scope === undefined ? [] : [`scope="${scope}"`]),
  ]
  const message =
    status === 401
      ? 'send a valid key: Authorization: Bearer <key>'
      : `the key lacks the scope "${scope ?? ''}"`
  const body = { jsonrpc: '2.0', id: null, error: { code: -32_001, message } }
  return Response.json(body, {
    status,
    headers: { 'www-authenticate': parts.join(', '), 'cache-control': 'no-store' },
  })
}
