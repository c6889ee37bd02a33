// Made from the schemas of this package by test/types/print-types.ts: change those and run
// `UPDATE_GOLDEN=1 npm test -- test/types`. The types are written out because the declarations of inferred
// types lose their comments, which editors show.

import type {
  BackendName,
  Conversion,
  DecisionSubject,
  DialectName,
  EvidenceKind,
  ModelType,
  PresetName,
  TableKind,
} from './names.ts'

/** The request of `POST /generate` and `generate()`. */
export interface GenerationRequest {
  /** The type of model to write. */
  readonly type: ModelType
  /** The dotted name of the source table: `raw.stripe.payments`. */
  readonly source: string
  /** Options of this request. They override configuration and preset. */
  readonly options?: GenerationOptions | undefined
}

/** The options of a request, a configuration file, or an override of one source or table. */
export interface GenerationOptions {
  /** Write data tests that evidence supports. Default false; the command line turns it on. */
  readonly addTests?: boolean | undefined
  /** Write descriptions that are known to be true. Default false; the command line turns it on. */
  readonly addDocs?: boolean | undefined
  /**
   * `none` renames only; `safe` (default) converts where the type or evidence calls for it; `full` also casts
   * every column to its own type, spelled out.
   */
  readonly casts?: 'none' | 'safe' | 'full' | undefined
  /** Enforce a dbt model contract; implies `dataTypes`. Default false. */
  readonly contract?: boolean | undefined
  /** Write `data_type` in the model's YAML. Default false. */
  readonly dataTypes?: boolean | undefined
  /** Rows that the loader marked as deleted: left out (default), shown by `is_deleted`, or kept. */
  readonly deletedRows?: 'filter' | 'flag' | 'keep' | undefined
  /** Versions of a row, if the loader appends them: keep only the newest (default), or all. */
  readonly duplicates?: 'remove' | 'keep' | undefined
  /** The loader's own columns: all (default), only the load time as `_loaded_at`, or none. */
  readonly metadataColumns?: 'keep' | 'loaded' | 'drop' | undefined
  /** The tool that fills the table. Default `auto`: recognized by its columns; `none`: no loader. */
  readonly loader?: string | undefined
  /**
   * How the loader stores versions of a row: it appends every version, or merges them. Default: from its
   * loader pack.
   */
  readonly loadMode?: 'append' | 'merge' | undefined
  /** Thresholds for `dbt source freshness`. Default: warn after 24 hours, error after 48. */
  readonly freshness?: false | Freshness | undefined
  /** One models file per folder (default), or one beside each model. */
  readonly yamlLayout?: 'folder' | 'model' | undefined
  /** The order of columns: in groups such as ids, strings and numerics (default), or as in the source. */
  readonly columnOrder?: 'groups' | 'source' | undefined
  /** Cast key columns to text, as the dbt Labs guide recommends. Default false. */
  readonly keysAsText?: boolean | undefined
  /** State the evidence of each test under `config.meta.stagecraft`. Default false. */
  readonly testReasons?: boolean | undefined
  /**
   * Columns of a struct with named fields: one column (default), or one for each field, `address.city` as
   * `address_city`. Structs inside it, arrays and maps stay whole.
   */
  readonly flatten?: 'none' | 'one level' | undefined
  /** Write commas before columns, not after them. Default false. */
  readonly leadingCommas?: boolean | undefined
  /** The materialization to write into the model. Default: the project decides. */
  readonly materialized?: 'view' | 'table' | 'ephemeral' | undefined
}

/** Thresholds for `dbt source freshness`. */
export interface Freshness {
  /** dbt warns when the newest row is older. */
  readonly warnAfter?: FreshnessAge | undefined
  /** dbt fails when the newest row is older. */
  readonly errorAfter?: FreshnessAge | undefined
}

/** An age of the newest row. */
export interface FreshnessAge {
  /** The number of periods. */
  readonly count: number
  /** The unit of `count`. */
  readonly period: 'minute' | 'hour' | 'day'
}

