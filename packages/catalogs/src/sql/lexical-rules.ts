import type { DialectName } from '@stagecraft/spec'

/** The rules by which a dialect writes texts, names and comments, as far as the tokenizer needs them. */
export interface LexicalRules {
  /** `\'` inside a text is a quote. `ask` where nobody said which dialect it is. */
  readonly backslash: 'escape' | 'plain' | 'ask'
  /** `[name]` is a name: always, or only where it cannot be an array. */
  readonly brackets: 'name' | 'maybe' | 'array'
  /** `/*` inside a comment opens another one. */
  readonly nestedComments: boolean
  /** Reads the content of MySQL's conditional comments. */
  readonly conditionalComments: boolean
  /** `#` begins a comment: anywhere, or only where a line begins. */
  readonly hashComments: 'always' | 'line' | 'never'
  /** `//` begins a comment. */
  readonly slashComments: boolean
  /** `"""` and `'''` enclose a text. */
  readonly tripleQuotes: boolean
  /** Reads double quotes as a text, not as a name. */
  readonly doubleQuotedText: boolean
}

const STANDARD: LexicalRules = {
  backslash: 'plain',
  brackets: 'array',
  nestedComments: false,
  conditionalComments: false,
  hashComments: 'never',
  slashComments: false,
  tripleQuotes: false,
  doubleQuotedText: false,
}

/**
 * PostgreSQL: https://www.postgresql.org/docs/current/sql-syntax-lexical.html
 * MySQL: https://dev.mysql.com/doc/refman/8.4/en/string-literals.html
 * BigQuery: https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical
 * Databricks: https://docs.databricks.com/en/sql/language-manual/data-types/string-type.html
 * Snowflake: https://docs.snowflake.com/en/sql-reference/data-types-text
 * SQL Server: https://learn.microsoft.com/en-us/sql/t-sql/language-elements/slash-star-comment-transact-sql
 * SQLite: https://www.sqlite.org/lang_keywords.html
 * ClickHouse: https://clickhouse.com/docs/sql-reference/syntax
 */
const RULES: Readonly<Record<DialectName, LexicalRules>> = {
  snowflake: { ...STANDARD, backslash: 'escape', slashComments: true },
  bigquery: {
    ...STANDARD,
    backslash: 'escape',
    hashComments: 'always',
    tripleQuotes: true,
    doubleQuotedText: true,
  },
  databricks: { ...STANDARD, backslash: 'escape', nestedComments: true, doubleQuotedText: true },
  redshift: { ...STANDARD, backslash: 'escape', nestedComments: true },
  postgres: { ...STANDARD, nestedComments: true },
  duckdb: { ...STANDARD, nestedComments: true },
  mysql: {
    ...STANDARD,
    conditionalComments: true,
    backslash: 'escape',
    hashComments: 'always',
    doubleQuotedText: true,
  },
  sqlserver: { ...STANDARD, brackets: 'name', nestedComments: true },
  trino: STANDARD,
  athena: { ...STANDARD, backslash: 'escape' }, // as Hive, whose statements these are
  clickhouse: { ...STANDARD, backslash: 'escape' },
  sqlite: { ...STANDARD, brackets: 'name' },
}

/**
 * The rules of a dialect. Where nobody named one, the rules are such that a wrong guess ends in an error
 * and not in other tables: only dialects that escape with backslashes quote names in backticks (SQLite, which
 * knows both spellings, aside), and a nested comment that was none leaves a comment without end.
 */
export function lexicalRules(dialect: DialectName | undefined, text: string): LexicalRules {
  if (dialect !== undefined) return RULES[dialect]
  const hasBackticks = text.includes('`')
  return {
    backslash: hasBackticks ? 'escape' : 'ask',
    brackets: 'maybe',
    nestedComments: true,
    conditionalComments: /\/\*!\d{5,6}\s/.test(text),
    hashComments: 'line',
    slashComments: false,
    tripleQuotes: hasBackticks,
    doubleQuotedText: false,
  }
}
