import { connectionFailed } from '../errors/store-failure.ts'

/** Lets one through at a time, in the order in which they came. */
export interface WriteLock {
  /** Resolves to what gives the lock back. */
  acquire(): Promise<() => void>
}

/** @param patience how long to wait for one's turn, in milliseconds. */
export function writeLock(patience: number): WriteLock {
  const waiting: (() => void)[] = []
  let isTaken = false
  const release = (): void => {
    const next = waiting.shift()
    if (next) next()
    else isTaken = false
  }
  return {
    acquire: async () => {
      if (isTaken) await turn(waiting, patience)
      isTaken = true
      return release
    },
  }
}

function turn(waiting: (() => void)[], patience: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(next), 1)
      reject(connectionFailed(`one transaction has held it for ${patience} ms`))
    }, patience)
    const next = (): void => {
      clearTimeout(timer)
      resolve()
    }
    waiting.push(next)
  })
}
