import type { IndexedModel } from '@stagecraft/dbt'
import type { Place } from '../project/source-file.ts'

/** A relation that a query reads. */
export type StructureRelation =
  | { readonly kind: 'source'; readonly source: string; readonly table: string }
  | { readonly kind: 'model'; readonly model: IndexedModel }
  /** A relation of a package, of plain SQL, or computed by a macro. */
  | { readonly kind: 'other'; readonly name: string }

/** A column of a relation, where a query reads it. */
export interface ColumnRead {
  readonly relation: StructureRelation
  /** The spelling in the query. */
  readonly column: string
  /** The place in the model's file: the name, or the `*` or macro that gives it. */
  readonly place: Place
}

/** A cast of one column. */
export interface ColumnCast {
  /** The type in lower case: `decimal(10,2)`. */
  readonly type: string
  /** True for `try_cast` and `safe_cast`, which give null where the cast fails. */
  readonly isSafe: boolean
}

/** A column that a query gives. */
export interface OutputColumn {
  readonly name: string
  /** The origin of its name: the alias, the column, the `*` or the macro. */
  readonly place: Place
  /**
   * `direct`: an unchanged column of a relation under any name. `cast`: only casts of it. `expression`: anything
   * else, including constants.
   */
  readonly kind: 'direct' | 'cast' | 'expression'
  /**
   * The columns that its value is made of, through common table expressions and subqueries; for a union, of all
   * branches.
   */
  readonly sources: readonly ColumnRead[]
  /** False if it may be made of more: an unknown macro, a column of an unknown relation. */
  readonly isSourceComplete: boolean
  /** Its casts of a single column, the innermost first. */
  readonly casts: readonly ColumnCast[]
  /** True if it comes from a `*`. */
  readonly isFromStar: boolean
}

/** Two columns that a query requires to be equal, in a join or a condition on all rows. */
export interface ColumnJoin {
  readonly left: ColumnRead
  /** Casts of the columns, at the same index. */
  readonly right: ColumnRead
}

/** A `*` over a relation whose columns are not known. */
interface OpenStarRead {
  readonly relation: StructureRelation
  /** The names that it leaves out, in lower case. */
  readonly without: ReadonlySet<string>
  readonly place: Place
}

/** The structure of a model whose SQL could be read. */
export interface ReadStructure {
  readonly status: 'read'
  /** In the order of the query. */
  readonly columns: readonly OutputColumn[]
  /** Reasons why there may be more or other columns; empty if the list is complete. */
  readonly gaps: readonly string[]
  /** Every relation that it reads, in text order. */
  readonly relations: readonly StructureRelation[]
  /** Every column of a known relation that it reads, including in conditions. */
  readonly reads: readonly ColumnRead[]
  /** Every column of a known relation that a `*` leaves out by name. */
  readonly excluded: readonly ColumnRead[]
  /** The names of columns that it reads from an unknown relation. */
  readonly unresolved: readonly string[]
  /** The parts that only dbt can work out, and that may read more: `the macro x`. */
  readonly unknowns: readonly string[]
  /** The columns of known relations that it joins by. */
  readonly joins: readonly ColumnJoin[]
  /**
   * The relations whose unknown columns it gives unchanged by a `*`; empty if it is not certain where such a column
   * comes from.
   */
  readonly openStars: readonly OpenStarRead[]
  /** The places of the `*` that its columns come through, outermost first; empty if all columns are named. */
  readonly stars: readonly Place[]
}

/** A model whose SQL could not be read. */
export interface UnreadStructure {
  readonly status: 'unread'
  /** Lower case, without a period: `the macro x of a package is not known`. */
  readonly reason: string
}

export type ModelStructure = ReadStructure | UnreadStructure

/** The parsed SQL of a project's models. Each model is parsed on first use. */
export interface SqlStructure {
  readonly of: (model: IndexedModel) => ModelStructure
}
