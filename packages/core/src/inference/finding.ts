import type { ColumnProfile } from '@stagecraft/spec'
import type { Fact } from './inference.ts'
import type { SubjectColumn } from './read-subjects.ts'

/** A finding, its rule, and the share of such findings that were true. */
export interface Finding {
  readonly fact: Fact
  readonly rule: string
  readonly confidence: number
}

/** A column with its profile. */
export interface ProfiledColumn extends SubjectColumn {
  /** Rows of the table, and those in which the column has a value. */
  readonly rows: number
  readonly filled: number
  readonly profile: ColumnProfile
  /** Part of the key of its table, or of a reference to another one. */
  readonly identifies: boolean
  readonly refers: boolean
  /** Of a type that holds booleans as well as small numbers. */
  readonly mayBeFlag: boolean
}
