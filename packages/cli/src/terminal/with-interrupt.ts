import { Interrupted } from './finish.ts'

/** Runs work that a first Ctrl-C stops by its signal; a second one ends the process. */
export async function withInterrupt<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const interruption = new AbortController()
  const onInterrupt = (): void => interruption.abort(new Interrupted())
  process.once('SIGINT', onInterrupt)
  try {
    return await work(interruption.signal)
  } finally {
    process.off('SIGINT', onInterrupt)
  }
}
