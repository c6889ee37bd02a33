import { sql } from 'kysely'
import { connectionFailed } from './errors/store-failure.ts'
import type { Store } from './store.ts'

export interface CheckStoreOptions {
  /** The time limit of the store in milliseconds. @default 2000 */
  readonly deadlineMs?: number
}

/**
 * Resolves if the store answers, for a readiness probe.
 *
 * @throws {StagecraftError} CONNECTION_FAILED when it does not, or not in time.
 */
export async function checkStore(store: Store, { deadlineMs = 2000 }: CheckStoreOptions = {}): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(connectionFailed(`it did not answer within ${deadlineMs} ms`)),
      deadlineMs,
    )
  })
  try {
    await Promise.race([sql`select 1`.execute(store.db), late])
  } finally {
    clearTimeout(timer)
  }
}
