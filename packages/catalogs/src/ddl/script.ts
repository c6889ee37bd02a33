import type { DialectName } from '@stagecraft/spec'

/** SQL text and the dialect it is read as. */
export interface Script {
  readonly sql: string
  readonly dialect: DialectName | undefined
}
