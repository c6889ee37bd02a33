import { admit, callerOf } from '../admission/admit.ts'
import { type Answer, ClientGone, notFound } from '../answers/answer.ts'
import { answerError } from '../answers/public-error.ts'
import { checkBodyHeaders, parseJsonBody } from '../body/json-body.ts'
import { handleGenerate } from '../generate/handle-generate.ts'
import { fillOptions, type BindingOptions, type Setup } from '../options.ts'
import type { Logger } from '../ports/logger.ts'
import { readBody } from './read-body.ts'

export interface HandlerOptions extends BindingOptions {
  /**
   * The path of the route, as the handler sees it: `/api/generate`.
   *
   * @default '/generate'
   */
  readonly path?: string
  /** Default: nothing is logged. */
  readonly logger?: Logger
}

/** `POST /generate` as a function of web-standard requests, for Hono, Next, Express adapters and workers. */
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
      answerError(request.signal.aborted ? new ClientGone() : error, { logger: setup.logger, requestId }),
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
  /** Takes headers for the answer, whatever becomes of the request. */
  readonly extra: Record<string, string>
}

async function answerRequest({ extra, path, request, requestId }: Exchange, setup: Setup): Promise<Answer> {
  const { headers, method, signal } = request
  const asked = pathOf(request.url)
  if (asked !== path) throw notFound(method, asked, [])
  if (method !== 'POST') throw notFound(method, asked, ['POST'])
  // Several headers come joined by commas, which no key holds.
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
