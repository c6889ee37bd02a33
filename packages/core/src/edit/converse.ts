import {
  type AnswerCache,
  type BackendAnswer,
  BackendError,
  type BackendFailure,
  type BackendRequest,
  type Clock,
  type Usage,
  type Violation,
} from '@stagecraft/spec'
import { repairTurn, type Prompt } from './prompt.ts'
import type { AskedLlm } from './settings.ts'
import { addCall, addUsage, NO_USAGE, totalTokens } from './usage.ts'

/** The reasons for a missing edit: a failed call, no answer, or an invalid answer. */
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

/** The result of a conversation, and its cost in either case. */
export type Outcome<Value> = {
  readonly usage: Usage
  /** Answers that came from a cache. */
  readonly hits: number
} & (
  | {
      readonly value: Value
      /** The violations in the rest of the answer. */
      readonly violations: readonly Violation[]
    }
  | { readonly failure: Failure }
)

/** The upper limit of `maxOutputTokens`. */
const MOST_OUTPUT_TOKENS = 128_000

/** The state that all conversations about a table share. */
export interface Budget {
  readonly clock: Clock
  readonly llm: AskedLlm
  /** In milliseconds since 1970. */
  readonly deadline: number
  /** The cost of the table so far. */
  readonly spent: Usage
  readonly signal: AbortSignal | undefined
}

/** The usable part of an answer, and the violations of the rest. */
interface Usable<Value> {
  readonly value: Value
  readonly violations: readonly Violation[]
  /** True if enough is wrong to be worth another call. */
  readonly isWorthAsking: boolean
}

/** The reading of an answer. Without a value, the answer is unusable. */
export type Reading<Value> = Usable<Value> | { readonly violations: readonly Violation[] }

/** Reads an answer. `before` is the usable part of the answer that this one repairs. */
export type Reader<Value> = (text: string, before: Value | undefined) => Reading<Value>

/** The differences between the second call and the first. */
type Change = Pick<BackendRequest, 'turns' | 'maxOutputTokens'>

/**
 * Asks the backend, and asks a second time if the answer is wrong, cut off or garbled. A cache keeps the
 * answers of a successful conversation. If a conversation with a cached answer fails, it is repeated without
 * the cache.
 *
 * @throws {StagecraftError} The errors of the backend before any call: a missing key, package or recording.
 * @throws The reason of the signal that stopped it.
 */
export async function converse<Value>(
  prompt: Prompt,
  read: Reader<Value>,
  budget: Budget,
): Promise<Outcome<Value>> {
  const outcome = await hold(prompt, read, budget)
  if (!('failure' in outcome) || outcome.hits === 0) return outcome
  return hold(prompt, read, budget)
}

async function hold<Value>(prompt: Prompt, read: Reader<Value>, budget: Budget): Promise<Outcome<Value>> {
  const change: Change = { turns: prompt.turns, maxOutputTokens: budget.llm.maxOutputTokens }
  const first = await call({ prompt, change, before: undefined }, read, budget)
  if (!first.next) return settled([first], first)
  const before = 'value' in first ? first.value : undefined
  const spent = addUsage(budget.spent, first.usage)
  const second = await call({ prompt, change: first.next, before }, read, { ...budget, spent })
  const isUnasked = second.usage.attempts === 0
  const better = 'value' in second || ('failure' in first && !isUnasked) ? second : first
  return settled([first, second], better)
}

/** Reports the outcome of the conversation to caches, and adds up its cost. */
async function settled<Value>(
  calls: readonly Called<Value>[],
  { next: _, cache: __, ...decisive }: Called<Value>,
): Promise<Outcome<Value>> {
  const caches = calls.flatMap(({ cache }) => cache ?? [])
  await Promise.all(caches.map((cache) => cache.settle('value' in decisive)))
  return {
    ...decisive,
    usage: calls.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
    hits: caches.filter(({ isHit }) => isHit).length,
  }
}

type Called<Value> = Outcome<Value> & {
  readonly next?: Change | undefined
  readonly cache?: AnswerCache | undefined
}

interface Question<Value> {
  readonly prompt: Prompt
  readonly change: Change
  readonly before: Value | undefined
}

async function call<Value>(
  { before, change, prompt }: Question<Value>,
  read: Reader<Value>,
  budget: Budget,
): Promise<Called<Value>> {
  const { clock, deadline, llm, signal, spent } = budget
  signal?.throwIfAborted()
  if (clock.now() >= deadline) return { ...UNASKED, failure: failed('deadline') }
  if (totalTokens(spent) >= llm.maxTokens) return { ...UNASKED, failure: failed('token_limit') }
  const timeoutMs = deadline - clock.now()
  const answer = await ask({ ...prompt, ...change, timeoutMs, ...(signal && { signal }) }, budget)
  if (answer instanceof BackendError) {
    const failure = failed(answer.kind, { cause: answer, requestId: answer.requestId })
    const next = answer.kind === 'malformed' ? change : undefined
    const usage = answer.isSent ? addCall(NO_USAGE, undefined) : NO_USAGE
    return { usage, hits: 0, failure, next }
  }
  const { cache } = answer
  const known = { usage: addCall(NO_USAGE, answer.usage), hits: 0, cache }
  const outcome = judge(answer, (text) => read(text, before))
  if (!('value' in outcome)) return { ...known, failure: outcome, next: changeFor(outcome, answer, change) }
  const { isWorthAsking, value, violations } = outcome
  const next = isWorthAsking ? repair(violations, answer, { change, isPartly: true }) : undefined
  return { ...known, value, violations, next }
}

const UNASKED = { usage: NO_USAGE, hits: 0 } as const

/**
 * Returns the second request: a wrong answer is sent back with its faults, and a truncated one gets more
 * tokens. A refusal is final.
 */
function changeFor({ kind, violations }: Failure, answer: BackendAnswer, change: Change): Change | undefined {
  if (kind === 'truncated')
    return { ...change, maxOutputTokens: Math.min(change.maxOutputTokens * 2, MOST_OUTPUT_TOKENS) }
  return kind === 'invalid_plan' ? repair(violations, answer, { change, isPartly: false }) : undefined
}

function repair(
  violations: readonly Violation[],
  { turn }: BackendAnswer,
  { change, isPartly }: { readonly change: Change; readonly isPartly: boolean },
): Change {
  return { ...change, turns: [...change.turns, turn, repairTurn(violations, { isPartly })] }
}

async function ask(
  request: BackendRequest,
  { llm: { backend }, signal }: Budget,
): Promise<BackendAnswer | BackendError> {
  try {
    return await backend.complete(request)
  } catch (error) {
    // However a stopped call ends, it counts as stopped.
    signal?.throwIfAborted()
    if (error instanceof BackendError) return error
    throw error
  }
}

function judge<Value>(
  { requestId, stop, text }: BackendAnswer,
  read: (text: string) => Reading<Value>,
): Usable<Value> | Failure {
  if (stop === 'truncated' || stop === 'refused' || stop === 'filtered') return failed(stop, { requestId })
  const reading = read(text)
  if ('value' in reading) return reading
  return failed('invalid_plan', { violations: reading.violations, requestId })
}

function failed(kind: FailureKind, details: Partial<Omit<Failure, 'kind'>> = {}): Failure {
  return { violations: [], requestId: undefined, cause: undefined, ...details, kind }
}
