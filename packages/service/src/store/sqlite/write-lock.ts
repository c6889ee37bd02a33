import { setTimeout as delay } from 'node:timers/promises'
import { driverError, sqliteCode } from '../errors/driver-error.ts'
import { connectionFailed } from '../errors/store-failure.ts'

/** Admits one caller at a time, in order of arrival. */
interface WriteLock {
  /** Resolves to a function that releases the lock. */
  acquire(): Promise<() => void>
}

/** @param patience The maximum time to wait, in milliseconds. */
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

const SQLITE_BUSY = 5

/**
 * Retries while another process holds the lock, for up to `patience` milliseconds. SQLite's own waiting would block
 * the whole process. A statement that found the lock taken has changed nothing.
 */
export async function untilFree<Result>(work: () => Result, patience: number): Promise<Result> {
  const deadline = performance.now() + patience
  for (let pause = 1; ; pause = Math.min(25, pause * 2)) {
    try {
      return work()
    } catch (error) {
      if (sqliteCode(driverError(error)) !== SQLITE_BUSY || performance.now() > deadline) throw error
      await delay(pause * (0.5 + Math.random()))
    }
  }
}
