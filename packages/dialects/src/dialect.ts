import type { Conversion } from '@stagecraft/spec'
import type { DdlRules } from './ddl-rules.ts'
import type { FunctionRules } from './function-rules.ts'
import type { TypeRules } from './type-rules.ts'
import type { WordRules } from './word-rules.ts'

/** The conversions of texts with the parts of a date in another order. */
type DateText = Extract<Conversion, `date_${string}`>

/**
 * A warehouse as data. Every fact belongs to a group, and every group names the pages of the vendor that its
 * facts come from. To add a warehouse, copy the folder of a similar one and fill in every field from those
 * pages.
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
  /** The levels of a name above the table, outermost first. */
  readonly namespaces: readonly ['database', 'schema'] | readonly ['schema']
  /** True if schemas can be nested, so a name can have more parts than levels. */
  readonly nestedSchemas: boolean
  /** The unquoted or whole-path spellings that the dialect's own SQL allows in a table's name. */
  readonly paths: {
    /** True if one pair of backticks may enclose the whole dotted path. */
    readonly quotedWhole: boolean
    /** True if a name may end in `*`, which reads all tables with a prefix as one. */
    readonly wildcards: boolean
    /** True if `-` needs no quotes. */
    readonly hyphens: boolean
  }
  /** The opening and closing quote in dbt and in generated SQL. */
  readonly quotes: readonly [open: string, close: string]
  /** The escapes of characters inside a quoted name. */
  readonly escapes: Readonly<Record<string, string>>
  /** The case of an unquoted name in a lookup; `none` if names match in any case. */
  readonly folds: 'upper' | 'lower' | 'none'
  /** The case that an unquoted name is stored in. */
  readonly stores: 'upper' | 'lower' | 'as written'
  /** True if the names of two columns may differ only in case. */
  readonly caseSensitive: boolean
  /** Matches names that need no quotes, apart from case and reserved words. */
  readonly plain: RegExp
  /** The maximum length of a name, in bytes of UTF-8; Infinity if the vendor states no limit. */
  readonly maxBytes: number
}

/** The marks that delimit texts, names and comments. */
interface LexingRules {
  readonly pages: readonly string[]
  readonly comments: CommentRules
  /** The escapes of characters inside a quoted text. */
  readonly textEscapes: Readonly<Record<string, string>>
  /** True if `r'\d'` is a text with literal backslashes. */
  readonly rawTexts: boolean
  /** True if `'''` and `"""` enclose a text. */
  readonly tripleQuotes: boolean
  /** The meaning of double quotes. */
  readonly doubleQuoted: 'name' | 'text'
  /** The meaning of square brackets. */
  readonly brackets: 'name' | 'array'
}

interface CommentRules {
  /** The beginning of a line comment in generated SQL. MySQL needs a space after the dashes. */
  readonly line: '--' | '-- '
  /** Other beginnings of a line comment. */
  readonly alsoLine: readonly ('#' | '# ' | '#!' | '//')[]
  /** True if `/*` inside a comment opens another one. */
  readonly nested: boolean
  /** Beginnings of comments that the warehouse executes. */
  readonly executed: readonly ('/*!' | '/*M!')[]
}

/** SQL fragments. `{x}` is the expression, `{type}` a type, `{a}` and `{b}` are operands. */
interface Idioms {
  readonly pages: readonly string[]
  readonly cast: string
  /** True if `* except (…)` may name a column that there is not; false too where there is no such clause. */
  readonly excludesUnknown: boolean
  /**
   * A field of a struct: `{name}` as an identifier, `{quoted}` always in quotes, `{text}` as a text, `{type}`
   * its type. Undefined if structs have no named fields, or their types do not state them.
   */
  readonly field: string | undefined
  /** A zoned timestamp as UTC without zone; undefined if zoned types store instants without a zone. */
  readonly toUtc: string | undefined
  /**
   * Conversions of texts with an offset, `2026-01-01T10:00:00+02:00`, to UTC without zone; the first that
   * matches is used. Empty unless a cast to a timestamp drops the offset without an error.
   */
  readonly offsets: readonly { readonly when: string; readonly utc: string }[]
  /** Seconds, milliseconds or microseconds since 1970 as a UTC timestamp. */
  readonly epoch: Readonly<Record<Extract<Conversion, `epoch_${string}`>, string>>
  /** The family of the results of `epoch`. */
  readonly epochFamily: 'timestamp_ntz' | 'timestamp_tz'
  /**
   * Texts as dates: `31/01/2026`, `01/31/2026`, `20260131`. Parts are separated by `/`, `.` or `-`. An
   * invalid text becomes null if the warehouse has a function for that; otherwise it may be an error.
   */
  readonly dates: Readonly<Record<DateText, string>>
  /**
   * True for texts that are existing dates, without an error; for `date`, those that a cast reads. The form
   * of the text is checked before.
   *
   * @default true if `dates` returns a value
   */
  readonly isDate: { readonly date: string } & { readonly [As in DateText]?: string }
  /** Minor currency units as a decimal amount. */
  readonly cents: string
  /** The literals for true and false, and the cast around a `case` that returns them, if it is needed. */
  readonly truth: { readonly yes: string; readonly no: string; readonly wrap: string | undefined }
  /** A nullable flag that is not set. */
  readonly notFlagged: string
  /** A nullable flag that is set. */
  readonly flagged: string
  /** Joins two texts. */
  readonly concat: string
  /** The length of a text, including trailing spaces. */
  readonly textLength: string
  /** The number of characters, if `textLength` counts bytes. Default: `textLength`. */
  readonly characters?: string
  /** True if `qualify` filters on window functions. Otherwise a second CTE does. */
  readonly qualify: boolean
  /** The orderings that put the newest or the earliest value first, and rows without a value last. */
  readonly orderBy: { readonly newest: string; readonly earliest: string }
}

/** Samples and estimates, for when exact answers cost too much. `{x}` is the table or expression. */
interface SamplingRules {
  readonly pages: readonly string[]
  /** An estimate of the number of distinct values; undefined if the warehouse has none. */
  readonly approximateDistinct: string | undefined
  /**
   * About `{percent}` of the rows of a stored table, without reading the others; undefined if all rows must
   * be read.
   */
  readonly table: string | undefined
  /** True for a random share `{share}` of all rows. */
  readonly row: string
  /** A hash of a text as a whole number. */
  readonly hash: string
  /** A hash of bytes as a whole number. */
  readonly hashOfBytes: string
  /** At most `{n}` rows with a constant. */
  readonly first: string
}

/** The facts about dbt. */
interface DbtRules {
  readonly pages: readonly string[]
  /** The adapters that write this dialect, by their type in `profiles.yml`. */
  readonly adapters: readonly string[]
  /** True if the adapter lists fields of structs as columns with a dot in their names. */
  readonly listsFields: boolean
  /** The parts of a relation that the adapter quotes by default. */
  readonly quotes: { readonly database: boolean; readonly schema: boolean; readonly identifier: boolean }
  /** Types that the adapter's `Column.data_type` spells differently from the warehouse: pattern and replacement. */
  readonly typeSpellings: readonly (readonly [pattern: RegExp, replacement: string])[]
}

/** The names of the dialect in third-party parsers. */
interface ParserNames {
  /** The build of node-sql-parser that reads this SQL; undefined if it has no grammar for it. */
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