/** A `stagecraft.yml`. docs/reference/configuration.md explains it with examples. */
export interface Config {
  /** The set of defaults to start from. Default `dbt-labs`. */
  readonly preset?: PresetName | undefined
  /**
   * The SQL dialect to write. Default: that of `stagecraft.lock`, of the dbt profile, or of the catalog, in
   * this order.
   */
  readonly dialect?: DialectName | undefined
  /**
   * The dbt version to write YAML for: `1.9`. Default: the version that last parsed the project, otherwise
   * the newest that `require-dbt-version` allows, otherwise the newest.
   */
  readonly dbtVersion?: string | undefined
  /** The source of columns: `postgres://…`, `duckdb:raw.db`, `columns.yml`. */
  readonly catalog?: string | undefined
  /** The database of dbt runs; it is left out of sources files. */
  readonly defaultDatabase?: string | undefined
  /** The schema of tables that are named without one. */
  readonly defaultSchema?: string | undefined
  /** A language model that proposes names, descriptions and tests. Its key comes from the environment. */
  readonly backend?: BackendConfig | undefined
  /** The rules of `stagecraft lint`. */
  readonly lint?: LintConfig | undefined
  /** The dbt packages of the project: `[dbt_utils]`. Default: read from packages.yml. */
  readonly packages?: readonly string[] | undefined
  /** Options of all requests. They override those of the preset. */
  readonly options?: GenerationOptions | undefined
  /** Naming rules. They override those of the preset. */
  readonly naming?: Naming | undefined
  /** Custom template files by name: `{ staging.sql: templates/staging.sql.njk }`, relative to this file. */
  readonly templates?: Readonly<Record<string, string>> | undefined
  /** Overrides by stored name of the schema: `stripe`, or `raw.stripe` if two databases have it. */
  readonly sources?: Readonly<Record<string, SourceConfig>> | undefined
}

/** The language model of a `stagecraft.yml`. */
export interface BackendConfig {
  /** The kind of backend. Default: none; only the rules decide. */
  readonly name?: BackendName | undefined
  /** The provider's name of the model. Default: that of the backend. */
  readonly model?: string | undefined
  /** The address of the API: `http://localhost:11434/v1`. Default: the provider. */
  readonly baseUrl?: string | undefined
  /** The folder of recorded exchanges for `replay`, relative to this file. */
  readonly cassettes?: string | undefined
  /**
   * Without a usable answer: GENERATION_FAILED (default), or the plan of the rules and a warning (default of
   * the command line).
   */
  readonly onFailure?: 'error' | 'fallback' | undefined
  /** Send the comments of columns and table, cleaned and cut to 200 characters. Default false. */
  readonly comments?: boolean | undefined
  /** Send `c1`, `c2`, … in place of names, and omit the table name. Default false. */
  readonly redactNames?: boolean | undefined
  /** Let the model give a SQL expression for a column; each is parsed and checked. Default false. */
  readonly allowExpressions?: boolean | undefined
  /** The maximum number of renames and descriptions of the user's own project to send. Default 40. */
  readonly examples?: number | undefined
  /** The number of columns in one conversation; wider tables need several. Default 60. */
  readonly columnsPerCall?: number | undefined
  /** The maximum number of tokens in one answer. Default 8192. */
  readonly maxOutputTokens?: number | undefined
  /** The limit of tokens for one table, after which no further call is made. Default 100000. */
  readonly maxTokens?: number | undefined
  /** The time limit for one table in seconds, over all calls. Default 120. */
  readonly deadlineSeconds?: number | undefined
}

/** Settings for a language model that takes part in planning. */
export interface LlmSettings {
  /**
   * Without a usable answer: GENERATION_FAILED (default), or the plan of the rules and a warning (default of
   * the command line).
   */
  readonly onFailure?: 'error' | 'fallback' | undefined
  /** Send the comments of columns and table, cleaned and cut to 200 characters. Default false. */
  readonly comments?: boolean | undefined
  /** Send `c1`, `c2`, … in place of names, and omit the table name. Default false. */
  readonly redactNames?: boolean | undefined
  /** Let the model give a SQL expression for a column; each is parsed and checked. Default false. */
  readonly allowExpressions?: boolean | undefined
  /** The maximum number of renames and descriptions of the user's own project to send. Default 40. */
  readonly examples?: number | undefined
  /** The number of columns in one conversation; wider tables need several. Default 60. */
  readonly columnsPerCall?: number | undefined
  /** The maximum number of tokens in one answer. Default 8192. */
  readonly maxOutputTokens?: number | undefined
  /** The limit of tokens for one table, after which no further call is made. Default 100000. */
  readonly maxTokens?: number | undefined
  /** The time limit for one table in seconds, over all calls. Default 120. */
  readonly deadlineSeconds?: number | undefined
}

