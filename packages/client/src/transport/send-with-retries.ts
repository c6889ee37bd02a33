import type { Settings } from '../options.ts'
import { attempt } from './attempt.ts'
import type { Exchange } from './exchange.ts'
import { choosePause, pause } from './pause.ts'
import type { Term } from './with-deadline.ts'

export interface SendOptions {
  readonly settings: Settings
  readonly term: Term
}

/**
 * Sends a request, and retries after a transient failure.
 *
 * @throws {StagecraftError} The last failure.
 * @throws The signal's reason, when the signal stopped the call.
 */
export async function sendWithRetries<Answer>(
  exchange: Exchange<Answer>,
  { settings, term: { end, signal } }: SendOptions,
): Promise<Answer> {
  for (let retry = 0; ; retry++) {
    const result = await attempt(exchange, settings, signal)
    if ('answer' in result) return result.answer
    const { error, mayRetry, retryAfter } = result
    if (!mayRetry || retry >= settings.maxRetries) throw error
    const milliseconds = choosePause({ retry, retryAfter })
    // A pause beyond the time limit would only hide the error.
    if (milliseconds === undefined || performance.now() + milliseconds >= end) throw error
    await pause(milliseconds, signal)
  }
}
