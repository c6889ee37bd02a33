import type { JobState } from '@stagecraft/spec/api'
import { pause } from '../transport/pause.ts'

const ENDED: ReadonlySet<string> = new Set<JobState>(['completed', 'failed', 'cancelled'])

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5000

/**
 * Asks for a job until it has ended, less and less often: after a quarter of a second first, and every five in the end.
 *
 * @throws What asking throws; the signal's reason, as soon as it is aborted.
 */
export async function wait<Job extends { readonly state: string }>(
  getJob: () => Promise<Job>,
  signal: AbortSignal | undefined,
): Promise<Job> {
  for (let milliseconds = FIRST_PAUSE_MS; ; milliseconds *= 1.5) {
    const job = await getJob()
    if (ENDED.has(job.state)) return job
    await pause(Math.min(milliseconds, LONGEST_PAUSE_MS), signal)
  }
}
