import type { CatalogTable, ColumnValue, Conversion, TableProfile } from '@stagecraft/spec'

/** A table as inference reads it: without a profile, names and comments have to do. */
export interface InferenceTable {
  readonly table: CatalogTable
  readonly profile?: TableProfile
}

/** Columns of a table, by stored names. */
export interface ColumnsOf {
  readonly table: CatalogTable
  readonly columns: readonly string[]
}

/** Two columns that SQL of the project joins by. */
export interface WrittenJoin {
  readonly left: ColumnOf
  readonly right: ColumnOf
  /** The file and line with the join: `models/marts/orders.sql:14`. */
  readonly place: string
}

/** A column of a table, by its stored name. */
export interface ColumnOf {
  readonly table: CatalogTable
  readonly column: string
}

/** A question that only the rows can answer. */
export type Check =
  | { readonly kind: 'unique'; readonly key: ColumnsOf }
  | { readonly kind: 'contained'; readonly child: ColumnsOf; readonly parent: ColumnsOf }

/**
 * `violations`: of `unique`, keys that come more than once or have a null in them; of `contained`, different child
 * values without a parent. `checked`: different child values, or rows. Undefined where it could not be found out.
 */
export type CheckResult = { readonly violations: number; readonly checked: number } | undefined

/** Answers checks, in their order. */
export type Verify = (checks: readonly Check[]) => Promise<readonly CheckResult[]>

/** Declarations come before comments, comments before data, data before joins of the project, those before names alone. */
export type InferenceOrigin = 'declared' | 'comment' | 'data' | 'join' | 'name'

/** The reason for a proposal, to show to a person. */
export interface Proposal {
  /** The rule that found it: `own_id`, `role_and_table`. */
  readonly rule: string
  readonly origin: InferenceOrigin
  /** Share of proposals like this one that were right on databases with known keys, 0 to 1. */
  readonly confidence: number
  /** Only some of the rows were looked at. @default false */
  readonly sampled?: boolean
}

/** Columns that identify a row of the table. */
export interface ProposedKey extends Proposal, ColumnsOf {
  /** Rows that were found to be told apart; absent where nobody looked. */
  readonly rows?: number
}

/** Columns that hold the key of another row. */
export interface ProposedReference extends Proposal {
  readonly child: ColumnsOf
  readonly parent: ColumnsOf
  /** Different values, and those of them without a parent; absent where nobody looked. */
  readonly values?: { readonly checked: number; readonly orphans: number }
  /** The places where SQL of the project joins by it; absent where none does. */
  readonly joins?: readonly string[]
}

/** A fact about the values of one column. */
export type Fact =
  /** All values that it has. */
  | { readonly kind: 'values'; readonly values: readonly ColumnValue[] }
  | { readonly kind: 'not_null' }
  /** Bounds that every value keeps, both inclusive. */
  | { readonly kind: 'range'; readonly min?: number; readonly max?: number }
  /** The meaning of the raw values. */
  | { readonly kind: 'conversion'; readonly as: Conversion }
  /** The form of its texts. */
  | { readonly kind: 'form'; readonly form: 'json' | 'email' | 'url' }
  /** It says when a row came or was changed, so that it tells how fresh the table is. */
  | { readonly kind: 'freshness' }
  /** It marks rows that the source deleted. */
  | { readonly kind: 'deleted' }
  /** An id that versions of a row share; the column says when each was loaded or changed. */
  | { readonly kind: 'versions'; readonly by: string }

export type FactKind = Fact['kind']

export interface ProposedFact extends Proposal {
  readonly table: CatalogTable
  readonly column: string
  readonly fact: Fact
  /** Rows of the table that were looked at. */
  readonly rows: number
}

/** The result of inference over a set of tables. */
export interface Inference {
  /** At most one per table, in the order of the tables. */
  readonly keys: readonly ProposedKey[]
  readonly references: readonly ProposedReference[]
  /** Facts about single columns; none without profiles. */
  readonly facts: readonly ProposedFact[]
}
