import { setTimeout as delay } from 'node:timers/promises'
import { driverError, sqliteCode } from '../errors/driver-error.ts'

const SQLITE_BUSY = 5

/**
 * Does it again while another process holds the lock, for as long as there is patience, in milliseconds. SQLite's own
 * waiting would stop the whole process; a statement that found the lock taken has changed nothing.
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
