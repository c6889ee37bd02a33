import type { Dispatcher } from 'undici'
import { checkWithRules, type EndpointProblem } from '../endpoint/check-endpoint-url.ts'
import type { DeliveryPolicy } from '../endpoint/policy.ts'
import { Stopped, withDeadline } from './deadline.ts'
import { createDeliveryAgent, type DeliveryAgent, partsOf } from './delivery-agent.ts'
import { type DeliveryFailure, explainFailure } from './failure.ts'
import { readExcerpt } from './read-excerpt.ts'
import { requestHeaders } from './request-headers.ts'
import type { Lookup } from './resolve-host.ts'
import { readRetryAfter } from './retry-after.ts'

const DEFAULT_TIMEOUT_MS = 15_000

interface CommonOptions {
  readonly url: string
  /** The exact bytes that were signed. */
  readonly body: string | Uint8Array
  /** The signatures and all other headers. */
  readonly headers: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** The time limit of the attempt, from the DNS lookup to the end of the answer. @default 15000 */
  readonly timeoutMs?: number
  /** The current time, which dates in `retry-after` are compared with. @default Date.now */
  readonly now?: () => number
}

/** An attempt uses an agent with its policy and lookup, or opens its own connection under a policy. */
export type AttemptOptions = CommonOptions &
  (
    | { readonly agent: DeliveryAgent; readonly policy?: never; readonly lookup?: never }
    | { readonly agent?: never; readonly policy: DeliveryPolicy; readonly lookup?: Lookup }
  )

export interface DeliveryResult {
  /** `gone` is status 410: the receiver wants no more deliveries. */
  readonly outcome: 'delivered' | 'failed' | 'gone'
  /** Undefined without an answer. */
  readonly status?: number
  /** Undefined after a successful delivery. */
  readonly failure?: DeliveryFailure
  /** The error code of the system, `ECONNREFUSED`, if there is one. */
  readonly code?: string
  /** For `unsafe_url`: the rule that the URL breaks. */
  readonly problem?: EndpointProblem
  /** The pause that the receiver asks for: at most an hour, or a day for status 503. */
  readonly retryAfterMs?: number
  /** The receiver's request in the header `webhook-delivery`: no more deliveries, or no retry of this one. */
  readonly directive?: 'disable' | 'abort-message'
  /** The start of the answer's body, at most 16 KiB. */
  readonly excerpt?: string
  /** True if the body was longer than the excerpt. */
  readonly isExcerptCut?: boolean
  readonly durationMs: number
}

type Ending = Omit<DeliveryResult, 'durationMs'>

/**
 * Sends one delivery, once. Failures of the receiver and the network are results, not errors.
 *
 * @throws {StagecraftError} INVALID_REQUEST for invalid headers and policies.
 */
export async function attemptDelivery(options: AttemptOptions): Promise<DeliveryResult> {
  const start = performance.now()
  const headers = requestHeaders(options.headers)
  const agent = options.agent ?? createDeliveryAgent(options.policy, pick(options.lookup))
  try {
    const ending = await attempt(options, headers, agent)
    return { ...ending, durationMs: Math.round(performance.now() - start) }
  } finally {
    if (options.agent === undefined) await agent.close()
  }
}

function pick(lookup: Lookup | undefined): { readonly lookup?: Lookup } {
  return lookup === undefined ? {} : { lookup }
}

async function attempt(
  options: AttemptOptions,
  headers: Record<string, string>,
  agent: DeliveryAgent,
): Promise<Ending> {
  const { open, rules } = partsOf(agent)
  const { body, signal, timeoutMs = DEFAULT_TIMEOUT_MS, now = Date.now } = options
  const check = checkWithRules(options.url, rules)
  if (!check.ok) return { outcome: 'failed', failure: 'unsafe_url', problem: check.reason }
  const send = async (signal: AbortSignal): Promise<Ending> => {
    const { dispatcher, request } = await open()
    const response = await request(check.href, { method: 'POST', dispatcher, headers, body, signal })
    return await readAnswer(response, signal, now())
  }
  try {
    return await withDeadline(send, { timeoutMs, signal })
  } catch (error) {
    if (error instanceof Stopped) return { outcome: 'failed', failure: error.failure }
    return { outcome: 'failed', ...explainFailure(error) }
  }
}

/** Reads an answer. Its status decides the outcome, even if the body does not arrive. */
async function readAnswer(
  { body, headers, statusCode: status }: Dispatcher.ResponseData,
  signal: AbortSignal,
  now: number,
): Promise<Ending> {
  const encoding = headers['content-encoding'] ?? 'identity'
  const { text, isCut } = await readExcerpt(body, { signal, isEncoded: encoding !== 'identity' })
  const directive = readDirective(headers['webhook-delivery'])
  const answer = { status, excerpt: text, isExcerptCut: isCut, ...(directive && { directive }) }
  if (status >= 200 && status < 300) return { outcome: 'delivered', ...answer }
  if (status === 410) return { outcome: 'gone', failure: 'status', ...answer }
  const retryAfterMs = readRetryAfter(headers['retry-after'], { status, now })
  return {
    outcome: 'failed',
    failure: status >= 300 && status < 400 ? 'redirect' : 'status',
    ...answer,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

function readDirective(header: string | readonly string[] | undefined): DeliveryResult['directive'] {
  const text = String(header).trim().toLowerCase()
  return text === 'disable' || text === 'abort-message' ? text : undefined
}
