import type { IndexedModel } from '@stagecraft/dbt'
import type { Place } from '../project/source-file.ts'

/** A relation that a query reads. */
export type StructureRelation =
  | { readonly kind: 'source'; readonly source: string; readonly table: string }
  | { readonly kind: 'model'; readonly model: IndexedModel }
  /** A relation of a package, one that is named in SQL, or one that a macro works out. */
  | { readonly kind: 'other'; readonly name: string }

/** A column of a relation, where a query reads it. */
export interface ColumnRead {
  readonly relation: StructureRelation
  /** As the query spells it. */
  readonly column: string
  /** The place in the file of the model; the `*` or the macro when the name itself is not written there. */
  readonly place: Place
}

/** A cast of one column. */
export interface ColumnCast {
  /** The type as it is written, in lower case: `decimal(10,2)`. */
  readonly type: string
  /** True for `try_cast` and `safe_cast`, which give null where the cast fails. */
  readonly isSafe: boolean
}

/** A column that a query gives. */
export interface OutputColumn {
  readonly name: string
  /** Where it gets its name: the alias, the column, the `*` or the macro. */
  readonly place: Place
  /**
   * `direct`: the column of a relation as it is, under any name. `cast`: nothing but casts of it. `expression`: anything
   * else, a constant too.
   */
  readonly kind: 'direct' | 'cast' | 'expression'
  /** The columns that its value is made of, through common table expressions and subqueries; those of a union of all its branches. */
  readonly sources: readonly ColumnRead[]
  /** False when it may be made of more: an unknown macro, a column of an unknown relation. */
  readonly isSourceComplete: boolean
  /** Its casts of a single column, the innermost first. */
  readonly casts: readonly ColumnCast[]
  /** True if a `*` brings it. */
  readonly isFromStar: boolean
}

/** Two columns that a query asks to be equal, in a join or a condition that all rows keep. */
export interface ColumnJoin {
  readonly left: ColumnRead
  /** At the same place. */
  readonly right: ColumnRead
}

/** The structure of a model whose SQL could be read. */
export interface ReadStructure {
  readonly status: 'read'
  /** In the order of the query. */
  readonly columns: readonly OutputColumn[]
  /** Reasons why there may be more columns, or others; none when the list is complete. */
  readonly gaps: readonly string[]
  /** Every relation that it reads, in the order of the text. */
  readonly relations: readonly StructureRelation[]
  /** Every column that it reads anywhere, in conditions too, as far as its relation is known. */
  readonly reads: readonly ColumnRead[]
  /** The columns that it joins by, as far as their relations are known. */
  readonly joins: readonly ColumnJoin[]
  /** The `*` that its columns come through, outermost first, where they stand; none when all columns are named. */
  readonly stars: readonly Place[]
}

/** A model whose SQL could not be read. */
export interface UnreadStructure {
  readonly status: 'unread'
  /** Lower case, without a period: `the macro x of a package is not known`. */
  readonly reason: string
}

export type ModelStructure = ReadStructure | UnreadStructure

/** The SQL of the models of a project, taken apart. Each model is read when it is first asked for. */
export interface SqlStructure {
  readonly of: (model: IndexedModel) => ModelStructure
}
