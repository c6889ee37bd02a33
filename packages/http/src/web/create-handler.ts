import { admit, callerOf } from '../admission/admit.ts'
import { type Answer, ClientDisconnected, notFound } from '../answers/answer.ts'
import { answerError } from '../answers/public-error.ts'
import { bodyTooLarge, checkBodyHeaders, parseJsonBody } from '../body/json-body.ts'
import { handleGenerate } from '../generate/handle-generate.ts'
import { type BindingOptions, fillOptions, type Setup } from '../options.ts'
import type { Logger } from '../ports/logger.ts'

export interface HandlerOptions extends BindingOptions {
  /**
   * The path of the route as the handler sees it: `/api/generate`.
   *
   * @default '/generate'
   */
  readonly path?: string
  /** Default: nothing is logged. */
  readonly logger?: Logger
}

/**
 * Creates `POST /generate` as a function from a web-standard request to a response, for Hono, Next.js,
 * Express adapters and workers.
 */
export function createHandler({
  logger,
  path = '/generate',
  ...options
}: HandlerOptions): (request: Request) => Promise<Response> {
  const setup = fillOptions(options, logger)
  return async (request) => {
    const requestId = setup.ids.next('req')
    const extra: Record<string, string> = {}
    const answer = await answerRequest({ request, requestId, path, extra }, setup).catch((error: unknown) =>
      answerError(request.signal.aborted ? new ClientDisconnected() : error, {
        logger: setup.logger,
        requestId,
      }),
    )
    return new Response(request.method === 'HEAD' ? null : answer.body, {
      status: answer.status,
      headers: { ...extra, ...answer.headers },
    })
  }
}

interface Exchange {
  readonly request: Request
  readonly requestId: string
  readonly path: string
  /** Collects headers for the response, whether the request succeeds or fails. */
  readonly extra: Record<string, string>
}

async function answerRequest({ extra, path, request, requestId }: Exchange, setup: Setup): Promise<Answer> {
  const { headers, method, signal } = request
  const requested = pathOf(request.url)
  if (requested !== path) throw notFound(method, requested, [])
  if (method !== 'POST') throw notFound(method, requested, ['POST'])
  // Several headers arrive joined by commas, which no key contains.
  const authorization = headers.get('authorization')?.split(',') ?? []
  const admitted = await admit({ requestId, authorization, scope: 'generate' }, setup)
  Object.assign(extra, admitted.headers)
  checkBodyHeaders({
    contentType: headers.get('content-type'),
    contentEncoding: headers.get('content-encoding'),
  })
  const body = parseJsonBody(await readBody(request, setup.bodyBytes))
  return handleGenerate({ requestId, body, signal, caller: callerOf(admitted.holder) }, setup)
}

function pathOf(url: string): string {
  const { pathname } = new URL(url)
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}

/** @throws {StagecraftError} INVALID_REQUEST as soon as the body is longer than allowed. */
async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw bodyTooLarge(limit)
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = request.body?.getReader()
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    length += part.value.length
    if (length > limit) {
      // The rest is not awaited; a client that keeps sending loses its connection.
      reader?.cancel().catch(() => undefined)
      throw bodyTooLarge(limit)
    }
    chunks.push(part.value)
  }
  return join(chunks, length)
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first, ...others] = chunks
  if (first && others.length === 0) return first
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
