import type { Conversion } from '@stagecraft/spec'
import type { DdlRules } from './ddl-rules.ts'
import type { FunctionRules } from './function-rules.ts'
import type { TypeRules } from './type-rules.ts'
import type { WordRules } from './word-rules.ts'

/** The conversions of texts in which the parts of a day stand in another order. */
type DateText = Extract<Conversion, `date_${string}`>

/**
 * A warehouse, as data. Every fact belongs to a group, and every group names the pages of the vendor that its facts come
 * from. To add a warehouse, copy the folder of a near relative and fill in every field from those pages.
 */
export interface Dialect<Name extends string = string> {
  /** The name that requests and messages use. */
  readonly name: Name
  /** The name as the vendor writes it: `SQL Server`. */
  readonly title: string
  readonly identifiers: IdentifierRules
  readonly lexing: LexingRules
  readonly words: WordRules
  readonly types: TypeRules
  readonly functions: FunctionRules
  readonly idioms: Idioms
  readonly sampling: SamplingRules
  readonly ddl: DdlRules
  readonly dbt: DbtRules
  readonly parsers: ParserNames
}

/** The names of tables and columns. */
interface IdentifierRules {
  readonly pages: readonly string[]
  /** Levels of a table's name above the table, outermost first. */
  readonly namespaces: readonly ['database', 'schema'] | readonly ['schema']
  /** Schemas may lie in schemas, so that a name may have more parts than levels. */
  readonly nestedSchemas: boolean
  /** The unquoted or whole-path spellings that the dialect's own SQL allows in a table's name. */
  readonly paths: {
    /** One pair of backticks may hold the whole dotted path. */
    readonly quotedWhole: boolean
    /** A name may end in `*`, to read tables of one prefix as one. */
    readonly wildcards: boolean
    /** `-` needs no quotes. */
    readonly hyphens: boolean
  }
  /** Opening and closing quote, as dbt and generated SQL write them. */
  readonly quotes: readonly [open: string, close: string]
  /** The escapes of characters inside a quoted name. */
  readonly escapes: Readonly<Record<string, string>>
  /** The case that an unquoted name takes when it is looked up; none where names match in any case. */
  readonly folds: 'upper' | 'lower' | 'none'
  /** The case that an unquoted name is stored in. */
  readonly stores: 'upper' | 'lower' | 'as written'
  /** Two columns of one table may differ in case only. */
  readonly caseSensitive: boolean
  /** Names that need no quotes, apart from case and reserved words. */
  readonly plain: RegExp
  /** Longest name, in bytes of UTF-8; Infinity where the vendor gives no limit. */
  readonly maxBytes: number
}

/** The marks by which texts, names and comments are told from the rest. */
interface LexingRules {
  readonly pages: readonly string[]
  readonly comments: CommentRules
  /** The escapes of characters inside a quoted text. */
  readonly textEscapes: Readonly<Record<string, string>>
  /** `r'\d'` is a text whose backslashes stay. */
  readonly rawTexts: boolean
  /** `'''` and `"""` enclose a text. */
  readonly tripleQuotes: boolean
  /** The meaning of double quotes. */
  readonly doubleQuoted: 'name' | 'text'
  /** The meaning of square brackets. */
  readonly brackets: 'name' | 'array'
}

interface CommentRules {
  /** Begins a comment of generated SQL that ends with its line. MySQL wants a blank behind the dashes. */
  readonly line: '--' | '-- '
  /** Other beginnings of a comment that ends with its line, beside the dashes. */
  readonly alsoLine: readonly ('#' | '# ' | '#!' | '//')[]
  /** `/*` inside a comment opens another one. */
  readonly nested: boolean
  /** Beginnings of comments whose text the warehouse runs. */
  readonly executed: readonly ('/*!' | '/*M!')[]
}

