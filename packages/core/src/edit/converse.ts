import {
  type Backend,
  type BackendAnswer,
  BackendError,
  type BackendFailure,
  type BackendRequest,
  type Clock,
  type Usage,
  type Violation,
} from '@stagecraft/spec'
import { repairTurn, type Prompt } from './prompt.ts'
import type { DecidedEditing } from './settings.ts'
import { addCall, addUsage, NO_USAGE, totalTokens } from './usage.ts'

/** Why there is no edit: a failed call, an answer that is none, or one that is wrong. */
export type FailureKind =
  | BackendFailure
  | 'truncated'
  | 'refused'
  | 'filtered'
  | 'invalid_plan'
  | 'token_limit'
  | 'deadline'

export interface Failure {
  readonly kind: FailureKind
  readonly violations: readonly Violation[]
  readonly requestId: string | undefined
  readonly cause: unknown
}

/** What a conversation came to, and what it cost either way. */
export type Outcome<Value> = { readonly usage: Usage } & (
  | { readonly value: Value }
  | { readonly failure: Failure }
)

/** The most that `maxOutputTokens` may be. */
const MOST_OUTPUT_TOKENS = 128_000

/** What of a conversation the rest of the table's conversations share. */
export interface Budget {
  readonly backend: Backend
  readonly clock: Clock
  readonly editing: DecidedEditing
  /** In milliseconds since 1970. */
  readonly deadline: number
  /** What the table has cost so far. */
  readonly spent: Usage
  readonly signal: AbortSignal | undefined
}

/** Reads an answer: its value, or what is wrong with it. */
export type Reader<Value> = (text: string) => { readonly value: Value } | readonly Violation[]

/** What the second call does otherwise than the first. */
type Change = Pick<BackendRequest, 'turns' | 'maxOutputTokens'>

/**
 * Asks, and asks once more when the answer is wrong, cut off or garbled.
 *
 * @throws {StagecraftError} What the backend throws before it calls anybody: a missing key, package or recording.
 * @throws The signal's reason, when the signal stopped it.
 */
export async function converse<Value>(
  prompt: Prompt,
  read: Reader<Value>,
  budget: Budget,
): Promise<Outcome<Value>> {
  const change: Change = { turns: prompt.turns, maxOutputTokens: budget.editing.maxOutputTokens }
  const first = await call(prompt, change, read, budget)
  if ('value' in first || !first.next) return first
  const second = await call(prompt, first.next, read, {
    ...budget,
    spent: addUsage(budget.spent, first.usage),
  })
  const usage = addUsage(first.usage, second.usage)
  if ('value' in second) return { usage, value: second.value }
  const isUnasked = second.usage.attempts === 0
  return { usage, failure: isUnasked ? first.failure : second.failure }
}

type Called<Value> = Outcome<Value> & { readonly next?: Change | undefined }

async function call<Value>(
  prompt: Prompt,
  change: Change,
  read: Reader<Value>,
  budget: Budget,
): Promise<Called<Value>> {
  const { clock, deadline, editing, signal, spent } = budget
  signal?.throwIfAborted()
  if (clock.now() >= deadline) return { usage: NO_USAGE, failure: failed('deadline') }
  if (totalTokens(spent) >= editing.maxTokens) return { usage: NO_USAGE, failure: failed('token_limit') }
  const timeoutMs = deadline - clock.now()
  const answer = await ask({ ...prompt, ...change, timeoutMs, ...(signal && { signal }) }, budget)
  if (answer instanceof BackendError) {
    const failure = failed(answer.kind, { cause: answer, requestId: answer.requestId })
    const next = answer.kind === 'malformed' ? change : undefined
    return { usage: addCall(NO_USAGE, undefined), failure, next }
  }
  const usage = addCall(NO_USAGE, answer.usage)
  const outcome = judge(answer, read)
  if ('value' in outcome) return { usage, value: outcome.value }
  return { usage, failure: outcome, next: changeFor(outcome, answer, change) }
}

/** A wrong answer is shown what is wrong with it, a long one gets more room; to refuse is final. */
function changeFor(
  { kind, violations }: Failure,
  { turn }: BackendAnswer,
  change: Change,
): Change | undefined {
  if (kind === 'truncated')
    return { ...change, maxOutputTokens: Math.min(change.maxOutputTokens * 2, MOST_OUTPUT_TOKENS) }
  if (kind !== 'invalid_plan') return undefined
  return { ...change, turns: [...change.turns, turn, repairTurn(violations)] }
}

async function ask(
  request: BackendRequest,
  { backend, signal }: Budget,
): Promise<BackendAnswer | BackendError> {
  try {
    return await backend.complete(request)
  } catch (error) {
    // Whatever a stopped call ends with, it was stopped.
    signal?.throwIfAborted()
    if (error instanceof BackendError) return error
    throw error
  }
}

function judge<Value>(
  { requestId, stop, text }: BackendAnswer,
  read: Reader<Value>,
): { readonly value: Value } | Failure {
  if (stop === 'truncated' || stop === 'refused' || stop === 'filtered') return failed(stop, { requestId })
  const result = read(text)
  return 'value' in result ? result : failed('invalid_plan', { violations: result, requestId })
}

function failed(kind: FailureKind, details: Partial<Omit<Failure, 'kind'>> = {}): Failure {
  return { violations: [], requestId: undefined, cause: undefined, ...details, kind }
}