/** The rules of `stagecraft lint` and their exceptions. */
export interface LintConfig {
  /** Severities by id or name: `{ SC401: off, SC404: warning }`. Naming a rule switches it on. */
  readonly rules?: Readonly<Record<string, 'off' | 'info' | 'warning' | 'error'>> | undefined
  /** Accepted findings to leave out: by rule, and by path, source or model. */
  readonly ignore?: readonly IgnoreSetting[] | undefined
}

/**
 * Intended findings of a rule. Path, source and model narrow it; a finding must match all that are given.
 */
export interface IgnoreSetting {
  /** The id of the rule: `SC203`. */
  readonly rule: string
  /** A file or a pattern, relative to the project: `models/legacy/**`. */
  readonly path?: string | undefined
  /** A source, or a table of it: `shop`, `shop.orders`. */
  readonly source?: string | undefined
  /** A model, seed or snapshot: `stg_shop__orders`. */
  readonly model?: string | undefined
  /** The reason. An exception without a reason is itself a finding. */
  readonly reason?: string | undefined
}

/** Overrides for one schema. */
export interface SourceConfig {
  /** The name of the dbt source. Default: the schema as a plain name. */
  readonly name?: string | undefined
  /** The description of the dbt source. */
  readonly description?: string | undefined
  /** Leave the schema out, unless it is requested by name. */
  readonly exclude?: true | undefined
  /** Options of this source. They override those of the file. */
  readonly options?: GenerationOptions | undefined
  /** Naming rules of this source. They override those of the file. */
  readonly naming?: Naming | undefined
  /** The tables by stored name. */
  readonly tables?: Readonly<Record<string, TableConfig>> | undefined
}

/** Overrides for one table. */
export interface TableConfig {
  /** The name of the table in the dbt source; its entity is taken from it. */
  readonly name?: string | undefined
  /** The name of its model. */
  readonly model?: string | undefined
  /** The name of one row, in the singular: `payment`. */
  readonly entity?: string | undefined
  /** The columns that identify a row. */
  readonly key?: readonly string[] | undefined
  /** The column with the load time of a row, for `dbt source freshness`. */
  readonly loadedAt?: string | undefined
  /** The description of the model. Overrides comment and rules. */
  readonly description?: string | undefined
  /** Leave the table out, unless it is requested by name. */
  readonly exclude?: true | undefined
  /** Options of this table. They override those of its source. */
  readonly options?: GenerationOptions | undefined
  /** Naming rules of this table. They override those of its source. */
  readonly naming?: Naming | undefined
  /** The columns by stored name. */
  readonly columns?: Readonly<Record<string, ColumnConfig>> | undefined
}

/** Bounds of the numbers of a column. */
export interface RangeConfig {
  /** The smallest allowed value. */
  readonly min?: number | undefined
  /** The largest allowed value. */
  readonly max?: number | undefined
}

/** Overrides for one column. */
export interface ColumnConfig {
  /** The staged name. */
  readonly name?: string | undefined
  /** The description. Overrides comment and rules. */
  readonly description?: string | undefined
  /** The meaning of the raw value. It is never taken from the name alone. */
  readonly as?: Conversion | undefined
  /** Every value that the column may have. */
  readonly values?: readonly ColumnValue[] | undefined
  /** The column is never null: a `not_null` test with severity `error`. */
  readonly notNull?: true | undefined
  /** Bounds of its numbers; tested if the project has dbt_utils. */
  readonly range?: RangeConfig | undefined
  /** The column of another table that it refers to: `customers.id`, `shop.customers.id`. */
  readonly references?: string | undefined
  /** Leave the column out of the model. */
  readonly exclude?: true | undefined
  /** The same as the option, for this column only. Configure a field as `address.city`. */
  readonly flatten?: 'none' | 'one level' | undefined
  /** Let a backend propose an expression that loses values: a constant, another column, a conversion. */
  readonly lossy?: true | undefined
}

