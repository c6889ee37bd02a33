import { type Bar, Presets, SingleBar } from 'cli-progress'

/** Shows the progress of a run on standard error: a bar on a terminal, otherwise a line from time to time. */
export interface Progress {
  update(done: number, total: number): void
  stop(): void
}

/** A run that ends within this time shows nothing. */
const QUIET_MS = 1000

/** The interval of lines without a terminal. */
const LINE_MS = 5000

export function createProgress(label: string): Progress {
  return process.stderr.isTTY ? createBar(label) : createLines(label)
}

function createBar(label: string): Progress {
  const start = performance.now()
  let bar: Bar | undefined
  return {
    update(done, total) {
      if (performance.now() - start < QUIET_MS) return
      if (bar) {
        bar.update(done)
      } else {
        bar = new SingleBar(
          { format: `${label} {bar} {value}/{total}`, clearOnComplete: true, hideCursor: true },
          Presets.shades_classic,
        )
        bar.start(total, done)
      }
    },
    stop: () => bar?.stop(),
  }
}

function createLines(label: string): Progress {
  let last = performance.now() + QUIET_MS - LINE_MS
  return {
    update(done, total) {
      if (performance.now() - last < LINE_MS) return
      last = performance.now()
      process.stderr.write(`${label} ${done}/${total}\n`)
    },
    stop: () => undefined,
  }
}
