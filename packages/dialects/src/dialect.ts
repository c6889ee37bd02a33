import type { DialectName, Operation } from '@stagecraft/spec'

/** The nature of a raw type. Decides group, naming rule and legal operations of a column. */
export const FAMILIES = [
  'integer',
  'decimal',
  'float',
  'boolean',
  'string',
  'uuid',
  'date',
  'time',
  'timestamp_ntz',
  'timestamp_tz',
  'interval',
  'json',
  'struct',
  'array',
  'map',
  'binary',
  'geo',
  'other',
] as const

export type Family = (typeof FAMILIES)[number]

/**
 * A warehouse, as data. To add one, copy the file of a near relative, fill in every field from the
 * vendor's pages, name those pages in `pages`, and add it to `index.ts`.
 */
export interface Dialect {
  readonly name: DialectName

  /** The vendor's pages (or the dbt adapter's source) that the fields were taken from. */
  readonly pages: readonly string[]

  /** Levels of a table's name above the table, outermost first. */
  readonly namespaces: readonly ['database', 'schema'] | readonly ['schema']

  /** Schemas may lie in schemas, so that a name may have more parts than levels. */
  readonly nestedSchemas: boolean

  /** The unquoted or whole-path spellings that the dialect's own SQL allows in a table's name. */
  readonly paths?: {
    /** One pair of backticks may hold the whole dotted path. */
    readonly quotedWhole?: boolean
    /** A name may end in `*`, to read tables of one prefix as one. */
    readonly wildcards?: boolean
    /** `-` needs no quotes. */
    readonly hyphens?: boolean
  }

  readonly identifiers: IdentifierRules

  readonly comments: CommentRules

  /** The escapes of characters inside a quoted text. */
  readonly textEscapes: Readonly<Record<string, string>>

  /** The parts of a relation that the dbt adapter quotes when `quoting:` says nothing. */
  readonly dbtQuotes: { readonly database: boolean; readonly schema: boolean; readonly identifier: boolean }

  /** Words, in lower case, that cannot name a column without quotes. */
  readonly reserved: ReadonlySet<string>

  /** Words that compile unquoted and then mean a function, not the column. */
  readonly evaluated: ReadonlySet<string>

  readonly types: TypeRules

  /** The warehouse keeps declared keys: rows that break them do not get in. */
  readonly enforcesKeys: boolean

  readonly idioms: Idioms

  /** The grammar of node-sql-parser that reads this SQL, as the name of its build. */
  readonly grammar?:
    | 'athena'
    | 'bigquery'
    | 'mysql'
    | 'postgresql'
    | 'redshift'
    | 'snowflake'
    | 'sqlite'
    | 'transactsql'
    | 'trino'
}

interface IdentifierRules {
  /** Opening and closing quote, as dbt and generated SQL write them. */
  readonly quotes: readonly [open: string, close: string]
  /** The escapes of characters inside a quoted name. */
  readonly escapes: Readonly<Record<string, string>>
  /** The case that an unquoted name takes. */
  readonly folds: 'upper' | 'lower' | 'none'
  /** True if two columns of one table may differ in case only. */
  readonly caseSensitive: boolean
  /** Names that need no quotes, apart from case and reserved words. */
  readonly plain: RegExp
  /** Longest name, in bytes of UTF-8; Infinity where the vendor gives no limit. */
  readonly maxBytes: number
}

interface CommentRules {
  /**
   * The text before a comment that ends with its line, in generated SQL. MySQL wants a blank behind the
   * dashes.
   */
  readonly line: '--' | '-- '
  /** Further beginnings of a comment that ends with its line, besides the dashes. */
  readonly alsoLine: readonly ('#' | '# ' | '#!' | '//')[]
  /** `/*` inside a comment opens another one. */
  readonly nested: boolean
  /** Beginnings of comments whose text the warehouse runs. */
  readonly executed: readonly ('/*!' | '/*M!')[]
  /** The page that says so. */
  readonly page: string
}

interface TypeRules {
  /** Base name (lower case, without arguments) of every type, by family. */
  readonly families: Readonly<Partial<Record<Family, readonly string[]>>>
  /** Families that depend on the arguments: `tinyint(1)`. Keys are whole types in lower case. */
  readonly exact?: Readonly<Record<string, Family>>
  /** Types of numbers that are booleans where a name or a list of values says so. */
  readonly mayBeBoolean?: readonly string[]
  /** A decimal type with scale 0 is the integer type. */
  readonly scaleZeroIsInteger?: boolean
  /** For types in none of the lists, the first text that the type contains decides. */
  readonly contains?: readonly (readonly [text: string, family: Family])[]
  /** Types that wrap another one and change nothing: `Nullable(String)`. */
  readonly wrappers?: readonly string[]
  /** Type names mean the same in any case, so that they are printed in lower case. */
  readonly anyCase: boolean
  /** The type that each family is cast to; a family without an entry is never cast. */
  readonly cast: Readonly<Partial<Record<Family, string>>>
  /**
   * The spelling of types from other dialects, where it is neither that of `cast` nor the first name of the
   * family.
   */
  readonly columnTypes?: Readonly<Partial<Record<Family, string>>>
  /** Types that are short, or are no types, unless they state a length. */
  readonly sized?: readonly string[]
  /** Families whose raw type can itself be the target of a cast. */
  readonly castable: readonly Family[]
  /** Raw types that are converted to be usable, by base name: `{ money: 'numeric(19, 2)' }`. */
  readonly convert?: Readonly<Record<string, string>>
}

/** SQL fragments; `{x}` stands for the expression, `{type}` for a type, `{a}` and `{b}` for operands. */
interface Idioms {
  readonly cast: string
  /** A zoned timestamp as UTC without zone. Absent where zoned types hold instants and no zone. */
  readonly toUtc?: string
  /** Seconds, milliseconds or microseconds since 1970 as a UTC timestamp. */
  readonly epoch: Readonly<Record<Extract<Operation, `epoch_${string}`>, string>>
  /** The family that `epoch` yields. */
  readonly epochFamily: 'timestamp_ntz' | 'timestamp_tz'
  /** Minor currency units as a decimal amount. */
  readonly cents: string
  /** The literals of truth and the cast around a `case` that yields them, where one is needed. */
  readonly truth: { readonly yes: string; readonly no: string; readonly wrap?: string }
  /** A nullable flag that is not set. */
  readonly notFlagged: string
  /** A nullable flag that is set. */
  readonly flagged: string
  /** Joins two texts. */
  readonly concat: string
  /** The length of a text, trailing blanks included. */
  readonly textLength: string
  /** True if `qualify` filters on window functions; elsewhere a second CTE does. */
  readonly qualify: boolean
  /** True if `order by x desc nulls last` is understood; elsewhere nulls already come last. */
  readonly nullsLast: boolean
}