/** The rules for names. Every member has a default in the preset. */
export interface Naming {
  /**
   * snake_case with all rules (default), the same names as `camelCase` or `PascalCase` (quoted where the
   * warehouse would fold them), lower case only, or as stored.
   */
  readonly columns?: 'snake' | 'camel' | 'pascal' | 'lower' | 'keep' | undefined
  /** Name the table's own `id` after its entity: `payment_id`. Default true. */
  readonly ids?: boolean | undefined
  /**
   * Prefix one-word booleans that name a state with `is_`: `active` → `is_active`; `skip_charges` and
   * `verified_email` stay. Default true.
   */
  readonly booleans?: boolean | undefined
  /**
   * Names of events end in `_at`: `created` → `created_at`. `keep` (default) leaves names that already say
   * that they are a time (`event_ts`, `synced_utc`, `close_date`); `suffix` makes all end in `_at`; false
   * changes none.
   */
  readonly timestamps?: false | 'keep' | 'suffix' | undefined
  /**
   * Names of events end in `_date`: `ordered` → `ordered_date`. `keep` (default) leaves `date_ordered`,
   * `order_dt`, `ordered_on` and `ordered_at`; `suffix` changes them too; false changes none.
   */
  readonly dates?: false | 'keep' | 'suffix' | undefined
  /**
   * Split run-together names by known words: `createdbyid` → `created_by_id`. `auto` (default) splits unless
   * most long names of the table have unknown words. `never` also keeps `orderline` in `{entity}`.
   */
  readonly splitting?: 'auto' | 'always' | 'never' | undefined
  /**
   * Custom fields of Salesforce: without `__c` and the namespace of a package, and named by the rules
   * (`drop`, default), or unchanged (`keep`).
   */
  readonly customFields?: 'keep' | 'drop' | undefined
  /** The form of the entity in model names. Default plural. */
  readonly entity?: 'plural' | 'singular' | 'keep' | undefined
  /**
   * Patterns that find the entity in a table name; the first match is used. `*` is any text, `{word}` is one
   * word: `*_{entity}` takes the last word. Default: the whole name.
   */
  readonly entityFrom?: readonly string[] | undefined
  /** Prefixes to remove from table names: `raw_`, `src_`. */
  readonly tablePrefixes?: readonly string[] | undefined
  /**
   * Prefixes to remove from column names: `fld_`, `{entity}_`, or `{shared}_`, the word that all columns of a
   * table begin with. Default none.
   */
  readonly columnPrefixes?: readonly string[] | undefined
  /** Patterns of staged names, by the kind of column. */
  readonly patterns?: NamePatterns | undefined
  /**
   * Replaces words: `{ cust: customer, amt: amount }`, or several in a row: `{ phone_no: phone }`. Applies to
   * entities too. Nothing else is expanded.
   */
  readonly glossary?: Readonly<Record<string, string>> | undefined
  /**
   * Replaces whole column names; case is ignored: `{ cust_no: customer_number }`. `*` matches any text, on
   * both sides; `{entity}` is the entity: `{ '*_dt': '*_date', name: '{entity}_name' }`. Overrides every
   * rule.
   */
  readonly renames?: Readonly<Record<string, string>> | undefined
  /**
   * Names that get the entity as a prefix although they are not reserved: `[type, status]`; `['*']` is all
   * names of one word. Default none.
   */
  readonly prefixWords?: readonly string[] | undefined
  /**
   * More words for splitting run-together names. A word with inner capitals stays one word: `iOS`, `oAuth`.
   */
  readonly words?: readonly string[] | undefined
  /** The file of the sources entry, from `{source}`: `_{source}__sources.yml`. */
  readonly sourcesFile?: string | undefined
  /** The folder of that file, from `{source}`: `models/staging/{source}`. */
  readonly sourcesFolder?: string | undefined
  /** Names and folders by type of model. */
  readonly types?: TypesNaming | undefined
  /** Deprecated: the earlier name of `types`, which takes precedence. */
  readonly kinds?: TypesNaming | undefined
}

/** Patterns of staged names, by what a column holds. */
export interface NamePatterns {
  /**
   * The table's own `id`, from `{entity}`: `{entity}_key`, `pk_{entity}`. Also applies to a key that is
   * stored as `{entity}_id`. Default `{entity}_id`.
   */
  readonly id?: string | undefined
  /** Names that end in `_id`; `{name}` is the name without it: `{name}_key`. Default `{name}_id`. */
  readonly reference?: string | undefined
  /**
   * `{name}` is the name without `is`, `flag` and the like: `is_{name}`, `{name}_flag`. Default: the rule
   * `booleans`.
   */
  readonly boolean?: string | undefined
  /**
   * `{name}` is the name without `at`, `time` and the like: `{name}_ts`. Names that `timestamps: keep` leaves
   * alone do not change. Default `{name}_at`.
   */
  readonly timestamp?: string | undefined
  /**
   * `{name}` is the name without `date`: `{name}_on`. Names that `dates: keep` leaves alone do not change.
   * Default `{name}_date`.
   */
  readonly date?: string | undefined
  /**
   * All columns except ids, references and those with their own pattern: `{entity}_{name}`. The entity is not
   * repeated if the name already begins or ends with it. Default `{name}`.
   */
  readonly default?: string | undefined
}

