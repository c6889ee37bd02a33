import { type GenerationRequest, StagecraftError } from '@stagecraft/spec'
import type { Caller } from '@stagecraft/spec/api'
import { type Answer, success } from '../answers/answer.ts'
import type { GenerationEngine } from '../ports/engine.ts'

/**
 * Returns the result of the work, or throws the signal's reason as soon as it aborts, even if the work ignores
 * signals.
 */
async function raceSignal<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work(signal), promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

export interface GenerateSetup {
  readonly engine: GenerationEngine
  /** Undefined without a time limit. */
  readonly deadlineMs: number | undefined
}

/** One call of `POST /generate`, after its key and rate limit were checked. */
interface GenerateCall {
  readonly requestId: string
  /** Any JSON; the engine checks it. */
  readonly body: unknown
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  /** Undefined for a key without a project. */
  readonly caller: Caller | undefined
}

/**
 * Handles `POST /generate`.
 *
 * @throws {StagecraftError} INVALID_REQUEST, INVALID_SOURCE, CONNECTION_FAILED or GENERATION_FAILED.
 */
export async function handleGenerate(
  { body, caller, requestId, signal }: GenerateCall,
  { deadlineMs, engine }: GenerateSetup,
): Promise<Answer> {
  const run = (signal: AbortSignal) =>
    engine.generate(body as GenerationRequest, { signal, requestId, ...(caller && { caller }) })
  const { data, meta } = await (deadlineMs === undefined
    ? raceSignal(run, signal)
    : withDeadline(run, signal, deadlineMs))
  return success(data, { ...meta, requestId })
}

async function withDeadline<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
  milliseconds: number,
): Promise<Result> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(tooSlow(milliseconds)), milliseconds)
  try {
    return await raceSignal(run, AbortSignal.any([signal, deadline.signal]))
  } finally {
    clearTimeout(timer)
  }
}

function tooSlow(milliseconds: number): StagecraftError {
  const reason = `not done within ${milliseconds / 1000} s`
  return new StagecraftError('GENERATION_FAILED', `the generation was stopped: ${reason}`, {
    details: { reason },
  })
}
