import type { CatalogTable, ColumnValue, Conversion, TableProfile } from '@stagecraft/spec'

/** A table as the input of inference: without a profile, names and comments decide. */
export interface InferenceTable {
  readonly table: CatalogTable
  readonly profile?: TableProfile
}

/** Columns of a table, by stored names. */
export interface ColumnsOf {
  readonly table: CatalogTable
  readonly columns: readonly string[]
}

/** Two columns that SQL of the project joins on. */
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

/** A question that requires the rows. */
export type Check =
  | { readonly kind: 'unique'; readonly key: ColumnsOf }
  | {
      readonly kind: 'contained'
      readonly child: ColumnsOf
      readonly parent: ColumnsOf
      /** One value without a parent refutes it, so the count of such values is not needed. @default false */
      readonly isStrict?: boolean
    }

/**
 * `violations` counts, for `unique`, keys that occur more than once or contain a null; for `contained`, distinct
 * child values without a parent. `checked` counts distinct child values, or rows. Undefined if the answer is unknown.
 */
export type CheckResult = { readonly violations: number; readonly checked: number } | undefined

interface VerifyOptions {
  /** The checks of a table after the first one that holds may be left open. @default false */
  readonly isOneEnough?: boolean
}

/** Answers checks, in their order. */
export type Verify = (checks: readonly Check[], options?: VerifyOptions) => Promise<readonly CheckResult[]>

/** From the strongest to the weakest: declarations, comments, data, joins of the project, names alone. */
export type InferenceOrigin = 'declared' | 'comment' | 'data' | 'join' | 'name'

/** The reason for a proposal, to show to a person. */
export interface Proposal {
  /** The rule that found it: `own_id`, `role_and_table`. */
  readonly rule: string
  readonly origin: InferenceOrigin
  /** Share of proposals like this one that were right on databases with known keys, 0 to 1. */
  readonly confidence: number
  /** True if only some of the rows were read. @default false */
  readonly sampled?: boolean
}

/** Columns that identify a row of the table. */
export interface ProposedKey extends Proposal, ColumnsOf {
  /** The number of rows that it identifies; absent if the rows were not read. */
  readonly rows?: number
}

/** Columns that hold the key of another row. */
export interface ProposedReference extends Proposal {
  readonly child: ColumnsOf
  readonly parent: ColumnsOf
  /** Distinct values, and those without a parent row; absent if the rows were not read. */
  readonly values?: { readonly checked: number; readonly orphans: number }
  /** The places where SQL of the project joins on it; absent if none does. */
  readonly joins?: readonly string[]
}

/** A fact about the values of one column. */
export type Fact =
  /** All values of the column. */
  | { readonly kind: 'values'; readonly values: readonly ColumnValue[] }
  | { readonly kind: 'not_null' }
  /** The bounds of its values, both inclusive. */
  | { readonly kind: 'range'; readonly min?: number; readonly max?: number }
  /** The meaning of the raw values. */
  | { readonly kind: 'conversion'; readonly as: Conversion }
  /** The form of its texts. */
  | { readonly kind: 'form'; readonly form: 'json' | 'email' | 'url' }
  /** Its texts are days in which day and month may be in either order. */
  | { readonly kind: 'day_or_month' }
  /** It records when a row arrived or changed, so it shows how fresh the table is. */
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
  /** Rows of the table that were read. */
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