/** Names and places per type of model. */
export interface TypesNaming {
  /** For staging models. */
  readonly staging?: TypeNaming | undefined
  /** For base models. */
  readonly base?: TypeNaming | undefined
  /** For snapshots. */
  readonly snapshot?: TypeNaming | undefined
}

/** Names and places of one type of model. */
export interface TypeNaming {
  /**
   * Model name, from `{source}`, `{entity}` and `{table}`, the stored name of the table without its prefixes:
   * `stg_{source}__{entity}`.
   */
  readonly model?: string | undefined
  /** Folder of its files, from `{source}`, `{entity}` and `{table}`: `models/staging/{source}`. */
  readonly folder?: string | undefined
  /**
   * Models file of a folder, from `{source}`: `_{source}__models.yml`. With `yamlLayout: model`, from
   * `{model}` too: `{model}.yml`.
   */
  readonly yaml?: string | undefined
}

/** A table or view as a catalog describes it. docs/reference/columns-file.md documents it with examples. */
export interface Table {
  /** As stored. Default: that of the requested source name. */
  readonly database?: string | undefined
  /** As stored. Default: that of the requested source name. */
  readonly schema?: string | undefined
  /** As stored. Default: the last part of the requested source name. */
  readonly name?: string | undefined
  /** Default `table`. */
  readonly kind?: TableKind | undefined
  /** The comment on the table in the warehouse. */
  readonly comment?: string | undefined
  /** In the order of the table. */
  readonly columns: readonly Column[]
  /** The columns of the declared primary key, in its order. */
  readonly primaryKey?: readonly string[] | undefined
  /** The columns of each other declared unique key. */
  readonly uniqueKeys?: readonly (readonly string[])[] | undefined
  /** The declared references to other tables. */
  readonly foreignKeys?: readonly ForeignKey[] | undefined
  /**
   * How its rows are stored: names of columns, or expressions as the warehouse prints them. It does not
   * affect generated files.
   */
  readonly storage?: TableStorage | undefined
  /** Facts that hold for the rows. With them, names alone are not enough for tests of keys. */
  readonly observed?: Observation | undefined
  /** The expression that reads the rows if there is no relation in the warehouse: `read_parquet(...)`. */
  readonly location?: string | undefined
  /** The dbt model that builds this relation; it is then read with `ref()`. */
  readonly model?: string | undefined
  /** The SQL dialect of its types. Default: that of the catalog, otherwise that of the output. */
  readonly dialect?: DialectName | undefined
}

/** A column of a table. */
export interface Column {
  /** The stored name, in its exact case. */
  readonly name: string
  /** The warehouse's own spelling: `numeric(18,2)`, `TIMESTAMP_NTZ`. */
  readonly type: string
  /** False only if there is a NOT NULL constraint. Default true. */
  readonly nullable?: boolean | undefined
  /** The comment on the column in the warehouse. */
  readonly comment?: string | undefined
  /** The default expression, as the warehouse prints it. */
  readonly default?: string | undefined
  /** Every value that the column may have, from an enum type, a CHECK list or a document. */
  readonly values?: readonly ColumnValue[] | undefined
  /**
   * True if `select *` leaves it out, so it must be selected by name: MATERIALIZED, ALIAS, INVISIBLE, HIDDEN.
   * Default false.
   */
  readonly hidden?: boolean | undefined
}

/** A value of a closed list: from an enum type, a CHECK constraint, or a documented domain. */
export type ColumnValue = string | number | boolean

/** Columns whose values are those of a key elsewhere. */
export interface ForeignKey {
  /** The referring columns, in the order of the key they refer to. */
  readonly columns: readonly string[]
  /** A missing schema or database is that of the foreign key's own table. */
  readonly references: KeyReference
}

