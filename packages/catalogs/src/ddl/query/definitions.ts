import type { UnreadableSql } from '../../sql/unreadable-sql.ts'
import type { QualifiedName } from '../qualified-name.ts'

/** One entry of a select list. */
export type SelectItem =
  | {
      readonly kind: 'star'
      /** The table whose columns are meant; all without. */
      readonly of: string | undefined
      readonly except: readonly string[]
    }
  | {
      readonly kind: 'expression'
      /** The name of the column; undefined where only the engine knows. */
      readonly name: string | undefined
      /** The column that it is, with what stands before its dot. */
      readonly path: readonly string[] | undefined
      /** The type that it is cast to. */
      readonly type: string | undefined
      /** The offset in the script. */
      readonly offset: number
    }

/** Something that a query reads from. */
export type QuerySource = {
  /** The alias of its columns. */
  readonly alias: string | undefined
  /** New names of its columns. */
  readonly names?: readonly string[] | undefined
} & (
  | { readonly kind: 'table'; readonly table: QualifiedName }
  | { readonly kind: 'query'; readonly query: Query }
  /** A function, VALUES, PIVOT. */
  | { readonly kind: 'other' }
)

/** A query, as far as it tells the columns of its result. */
export interface Query {
  readonly items: readonly SelectItem[]
  readonly sources: readonly QuerySource[]
  /** Columns of several sources are put together, so that `*` is not all of them. */
  readonly mergesColumns: boolean
  /** The queries of WITH, by name. */
  readonly parts: readonly {
    readonly name: string
    readonly names?: readonly string[]
    readonly query: Query
  }[]
  /** The reason why it is not understood, if any. */
  readonly unreadable?: UnreadableSql
}
