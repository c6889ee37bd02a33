import { BACKEND_FAILURES, BackendError, type BackendFailure, StagecraftError } from '@stagecraft/spec'
import type { Attempt } from './attempt.ts'
import { DeadlinePassed } from './deadline.ts'
import {
  FAILURE_OF_HUNDRED,
  FAILURE_OF_STATUS,
  GENERAL_WORDS,
  PRECISE_WORDS,
  TIMEOUT_CODES,
} from './failure-tables.ts'
import { HostSilent } from './host-watch.ts'
import { lookup } from './lookup.ts'
import { Unanswered } from './unanswered.ts'

/** The members of an SDK's error that are read: the status and the provider's code, but never the message or body. */
export interface ApiFailure {
  readonly status?: unknown
  readonly code?: unknown
  readonly errorCode?: unknown
  readonly type?: unknown
}

export interface ExplainOptions {
  /** The id of the backend. */
  readonly id: string
  readonly attempt: Attempt
  readonly isApiFailure: (error: unknown) => error is ApiFailure
  readonly secret: string | undefined
}

interface Finding {
  readonly kind: BackendFailure
  /** Our own words, or the provider's code if it looks like one. */
  readonly reasons: readonly string[]
  /** True if other calls would fail too. */
  readonly isProven?: boolean
}

/** Creates the error for a call that ended without an answer. */
export function explain(error: unknown, options: ExplainOptions): Error {
  if (error instanceof StagecraftError || error instanceof BackendError) return error
  const { isProven = false, kind, reasons } = findFailure(error, options)
  const { host, response } = options.attempt
  const status = response === undefined || response.status === 200 ? [] : [`status ${response.status}`]
  const lasting = [...reasons, ...status]
  const facts = [...lasting, ...(response?.requestId === undefined ? [] : [`request ${response.requestId}`])]
  const suffix = facts.length === 0 ? '' : ` (${facts.join(', ')})`
  const places = isProven || host === undefined ? [] : [host]
  const detail = [lasting.join(', '), ...places].filter((part) => part !== '').join(' at ')
  return new BackendError(kind, `${options.id}: ${BACKEND_FAILURES[kind]}${suffix}`, {
    isProven,
    ...(detail !== '' && { detail }),
    ...(response && { status: response.status }),
    ...(response?.requestId !== undefined && { requestId: response.requestId }),
    ...(response?.retryAfterMs !== undefined && { retryAfterMs: response.retryAfterMs }),
  })
}

/** Ordered by certainty: our own observations come before the SDK's error. */
function findFailure(error: unknown, options: ExplainOptions): Finding {
  const { attempt } = options
  if (error instanceof HostSilent) {
    return { kind: 'network', reasons: [`no answer from ${error.host}`], isProven: true }
  }
  if (error instanceof DeadlinePassed) return findLate(error, attempt)
  if (error instanceof Unanswered) return { kind: error.kind, reasons: reasonsOf(error) }
  if (options.isApiFailure(error) && typeof error.status === 'number') return findApiFailure(error, options)
  if (attempt.body === 'too large') return { kind: 'malformed', reasons: ['it is too large'] }
  if (attempt.body === 'broken') return { kind: 'network', reasons: ['the connection broke'] }
  if (attempt.connectionFailure !== undefined) return findConnection(attempt.connectionFailure)
  if (options.isApiFailure(error)) return findApiFailure(error, options)
  // The SDKs parse the rest of a cut stream as an event, which is invalid JSON.
  if (attempt.body === 'cut' && error instanceof SyntaxError) return CUT
  return { kind: 'malformed', reasons: [] }
}

const CUT: Finding = { kind: 'network', reasons: ['the stream ended early'] }

/** A call that timed out between two requests failed for the reason of the first. */
function findLate({ timeoutMs }: DeadlinePassed, { connectionFailure, response }: Attempt): Finding {
  if (connectionFailure !== undefined) return findConnection(connectionFailure)
  if (response === undefined || response.status < 300)
    return { kind: 'timeout', reasons: [`deadlineSeconds of ${Math.ceil(timeoutMs / 1000)} passed`] }
  return { kind: failureOfStatus(response.status), reasons: [] }
}

function findConnection(code: string): Finding {
  return { kind: TIMEOUT_CODES.includes(code) ? 'timeout' : 'network', reasons: [code] }
}

function findApiFailure(error: ApiFailure, { secret }: ExplainOptions): Finding {
  const words = [error.errorCode, error.code, error.type].filter((word) => typeof word === 'string')
  return {
    kind: failureOf(words, error.status),
    reasons: words.filter((word) => isWord(word, secret)).slice(0, 1),
  }
}

/** Returns the kind of failure for a provider's codes and the HTTP status, if there is one. */
export function failureOf(words: readonly string[], status: unknown): BackendFailure {
  const find = (table: Readonly<Record<string, BackendFailure>>) =>
    words.map((word) => lookup(table, word)).find((kind) => kind !== undefined)
  const precise = find(PRECISE_WORDS)
  if (precise !== undefined) return precise
  return typeof status === 'number' ? failureOfStatus(status) : (find(GENERAL_WORDS) ?? 'provider_error')
}

function failureOfStatus(status: number): BackendFailure {
  return (
    lookup<BackendFailure>(FAILURE_OF_STATUS, status) ??
    lookup<BackendFailure>(FAILURE_OF_HUNDRED, Math.floor(status / 100)) ??
    'malformed'
  )
}

/** A server may echo anything as a code, so only text that looks like a code is shown. */
function isWord(text: string, secret: string | undefined): boolean {
  return (
    /^[a-z]+(?:_[a-z]+)*$/i.test(text) &&
    text.length <= 64 &&
    (secret === undefined || !text.includes(secret))
  )
}

function reasonsOf({ reason }: Unanswered): readonly string[] {
  return reason === undefined ? [] : [reason]
}
