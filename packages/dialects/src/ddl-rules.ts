import type { DialectName } from '@stagecraft/spec'

/** A part of a script that is typical of one dialect. */
export interface DialectSign {
  /** The sign in words, for messages: `the header of pg_dump`. */
  readonly sign: string
  readonly pattern: RegExp
  /** True if the sign may be in comments and texts. Default: only outside them. */
  readonly isInComments?: true
  /** The strength of the sign: 3 is conclusive, 1 needs support if another dialect has a sign too. */
  readonly weight: 1 | 2 | 3
}

/** A part that a table may copy from another one, besides names, types and NOT NULL of its columns. */
export type CopiedPart = 'column comments' | 'table comment' | 'keys' | 'checks' | 'references'

/** The syntax and the meaning of statements that define tables. */
export interface DdlRules {
  /** The vendor's pages that the facts come from. */
  readonly pages: readonly string[]
  /** The signs that identify the dialect of a script. */
  readonly signs: readonly DialectSign[]
  /**
   * Dialects with nearly the same statements. A script with signs of one of them is still read in this
   * dialect, if it is that of the warehouse.
   */
  readonly kin: readonly DialectName[]
  /** True if `\'` inside a text is a quote. */
  readonly backslashEscapes: boolean
  /** A setting in a script that makes double quotes enclose names, where they enclose texts by default. */
  readonly namesInDoubleQuotes?: RegExp
  /** The schema of the engine's own types, which scripts may name: `pg_catalog.int4`. */
  readonly typeSchema?: string
  /** True if one pair of backticks may enclose a whole dotted path. */
  readonly quotedPaths: boolean
  /** True if a text counts as a name where only a name is possible: `create table 'orders'`. */
  readonly textsAsNames: boolean
  /** The level that `use x` chooses. */
  readonly useNames: 'database' | 'schema'
  /** True if a new database or schema becomes the current one. */
  readonly createUses: boolean
  /** True if `GO` on a separate line ends a batch. A routine extends to the end of its batch. */
  readonly hasBatches: boolean
  /** True if an action without a verb has the verb of the previous action: `add a int, b int`. */
  readonly repeatsVerb: boolean
  /**
   * The effect of `modify`: it replaces the whole column, or only the stated parts. In ClickHouse, columns
   * need the word COLUMN.
   */
  readonly modify: 'whole' | 'stated' | 'stated behind COLUMN'
  /** True if `key name (columns)` among the columns of a table is an index. */
  readonly inlineKeys: boolean
  /** True if `index name (columns)` among the columns of a table is an index. */
  readonly inlineIndexes: boolean
  /**
   * True if `index name expression type …` and `projection name (select …)` among the columns of a table are
   * not columns.
   */
  readonly skippingIndexes: boolean
  /** True if every column has a type. */
  readonly columnsNeedType: boolean
  /** True if any words or texts are a valid type. */
  readonly anyWordsAreType: boolean
  /** True if a column can be null only if its type says so. */
  readonly typesSayNull: boolean
  /** Types that the warehouse stores as others, in lower case: a `bool` of MySQL is a `tinyint(1)`. */
  readonly storedTypes?: Readonly<Record<string, string>>
  /** Words for types in `cast`, in lower case, that no column can have, and the types of their values. */
  readonly castTypes?: Readonly<Record<string, string>>
  /** Matches the names of columns that the warehouse adds and that `select *` leaves out. */
  readonly pseudoColumns?: RegExp
  /** The column that every external table has, first. */
  readonly externalColumn?: { readonly name: string; readonly type: string }
  /** The guarantees of a primary key. */
  readonly primaryKey: 'unique and required' | 'unique' | 'required of a row number' | 'neither'
  /** True if the warehouse enforces declared keys and lists of values. */
  readonly enforcesKeys: boolean
  /** Matches the names of temporary tables and of internal tables of the warehouse. */
  readonly passingNames: RegExp | undefined
  /** Matches the names of schemas of temporary tables. */
  readonly passingSchemas?: RegExp
  /** True if `identity` makes the column NOT NULL. */
  readonly identityIsRequired: boolean
  /** True if the columns of a view have types. */
  readonly viewColumnsHaveTypes: boolean
  /** True if `create table a as b` copies the columns of the table b. */
  readonly copiesByAs: boolean
  /** The parts that LIKE and CLONE copy, unless the statement states others: `including indexes`. */
  readonly copiesWithColumns: readonly CopiedPart[]
  /** True if `select name = expression` names the column. */
  readonly assignsAliases: boolean
  /** True if `convert(type, expression)` is a cast. Default false. */
  readonly castsByConvert?: boolean
  /**
   * The default names of constraints: as in MySQL (`orders_ibfk_1`) or as in PostgreSQL
   * (`orders_status_check`).
   */
  readonly constraintNames: 'mysql' | 'postgres'
  /**
   * True if dropping a column only removes it from keys of several columns. Otherwise those keys are dropped
   * too.
   */
  readonly dropColumnNarrowsKeys: boolean
  /**
   * The list before the query of CREATE TABLE … AS SELECT: names for its columns, or definitions of
   * additional columns. A definition with the name of a column of the query applies to that column.
   * https://dev.mysql.com/doc/refman/8.4/en/create-table-select.html
   */
  readonly listBesideQuery: 'names' | 'columns'
}
