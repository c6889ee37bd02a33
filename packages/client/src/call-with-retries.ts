import { attempt, type Call } from './attempt.ts'
import { connectionFailed } from './connection-failed.ts'
import type { Settings } from './options.ts'
import { choosePause, pause } from './pause.ts'
import type { Answer } from './read-answer.ts'

/**
 * Sends a call, again where a failure may pass, all within the time of the settings.
 *
 * @throws {StagecraftError} The last failure.
 * @throws The signal's reason, when the signal stopped the call.
 */
export async function callWithRetries(
  call: Call,
  settings: Settings,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  signal?.throwIfAborted()
  const { host, timeoutMs } = settings
  const deadline = new AbortController()
  const timer = setTimeout(
    () => deadline.abort(connectionFailed(host, `none within ${timeoutMs / 1000} s`)),
    timeoutMs,
  )
  try {
    const either = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal
    return await tryUntil(performance.now() + timeoutMs, { call, settings, signal: either })
  } finally {
    clearTimeout(timer)
  }
}

interface Trial {
  readonly call: Call
  readonly settings: Settings
  readonly signal: AbortSignal
}

async function tryUntil(end: number, { call, settings, signal }: Trial): Promise<Answer> {
  for (let retry = 0; ; retry++) {
    const result = await attempt(call, settings, signal)
    if ('answer' in result) return result.answer
    const { error, mayPass, retryAfter } = result
    if (!mayPass || retry >= settings.maxRetries) throw error
    const milliseconds = choosePause({ retry, retryAfter })
    // A pause that outlasts the call would only hide what went wrong.
    if (milliseconds === undefined || performance.now() + milliseconds >= end) throw error
    await pause(milliseconds, signal)
  }
}
