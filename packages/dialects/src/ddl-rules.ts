import type { DialectName } from '@stagecraft/spec'

/** Something in a script that only one dialect has. */
export interface DialectSign {
  /** The sign in words: `the header of pg_dump`. */
  readonly sign: string
  readonly pattern: RegExp
  /** It is looked for in comments and texts too. Default: only outside them. */
  readonly isInComments?: true
  /**
   * The strength of the sign: 3 settles the question, 1 needs support where another dialect has a sign as
   * well.
   */
  readonly weight: 1 | 2 | 3
}

/** Something that a table may take over from another, besides names, types and NOT NULL of its columns. */
export type CopiedPart = 'column comments' | 'table comment' | 'keys' | 'checks' | 'references'

/** The statements that define tables: how they are written, and what they mean. */
export interface DdlRules {
  /** The vendor's pages that the facts come from. */
  readonly pages: readonly string[]
  /** Tell a script's dialect by its syntax. */
  readonly signs: readonly DialectSign[]
  /** Dialects that read much the same statements: a script with signs of one is read in the other, if it is the warehouse's. */
  readonly kin: readonly DialectName[]
  /** `\'` inside a text is a quote. */
  readonly backslashEscapes: boolean
  /** One pair of backticks may hold a whole dotted path. */
  readonly quotedPaths: boolean
  /** A text is a name where only a name can stand: `create table 'orders'`. */
  readonly textsAsNames: boolean
  /** The level that `use x` chooses. */
  readonly useNames: 'database' | 'schema'
  /** A new database or schema is the current one at once. */
  readonly createUses: boolean
  /** `GO` on a line of its own ends a batch; a routine fills its batch. */
  readonly hasBatches: boolean
  /** An action without a verb has that of the action before: `add a int, b int`. */
  readonly repeatsVerb: boolean
  /** `modify` states the whole column anew, or only what it says; in ClickHouse other things than columns too. */
  readonly modify: 'whole' | 'stated' | 'stated behind COLUMN'
  /** `key name (columns)` among the columns of a table is an index. */
  readonly inlineKeys: boolean
  /** `index name (columns)` among the columns of a table is an index. */
  readonly inlineIndexes: boolean
  /** `index name expression type …` and `projection name (select …)` among the columns of a table are no columns. */
  readonly skippingIndexes: boolean
  /** Every column has a type. */
  readonly columnsNeedType: boolean
  /** Any words, and texts, are a type. */
  readonly anyWordsAreType: boolean
  /** A column holds null only when its type says so. */
  readonly typesSayNull: boolean
  /** The promise of a primary key. */
  readonly primaryKey: 'unique and required' | 'unique' | 'required of a row number' | 'neither'
  /** The warehouse keeps declared keys and lists of values: rows that break them do not get in. */
  readonly enforcesKeys: boolean
  /** Matches names of tables that are gone with their session, or that the warehouse keeps for itself. */
  readonly passingNames: RegExp | undefined
  /** `identity` keeps null out of the column. */
  readonly identityIsRequired: boolean
  /** The columns of a view have types. */
  readonly viewColumnsHaveTypes: boolean
  /** `create table a as b` copies the columns of the table b. */
  readonly copiesByAs: boolean
  /** The parts that LIKE and CLONE take over, unless the statement says otherwise: `including indexes`. */
  readonly copiesWithColumns: readonly CopiedPart[]
  /** `select name = expression` names the column. */
  readonly assignsAliases: boolean
  /** The names of constraints that are given none: as in MySQL (`orders_ibfk_1`) or as in PostgreSQL (`orders_status_check`). */
  readonly constraintNames: 'mysql' | 'postgres'
  /** A column that is dropped leaves the keys of several columns; elsewhere the keys go with it. */
  readonly dropColumnNarrowsKeys: boolean
  /**
   * The list before the query of CREATE TABLE … AS SELECT: the names of its columns, or columns beside them, which are one with
   * those of the same name. https://dev.mysql.com/doc/refman/8.4/en/create-table-select.html
   */
  readonly listBesideQuery: 'names' | 'columns'
}
