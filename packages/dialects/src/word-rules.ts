import { splitWords } from './split-words.ts'

/** Words that cannot be the name of a column without quotes. */
export interface WordRules {
  /** The vendor's pages that the lists come from. */
  readonly pages: readonly string[]
  /** Words in lower case that cannot name a column without quotes. */
  readonly reserved: ReadonlySet<string>
  /** Words in lower case that compile without quotes, but then mean a function, not the column. */
  readonly evaluated: ReadonlySet<string>
}

// An unnecessary quote is harmless, but a missing one breaks the model, so every list is a union.
//
// Sources in addition to the pages of each list: the keyword lists of dbt Core v2 (crates/dbt-sql-keywords,
// Apache-2.0) and of sqlfluff (MIT), read 2026-11-20; Snowflake completed from its page of reserved keywords.
// Measured in addition, by using every keyword of the engine as a bare column name: PostgreSQL 15, DuckDB
// 1.5.6, MariaDB 10.11, SQLite 3.53.

/** Words that open a clause or an expression in every SQL. */
export const COMMON_RESERVED: readonly string[] = splitWords(`
  all and any as asc between both by case cast create cross default delete desc distinct drop else end
  except exists false for foreign from full group having in inner insert intersect into is join
  leading left like limit natural not null on or order outer primary references right select set table
  then to trailing true union unique update using values when where with
`)