/** SQL fragments; `{x}` stands for the expression, `{type}` for a type, `{a}` and `{b}` for operands. */
interface Idioms {
  readonly pages: readonly string[]
  readonly cast: string
  /**
   * A field of a struct: `{name}` as an identifier, `{quoted}` in quotes whatever it is, `{text}` as a text, `{type}` its type.
   * @default structs have no named fields, or no type that tells them
   */
  readonly field?: string
  /** A zoned timestamp as UTC without zone; undefined where zoned types hold instants and no zone. */
  readonly toUtc: string | undefined
  /**
   * Ways to turn texts with an offset, `2026-01-01T10:00:00+02:00`, into UTC without zone, the first that holds. Only where a
   * cast to a timestamp drops the offset without an error.
   * @default a cast does what is right
   */
  readonly offsets?: readonly { readonly when: string; readonly utc: string }[]
  /** Seconds, milliseconds or microseconds since 1970 as a UTC timestamp. */
  readonly epoch: Readonly<Record<Extract<Conversion, `epoch_${string}`>, string>>
  /** The family of the results of `epoch`. */
  readonly epochFamily: 'timestamp_ntz' | 'timestamp_tz'
  /**
   * Texts of days as dates: `31/01/2026`, `01/31/2026`, `20260131`. Parts are divided by `/`, `.` or `-`. A text that is none
   * is null where the warehouse has a function for that, elsewhere it may be an error.
   */
  readonly dates: Readonly<Record<DateText, string>>
  /**
   * True for texts of days that exist, without an error: of `date`, those that a cast reads. The forms are looked at before.
   * @default true where `dates` gives no null
   */
  readonly isDate: { readonly date: string } & { readonly [As in DateText]?: string }
  /** Minor currency units as a decimal amount. */
  readonly cents: string
  /** The literals of truth and the cast around a `case` that yields them, where one is needed. */
  readonly truth: { readonly yes: string; readonly no: string; readonly wrap: string | undefined }
  /** A nullable flag that is not set. */
  readonly notFlagged: string
  /** A nullable flag that is set. */
  readonly flagged: string
  /** Joins two texts. */
  readonly concat: string
  /** The length of a text, trailing blanks counted. */
  readonly textLength: string
  /** `qualify` filters on window functions; elsewhere a second CTE does. */
  readonly qualify: boolean
  /** The orderings that put the newest or the earliest value first, and rows without one last. */
  readonly orderBy: { readonly newest: string; readonly earliest: string }
}

/** Reading less than every row, and estimates, where exact answers cost too much. `{x}` stands for what is read. */
interface SamplingRules {
  readonly pages: readonly string[]
  /** An estimate of the number of different values; undefined where there is none. */
  readonly approximateDistinct: string | undefined
  /** About `{percent}` of the rows of a stored table, without reading the others; undefined where all have to be read. */
  readonly table: string | undefined
  /** True for a share `{share}` of all rows, by chance. */
  readonly row: string
  /** A whole number that is the same for the same text. */
  readonly hash: string
  /** At most `{n}` rows, each a number. */
  readonly first: string
}

/** The part of dbt in it. */
interface DbtRules {
  readonly pages: readonly string[]
  /** The adapters that write this dialect, by their type in `profiles.yml`. */
  readonly adapters: readonly string[]
  /** The parts of a relation that the adapter quotes when `quoting:` says nothing. */
  readonly quotes: { readonly database: boolean; readonly schema: boolean; readonly identifier: boolean }
  /** The spelling of types in the adapter's `Column.data_type`, where it differs from the warehouse's: pattern and replacement. */
  readonly typeSpellings: readonly (readonly [pattern: RegExp, replacement: string])[]
}

/** The names of the dialect in parsers that are not ours. */
interface ParserNames {
  /** The build of node-sql-parser that reads this SQL; undefined where it has no grammar for it. */
  readonly nodeSqlParser:
    | 'athena'
    | 'bigquery'
    | 'mysql'
    | 'postgresql'
    | 'redshift'
    | 'snowflake'
    | 'sqlite'
    | 'transactsql'
    | 'trino'
    | undefined
  /** The grammar of `@polyglot-sql/sdk`. */
  readonly polyglot: string
}