/** A key of another table. */
export interface KeyReference {
  /** A missing schema or database is that of the referring table. */
  readonly table: TableReference
  /** The columns of its key, in order. */
  readonly columns: readonly string[]
}

/** The order and the places in which a warehouse keeps the rows of a table. */
export interface TableStorage {
  /** The rows of each value are stored separately: `created_at`, `DATE(created_at)`. */
  readonly partitionedBy?: readonly string[] | undefined
  /** Rows with similar values are stored together: CLUSTER BY, CLUSTERED BY, a clustered index. */
  readonly clusteredBy?: readonly string[] | undefined
  /** The order of the rows: ORDER BY of ClickHouse, SORTKEY of Redshift. */
  readonly sortedBy?: readonly string[] | undefined
  /** Rows with the same value are on the same node: DISTKEY of Redshift. */
  readonly distributedBy?: readonly string[] | undefined
}

/** The table that a foreign key points to. */
export interface TableReference {
  /** As stored. Default: that of the referring table. */
  readonly database?: string | undefined
  /** As stored. Default: that of the referring table. */
  readonly schema?: string | undefined
  /** As stored. */
  readonly name: string
}

/** Undeclared facts that the rows of a table confirm. */
export interface Observation {
  /** The number of rows that were read. */
  readonly rows: number
  /** True if only some of the rows were read; tests then only warn. Default false. */
  readonly sampled?: boolean | undefined
  /** Columns whose values differ in all rows, and which are named like a key. Absent if none were found. */
  readonly key?: ObservedKey | undefined
  /** Columns in which every value is a key of another table. */
  readonly references?: readonly ObservedReference[] | undefined
  /** Columns with a few repeated values, in the order of the table. */
  readonly values?: readonly ObservedValues[] | undefined
  /** Columns without nulls that are expected to stay so, except those of the key. */
  readonly notNull?: readonly string[] | undefined
  /** Columns whose numbers stay within the bounds of their meaning. */
  readonly ranges?: readonly ObservedRange[] | undefined
  /** Columns whose texts are JSON, e-mail addresses or URLs. */
  readonly forms?: readonly ObservedForm[] | undefined
  /** The day on which the rows were read, in UTC. */
  readonly on?: string | undefined
}

/** A key that the rows confirm. */
export interface ObservedKey {
  /** In the order of the table. */
  readonly columns: readonly string[]
  /** The share of findings like this one that were true on databases with known keys. */
  readonly confidence: number
  /** The number of rows that it distinguishes, if that is not the number of rows of the table. */
  readonly rows?: number | undefined
}

/** A reference that the rows confirm. */
export interface ObservedReference {
  /** The referring columns, in the order of the key they refer to. */
  readonly columns: readonly string[]
  /** The table and the key that they refer to. */
  readonly references: KeyReference
  /** The number of distinct values, each with a parent. */
  readonly values: number
  /** The share of findings like this one that were true on databases with known keys. */
  readonly confidence: number
}

/** A list of values that the rows confirm. */
export interface ObservedValues {
  /** As stored. */
  readonly column: string
  /** Every value of the column, in order. */
  readonly values: readonly ColumnValue[]
  /** The share of findings like this one that were true on databases with known keys. */
  readonly confidence: number
}

/** The form of the texts of a column. */
export interface ObservedForm {
  /** As stored. */
  readonly column: string
  /** The form that nearly all of its texts have. */
  readonly form: 'json' | 'email' | 'url'
}

/** Bounds that the rows confirm. */
export interface ObservedRange {
  /** As stored. */
  readonly column: string
  /** The smallest expected value. */
  readonly min?: number | undefined
  /** The largest expected value. */
  readonly max?: number | undefined
  /** The share of findings like this one that were true on databases with known keys. */
  readonly confidence: number
}

/** Aggregates over the rows of a table. Values are kept only of columns that may be a closed list. */
export interface TableProfile {
  /** Rows that were read. */
  readonly rows: number
  /** True if only some of the rows were read. Default false. */
  readonly sampled?: boolean | undefined
  /** By stored name. */
  readonly columns: Readonly<Record<string, ColumnProfile>>
}

/** A value of a column, with its rows. */
export interface ProfiledValue {
  /** A value of the column. */
  readonly value: ColumnValue
  /** Rows that have it. */
  readonly rows: number
  /** True for each half of the table, first and second, that contains it. */
  readonly halves?: readonly [boolean, boolean] | undefined
}

