import { type GenerationRequest, StagecraftError } from '@stagecraft/spec'
import type { Caller } from '@stagecraft/spec/api'
import { type Answer, success } from '../answers/answer.ts'
import type { GenerationEngine } from '../ports/engine.ts'
import { raceSignal } from './race-signal.ts'

export interface GenerateSetup {
  readonly engine: GenerationEngine
  /** Undefined for none. */
  readonly deadlineMilliseconds: number | undefined
}

/** One call of `POST /generate`, past its key and its limits. */
export interface GenerateCall {
  readonly requestId: string
  /** Any JSON; the engine checks it. */
  readonly body: unknown
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal
  /** Undefined for a key that opens no project. */
  readonly caller: Caller | undefined
}

/**
 * `POST /generate`.
 *
 * @throws {StagecraftError} INVALID_REQUEST, INVALID_SOURCE, CONNECTION_FAILED or GENERATION_FAILED.
 */
export async function handleGenerate(
  { body, caller, requestId, signal }: GenerateCall,
  { deadlineMilliseconds, engine }: GenerateSetup,
): Promise<Answer> {
  const run = (signal: AbortSignal) =>
    engine.generate(body as GenerationRequest, { signal, requestId, ...(caller && { caller }) })
  const { data, meta } = await (deadlineMilliseconds === undefined
    ? raceSignal(run, signal)
    : withDeadline(run, signal, deadlineMilliseconds))
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
