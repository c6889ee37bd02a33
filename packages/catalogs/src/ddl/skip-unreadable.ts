import { UnreadableSql } from '../sql/unreadable-sql.ts'
import type { Script } from './script.ts'

/**
 * Does the work and returns its result. SQL that cannot be read is noted and skipped, when the script wants that.
 *
 * @throws {UnreadableSql} When nobody takes note.
 */
export function skipUnreadable<Result>({ skip }: Script, work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof UnreadableSql) || !skip) throw error
    skip(error)
    return undefined
  }
}