/** The reasons for all that was decided about a model. */
export interface Explanation {
  /** The type of the model. */
  readonly type: ModelType
  /** The dotted name of the source table: `raw.stripe.payments`. */
  readonly source: string
  /** The name of the model. */
  readonly model: string
  /** Decisions about the model as a whole: names, key, rows, description. */
  readonly decisions: readonly Decision[]
  /** The columns in the order of the model; excluded ones come last. */
  readonly columns: readonly ColumnExplanation[]
  /** The warnings of its generation. */
  readonly warnings: readonly NotedWarning[]
}

/** A decision, its reasons, and what changes it. */
export interface Decision {
  /** The subject of the decision. */
  readonly about: DecisionSubject
  /** The outcome: a name, an expression, a test. Absent if there is none. */
  readonly value?: string | undefined
  /** The reasons, in the order in which the rules were applied. */
  readonly reasons: readonly Reason[]
  /** Keys of `stagecraft.yml` that change it, the most specific first. Empty if there are none. */
  readonly keys: readonly string[]
}

/** A rule that had a part in a decision. */
export interface Reason {
  /** The rule: `name.ids`. */
  readonly rule: string
  /**
   * The evidence that the rule rests on; `convention` is a default of the preset, `learned` is the practice
   * of the models in the project.
   */
  readonly evidence: EvidenceKind
  /** The reason in words. */
  readonly text: string
}

/** A warning, as an explanation repeats it. */
export interface NotedWarning {
  /** Its code: `PARENT_NOT_STAGED`. */
  readonly code: string
  /** The reason, for people. */
  readonly message: string
  /** The column that it is about, as stored. */
  readonly column?: string | undefined
}

/** The reasons for one column. */
export interface ColumnExplanation {
  /** The stored name. Absent for a column that the model computes. */
  readonly column?: string | undefined
  /** The type, as the warehouse spells it. */
  readonly type?: string | undefined
  /** The staged name. Absent for a column that the model leaves out. */
  readonly name?: string | undefined
  /** Decisions about name, value, group, description and tests. */
  readonly decisions: readonly Decision[]
}

/** Rows whose text has a form, by form. */
export interface PatternCounts {
  /** Texts like `a@b.c`. */
  readonly email?: number | undefined
  /** Texts that begin with `http:` or `https:`. */
  readonly url?: number | undefined
  /** Texts in braces, or lists of them. */
  readonly json?: number | undefined
  /** Texts like `2026-01-31`. */
  readonly date?: number | undefined
  /** Texts like `31/01/2026`, `1.31.2026` and `3-4-2026`. */
  readonly parted?: number | undefined
  /** Texts of eight digits that may be a day: `20260131`. */
  readonly digits?: number | undefined
  /** Texts like `2026-01-31 12:00` and `2026-01-31T12:00`, with up to 24 characters after it. */
  readonly timestamp?: number | undefined
}

/** Rows that hold an existing day, by how it is read. */
export interface DateCounts {
  /** As `date`: year, month, day. */
  readonly date?: number | undefined
  /** As `date_day_first`. */
  readonly date_day_first?: number | undefined
  /** As `date_month_first`. */
  readonly date_month_first?: number | undefined
  /** As `date_yyyymmdd`. */
  readonly date_yyyymmdd?: number | undefined
}

/** Aggregates over the values of a column. */
export interface ColumnProfile {
  /** Rows without a value. */
  readonly nulls: number
  /**
   * The number of distinct values without null; absent for documents and other types that cannot be compared.
   */
  readonly distinct?: number | undefined
  /** `distinct` is an estimate. Default false. */
  readonly approximate?: boolean | undefined
  /** The smallest number or earliest time. Never for text. */
  readonly min?: number | string | undefined
  /** The largest number or latest time. Never for text. */
  readonly max?: number | string | undefined
  /** Characters of the shortest text. */
  readonly minLength?: number | undefined
  /** Characters of the longest text. */
  readonly maxLength?: number | undefined
  /** For text: rows whose whole value has a form. Forms without rows may be left out. */
  readonly patterns?: PatternCounts | undefined
  /** For columns that look like dates: rows with an existing date, by the conversion that reads it. */
  readonly dates?: DateCounts | undefined
  /**
   * All values with their numbers of rows, for columns that may have a closed list. Never for personal data.
   */
  readonly values?: readonly ProfiledValue[] | undefined
}
