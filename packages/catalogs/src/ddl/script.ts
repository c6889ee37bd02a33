import type { DialectName } from '@stagecraft/spec'
import type { UnreadableSql } from '../sql/unreadable-sql.ts'

/** SQL text and the dialect it is read as. */
export interface Script {
  readonly sql: string
  readonly dialect: DialectName | undefined
  /** The dialect of the warehouse that has the tables, whose way of storing names counts. Default: `dialect`. */
  readonly target?: DialectName | undefined
  /** Takes note of a clause that was not understood and is skipped. Default: nobody does. */
  readonly skip?: ((error: UnreadableSql) => void) | undefined
}
