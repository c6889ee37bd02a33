import type { Family } from '@stagecraft/dialects'
import type { Freshness, ModelType, Warning } from '@stagecraft/spec'
import type { NameRule } from '../naming/column-name.ts'

/**
 * The order of column groups in a model. Source:
 * docs.getdbt.com/best-practices/how-we-style/1-how-we-style-our-dbt-models; the guide names the first six; the last
 * three follow them.
 */
export const COLUMN_GROUPS = [
  'ids',
  'strings',
  'numerics',
  'booleans',
  'dates',
  'timestamps',
  'semi-structured',
  'other',
  'metadata',
] as const

export type ColumnGroup = (typeof COLUMN_GROUPS)[number]

/** A description and its origin. */
export interface Description {
  readonly text: string
  readonly origin: 'comment' | 'rule' | 'user' | 'llm'
  /** The rule that wrote it, if one did. */
  readonly rule?: DescriptionRule
}

/** The evidence of a description by a rule. */
export type DescriptionRule =
  | 'deleted rows'
  | 'loader'
  | 'key'
  | 'reference'
  | 'moment'
  | 'boolean'
  | 'list'
  | 'form'
  | 'grain and rows'
  | 'snapshot'

/** The rule that decided how a value is selected. */
export type ValueRule =
  | 'as'
  | 'asNotPossible'
  | 'castsNone'
  | 'expression'
  | 'toUtc'
  | 'values'
  | 'awkwardType'
  | 'backend'
  | 'keysAsText'
  | 'castsFull'
  | 'deletedRows'
  | 'asIs'
  | 'snapshot'

/** The rule that decided a group: the loader, a key, the name or the family of the column. */
export type GroupRule = 'metadata' | 'key' | 'name' | 'family'

/** The rules that decided about a column; `core/src/explain` has the words for each. */
export interface ColumnReasons {
  /** In the order in which they were applied. */
  readonly name: readonly NameRule[]
  readonly value: ValueRule
  readonly group: GroupRule
}

/** A column of the source that the model does not have. */
export interface LeftOutColumn {
  /** As stored. */
  readonly source: string
  readonly rule: 'exclude' | 'metadataColumns'
}

/** The evidence for a test. */
export type Evidence =
  | 'primary key'
  | 'unique constraint'
  | 'foreign key'
  | 'not null constraint'
  | 'list of values'
  | 'configuration'
  | 'loader'
  | 'comment'
  | 'rows'
  | 'name'
  | 'model'

/** A generic data test, ready to be written in the form of any dbt version. */
export interface PlannedTest {
  /** `not_null`, `dbt_utils.unique_combination_of_columns`. */
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** Its explicit name, if the one that dbt derives belongs to another test too. */
  readonly label?: string
  readonly severity: 'error' | 'warn'
  readonly evidence: Evidence
  /** The figures behind evidence of rows: `unique in 48,211 rows; checked 2026-01-31`. */
  readonly figures?: string
}

/** SQL as lines, without the indentation that the template gives them. */
export type SqlLines = readonly string[]

/** The columns that identify a row of the source, and the evidence for it. */
export interface Key {
  /** Columns as stored, in the order of the table. */
  readonly columns: readonly string[]
  readonly evidence: Evidence
  /** True if only a name indicates it, and other columns mark extracts or versions, so rows may repeat it. */
  readonly repeats?: true
}

/** One column of the model. */
export interface PlannedColumn {
  /** The column as stored; undefined when the model computes it from others. */
  readonly source: string | undefined
  /** 1-based position in the source; computed columns come after all others. */
  readonly ordinal: number
  /** The expression that the model selects. */
  readonly expression: SqlLines
  /** The staged name. */
  readonly name: string
  /** The staged name as SQL writes it, in quotes if it needs them. */
  readonly alias: string
  /** True if the staged name needs quotes. */
  readonly quoted: boolean
  readonly family: Family
  /** The type of the expression as the warehouse spells it. */
  readonly dataType: string
  readonly group: ColumnGroup
  readonly reasons: ColumnReasons
  readonly description: Description | undefined
  readonly tests: readonly PlannedTest[]
}

/** The rows of the source that the model has. */
export interface PlannedRows {
  /** Keep the first row of each key. */
  readonly deduplicate?: {
    readonly partitionBy: readonly string[]
    readonly orderBy: readonly string[]
    readonly keeps: 'newest' | 'earliest'
    /** `qualify` filters in place; elsewhere a numbering column of this name does. */
    readonly numberColumn: string | undefined
  }
  /** Keep rows for which this is true. */
  readonly where?: string
  /** The stored column that marks deleted rows, if the model filters or flags them. */
  readonly deletedBy?: string
}

/** A column of the entry in the sources file. */
export interface SourceColumn {
  readonly name: string
  readonly quote: boolean
  readonly dataType: string | undefined
  readonly description: Description | undefined
}

/** The entry in the sources file. */
export interface SourceEntry {
  /** The dbt source. */
  readonly name: string
  readonly description: Description | undefined
  readonly database: string | undefined
  readonly schema: string | undefined
  /** Parts whose quoting differs from the adapter's default. */
  readonly quoting: Readonly<Partial<Record<'database' | 'schema' | 'identifier', boolean>>>
  readonly loader: string | undefined
  readonly table: {
    readonly name: string
    readonly identifier: string | undefined
    readonly description: Description | undefined
    /** SQL of the load time; undefined without a column for it. */
    readonly loadedAt: string | undefined
    readonly freshness: Freshness | undefined
    /** The expression that reads the rows if there is no relation. */
    readonly location: string | undefined
    readonly columns: readonly SourceColumn[]
  }
}

/** The way in which a snapshot finds changed rows. */
export interface SnapshotPlan {
  /** As SQL refers to them, without the escapes that a file needs. */
  readonly uniqueKey: readonly string[]
  /** The key as one text, for dbt versions without lists of keys. */
  readonly joinedKey: string
  /** The column with the time of the last change; without one, columns are compared. */
  readonly updatedAt: string | undefined
  /** As stored; `all` when the loader adds none of its own. */
  readonly checkColumns: readonly string[] | 'all'
}

/** All decisions about one model. SQL and YAML are printed from it and add nothing. */
export interface Plan {
  readonly type: ModelType
  readonly dialect: string
  /** The input of the model: `source('stripe', 'payments')` or `ref('payments_raw')`. */
  readonly input: string
  /** The select list over the input: `*`, and by name the columns that `*` leaves out. */
  readonly selection: string
  readonly model: {
    readonly name: string
    readonly description: Description | undefined
    readonly materialized: string | undefined
    readonly contract: boolean
    /** Write `data_type` of columns. */
    readonly dataTypes: boolean
    /** Tests on the model as a whole. */
    readonly tests: readonly PlannedTest[]
  }
  /** In the order in which the model selects them. */
  readonly columns: readonly PlannedColumn[]
  /** The columns of the source that the model does not have. */
  readonly leftOut: readonly LeftOutColumn[]
  /** The columns that identify a row; undefined if not known. */
  readonly key: Key | undefined
  readonly rows: PlannedRows
  readonly snapshot: SnapshotPlan | undefined
  /** Undefined when the model reads another model. */
  readonly source: SourceEntry | undefined
  readonly warnings: readonly Warning[]
  readonly paths: {
    readonly model: string
    readonly modelYaml: string
    readonly sourceYaml: string
  }
  /** The style in which templates print it. */
  readonly style: {
    readonly groups: boolean
    readonly leadingCommas: boolean
    readonly testReasons: boolean
    /** True if descriptions were requested, even if there are none. */
    readonly docs: boolean
  }
}
