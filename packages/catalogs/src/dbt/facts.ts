import type { ColumnValue } from '@stagecraft/spec'

/** A statement of a constraint or a test about the columns of one table. */
export type Fact =
  | { readonly kind: 'primary' | 'unique'; readonly columns: readonly string[] }
  | { readonly kind: 'required'; readonly column: string }
  | { readonly kind: 'values'; readonly column: string; readonly values: readonly ColumnValue[] }
  | {
      readonly kind: 'foreign'
      readonly columns: readonly string[]
      /** The unique id of the referenced table. */
      readonly target: string
      readonly targetColumns: readonly string[]
    }
