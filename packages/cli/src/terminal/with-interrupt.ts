import { Interrupted } from './finish.ts'
import { onSignal } from './on-signal.ts'

/** Runs work that the first Ctrl-C stops by its signal; the second one ends the process. */
export async function withInterrupt<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const interruption = new AbortController()
  const off = onSignal(['SIGINT'], () => interruption.abort(new Interrupted()))
  try {
    return await work(interruption.signal)
  } finally {
    off()
  }
}
