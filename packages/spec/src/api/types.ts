// Made from the schemas of this package by test/types/print-types.ts: change those and run
// `UPDATE_GOLDEN=1 npm test -- test/types`. The types are written out because the declarations of inferred
// types lose their comments, which editors show.

import type { ErrorCode } from '../errors.ts'
import type { WarningCode } from '../generation.ts'
import type { DialectName, ModelType, PresetName, TableKind } from '../names.ts'
import type {
  Freshness,
  GenerationOptions,
  LintConfig,
  Naming,
  Observation,
  SourceConfig,
  TableReference,
} from '../types.ts'
import type { JobState } from './fields.ts'
import type { Scope } from './operation.ts'
import type { SuggestionKind } from './scans.ts'

/** The request of `POST /generate` of a service with a store. */
export interface StoredGenerationRequest {
  /** The type of model to write. */
  type: ModelType
  /** The dotted name of the source table: `raw.stripe.payments`. */
  source: string
  /** Options of this request. They override configuration and preset. */
  options?: StoredGenerationOptions | undefined
}

/** The options of a generation, and the place where its columns come from. */
export interface StoredGenerationOptions {
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
  /** Columns from the warehouse now (default), or from its newest scan. */
  readonly columns?: 'live' | 'scan' | undefined
}

/** The target of pushes. */
export interface GitSettings {
  /**
   * `https://…`, `ssh://…`, `git@host:path`, or a path on the machine of the service; without a password.
   */
  remote: string
  /** The branch that new branches start from. Default: the default branch of the repository. */
  branch?: string | undefined
  /**
   * The folder of the dbt project in the repository: `warehouse`, or `.` for its root. Default: the one with
   * the generated files, otherwise the only one.
   */
  path?: string | undefined
  /** The author of the commits. Default `Stagecraft`. */
  authorName?: string | undefined
  /** The e-mail address of the author. Default `stagecraft@localhost`. */
  authorEmail?: string | undefined
  /** True if a token or a key is stored. */
  hasCredentials: boolean
}

/** The target of pushes, with the credentials to store. */
export interface GitInput {
  /**
   * `https://…`, `ssh://…`, `git@host:path`, or a path on the machine of the service; without a password.
   */
  remote: string
  /** The branch that new branches start from. Default: the default branch of the repository. */
  branch?: string | undefined
  /**
   * The folder of the dbt project in the repository: `warehouse`, or `.` for its root. Default: the one with
   * the generated files, otherwise the only one.
   */
  path?: string | undefined
  /** The author of the commits. Default `Stagecraft`. */
  authorName?: string | undefined
  /** The e-mail address of the author. Default `stagecraft@localhost`. */
  authorEmail?: string | undefined
  /** For https. Default `x-access-token`. */
  username?: string | undefined
  /** For https. Stored encrypted, never returned. */
  token?: string | undefined
  /** For ssh. Stored encrypted, never returned. */
  privateKey?: string | undefined
  /** For ssh: lines of a known_hosts file. */
  knownHosts?: string | undefined
}

/** The result of the last test of a connection. */
export interface ConnectionOutcome {
  /** ISO 8601 in UTC. */
  at: string
  /** True if it could be opened. */
  ok: boolean
  /** The reason why it could not be opened. */
  reason?: string | undefined
}

/** The progress of a scan, in tables. */
export interface ScanProgress {
  /** Tables stored so far or, before storing starts, tables profiled so far. */
  done: number
  /** Tables that were read. */
  total: number
  /**
   * The number of bytes that the first statements of the profile read, without the tables that `maxBytes`
   * leaves out. Present before any row is read, if the warehouse has dry runs (BigQuery).
   */
  bytesToRead?: number | undefined
}

/** The request that asked for a generation. */
export interface AskedBy {
  /** The id of the request, as in the audit log. */
  requestId: string
  /** The id of the operation: `createGeneration`, `createUnits`; `generate` for `POST /generate`. */
  operation: string
  /** `session`: a sign-in of the dashboard with the key. */
  via: 'key' | 'session'
  /** The key of the request. */
  keyId: string
  /** The current name of the key. */
  keyName?: string | undefined
}

/** A generated file. */
export interface FileRecord {
  /** The path in the dbt project. */
  path: string
  /** The number of its lines. */
  lines: number
}

/** The progress of a batch, in units. */
export interface BatchProgress {
  /** The units of the batch. */
  total: number
  /** Units that were generated. */
  completed: number
  /** Units that failed. */
  failed: number
  /** Units that were cancelled. */
  cancelled: number
}

/** A project: settings, units and keys of a team. */
export interface ProjectResource {
  /** The id of a project. */
  id: string
  /** The name of the project. */
  name: string
  /** The SQL dialect to write. Default: that of the connection. */
  dialect?: DialectName | undefined
  /** The dbt version to write YAML for. Default: the newest. */
  dbtVersion?: string | undefined
  /** Naming, options and overrides, as in a `stagecraft.yml`. */
  config: ProjectConfig
  /** The connection that is used if a request does not name one. */
  connectionId?: string | undefined
  /** The target of pushes. */
  git?: GitSettings | undefined
  /** The number of generations to keep for each unit, at least 50, which pushes need. Default 100. */
  keepGenerations?: number | undefined
  /** Counts changes; part of the `ETag` of the resource. */
  version: number
  /** ISO 8601 in UTC. */
  createdAt: string
  /** ISO 8601 in UTC. */
  updatedAt: string
}

/** The part of a `stagecraft.yml` that a project can have. */
export interface ProjectConfig {
  /** The set of defaults to start from. Default `dbt-labs`. */
  preset?: PresetName | undefined
  /** The database of dbt runs; it is left out of sources files. */
  defaultDatabase?: string | undefined
  /** The schema of tables that are named without one. */
  defaultSchema?: string | undefined
  /** The rules of `stagecraft lint`. */
  lint?: LintConfig | undefined
  /** The dbt packages of the project: `[dbt_utils]`. Default: read from packages.yml. */
  packages?: readonly string[] | undefined
  /** Options of all requests. They override those of the preset. */
  options?: GenerationOptions | undefined
  /** Naming rules. They override those of the preset. */
  naming?: Naming | undefined
  /** Overrides by stored name of the schema: `stripe`, or `raw.stripe` if two databases have it. */
  sources?: Readonly<Record<string, SourceConfig>> | undefined
}

/** A key of a project, without its secret. */
export interface KeyResource {
  /** The id of a key. */
  id: string
  /** The name of the key. */
  name: string
  /** The beginning and end of the key: `sk_live_UJZR…3le5`. */
  hint: string
  /** The operations that the key may call. */
  scopes: Scope[]
  /** ISO 8601 in UTC. */
  createdAt: string
  /** ISO 8601 in UTC. */
  expiresAt?: string | undefined
  /** The time of the last use, to the minute. */
  lastUsedAt?: string | undefined
  /** ISO 8601 in UTC. */
  revokedAt?: string | undefined
}

/** A key that was just created. */
export interface KeySecret {
  /** The id of a key. */
  id: string
  /** The name of the key. */
  name: string
  /** The beginning and end of the key: `sk_live_UJZR…3le5`. */
  hint: string
  /** The operations that the key may call. */
  scopes: Scope[]
  /** ISO 8601 in UTC. */
  createdAt: string
  /** ISO 8601 in UTC. */
  expiresAt?: string | undefined
  /** The time of the last use, to the minute. */
  lastUsedAt?: string | undefined
  /** ISO 8601 in UTC. */
  revokedAt?: string | undefined
  /** The key itself, shown only once. */
  secret: string
}

/** A change that a key made. */
export interface AuditEntry {
  /** The id of an entry of the audit log. */
  id: string
  /** ISO 8601 in UTC. */
  at: string
  /** The key; absent for a command on the machine of the service. */
  keyId?: string | undefined
  /** The name of the key at that time. */
  keyName?: string | undefined
  /**
   * `session`: a sign-in of the dashboard with the key. `command`: a command on the machine of the service.
   */
  via: 'key' | 'session' | 'command'
  /**
   * The id of the operation: `createUnit`; `generate` for `POST /generate`, `keepProposal` for a proposal
   * over MCP.
   */
  operation: string
  /** The resource that was changed or created. */
  resourceId?: string | undefined
  /** `refused`: it failed, with `code`. */
  outcome: 'done' | 'refused'
  /** The kind of failure. */
  code?: ErrorCode | undefined
  /** The id of the request, as in the log of the service. */
  requestId?: string | undefined
}

/** The key that a call is made with. */
export interface SessionResource {
  /** The id of the session; absent for a call with a key. */
  id?: string | undefined
  /** The project of the key. */
  projectId: string
  /** The key of the session. */
  keyId: string
  /** The name of that key. */
  keyName: string
  /** The operations that the key may call. */
  scopes: Scope[]
  /** The time at which the key expires, and the session with it. */
  keyExpiresAt?: string | undefined
  /** The time of the sign-in. */
  createdAt?: string | undefined
  /** The time at which the session ends, even if it is in use. */
  expiresAt?: string | undefined
  /** The time at which the session ends if it is not used before. */
  idleExpiresAt?: string | undefined
}

/** A connection to a catalog. */
export interface ConnectionResource {
  /** The id of a connection. */
  id: string
  /** The name of the connection. */
  name: string
  /** `postgres`, `duckdb`, `dbt`. */
  kind: string
  /** The target, without user, password and options. */
  target: string
  /** True for the connection that is used if a request does not name one. */
  isDefault: boolean
  /** The result of the last test. */
  lastTest?: ConnectionOutcome | undefined
  /** Counts changes; part of the `ETag` of the resource. */
  version: number
  /** ISO 8601 in UTC. */
  createdAt: string
  /** ISO 8601 in UTC. */
  updatedAt: string
}

/** The outcome of a test of a connection. */
export interface ConnectionTest {
  /** Always true: a connection that cannot be opened is a failure. */
  ok: true
  /** The dialect of the warehouse, if its catalog states it. */
  dialect?: string | undefined
  /** The number of tables and views. */
  tables: number
  /** The duration of the test in milliseconds. */
  durationMs: number
}

/** A catalog that is read into the store. */
export interface ScanResource {
  /** The id of a scan. */
  id: string
  /** The id of a connection. */
  connectionId: string
  /** True if it reads rows as well. */
  profile: boolean
  /** The rows of tables with more rows are not read. Absent: no limit. */
  maxRows?: number | undefined
  /** The rows of tables that take more bytes are not read. Absent: no limit. */
  maxBytes?: number | undefined
  /** `queued` and `running` jobs change automatically; all other states are final. */
  state: JobState
  /** Present if it failed. */
  error?: JobFailure | undefined
  /** ISO 8601 in UTC. */
  createdAt: string
  /** ISO 8601 in UTC. */
  startedAt?: string | undefined
  /** ISO 8601 in UTC. */
  finishedAt?: string | undefined
  /** The progress in tables; present once the catalog has been read. */
  progress?: ScanProgress | undefined
  /** The number of tables and views. */
  tables?: number | undefined
  /** The number of columns of all tables. */
  columns?: number | undefined
  /** Changes since the previous scan; present once it is completed. */
  changes?: ScanChanges | undefined
  /** One for each table whose rows were not read. Absent if there are none. */
  warnings?: GenerationWarning[] | undefined
}

/** The difference between two scans. */
export interface ScanChanges {
  /** Dotted names of new tables. */
  tablesAdded: string[]
  /** Dotted names of removed tables. */
  tablesRemoved: string[]
  /** Columns added to tables that existed before. */
  columnsAdded: {
    /** The dotted name of the table. */
    table: string
    /** The name of the column. */
    column: string
    /** Its type. */
    type: string
  }[]
  /** Columns removed from tables that still exist. */
  columnsRemoved: {
    /** The dotted name of the table. */
    table: string
    /** The name of the column. */
    column: string
    /** Its type. */
    type: string
  }[]
  /** Columns whose type has changed. */
  columnsRetyped: {
    /** The dotted name of the table. */
    table: string
    /** The name of the column. */
    column: string
    /** The type in the previous scan. */
    from: string
    /** The type in this scan. */
    to: string
  }[]
}

/** A table that scans found. */
export interface SourceResource {
  /** The dotted name: `raw.stripe.payments`. */
  name: string
  /** The id of a connection. */
  connectionId: string
  /** The kind of table. */
  kind: TableKind
  /** The comment on the table. */
  comment?: string | undefined
  /** The number of columns. */
  columns: number
  /** The last scan that found it. */
  scanId: string
  /** ISO 8601 in UTC. */
  scannedAt: string
  /** The time when a scan last read its rows, in UTC. Absent if no scan has. */
  profiledAt?: string | undefined
  /** Facts that hold for its rows. Generated tests and descriptions use them. */
  observed?: Observation | undefined
}

/** A proposal for the configuration, with its evidence. */
export interface SuggestionRecord {
  /** The id, the same in every scan: `shop.orders.status:values`. */
  id: string
  /** The setting, or the kind of note. */
  kind: SuggestionKind
  /** The table that it is about. */
  table: TableReference
  /** The columns that it is about, as stored. */
  columns: string[]
  /** The proposal: `customers.id`, `open, closed`. */
  text: string
  /** The rule and its evidence. */
  why: string
  /** The origin of the evidence: `data` are the rows, `join` is the SQL of the project. */
  origin: 'declared' | 'comment' | 'data' | 'join' | 'name'
  /** The share of suggestions like this one that were right on databases with known keys. */
  confidence: number
  /** The setting that applies the suggestion; null for notes. */
  setting: {
    /** Its path of keys in the configuration of the project. */
    path: string[]
    /** Its value. */
    value: unknown
  } | null
}

/** A named model to generate. */
export interface UnitResource {
  /** The id of a unit. */
  id: string
  /** The name of the unit. Default: the name of its model, derived from the source name. */
  name: string
  /** The type of model to write. */
  type: ModelType
  /** The dotted name of the source table. */
  source: string
  /** The options of its generations. They override those of the project. */
  options: GenerationOptions
  /** The connection of its source. Default: the connection of the project. */
  connectionId?: string | undefined
  /** `generated` and `failed` describe the newest generation that has ended; a `new` unit has none. */
  state: 'new' | 'generating' | 'generated' | 'failed'
  /** The newest completed generation. */
  lastGenerationId?: string | undefined
  /** The end of that generation. */
  generatedAt?: string | undefined
  /** The kinds of data tests that it wrote. */
  tests?: string[] | undefined
  /** The number of columns of its table at that time. */
  columns?: number | undefined
  /**
   * The changes since then; absent if there are none. `source`: a scan found other columns, or no longer
   * found the table. `files`: the newest push that planned the unit found that a person had edited its model.
   */
  changed?: ('source' | 'files')[] | undefined
  /** Counts changes; part of the `ETag` of the resource. */
  version: number
  /** ISO 8601 in UTC. */
  createdAt: string
  /** ISO 8601 in UTC. */
  updatedAt: string
}

/** One run of the engine for a unit, or a batch of several. */
export interface GenerationRecord {
  /** The id of a generation. */
  id: string
  /** A generation of one unit, or a batch (`project`). */
  kind: 'unit' | 'project'
  /** The unit, unless this is a batch. */
  unitId?: string | undefined
  /** The current name of the unit. */
  unitName?: string | undefined
  /** The batch that this generation is part of. */
  batchId?: string | undefined
  /** The request for this generation, or for its batch. Absent for generations of earlier versions. */
  askedBy?: AskedBy | undefined
  /** `queued` and `running` jobs change automatically; all other states are final. */
  state: JobState
  /** Present if it failed. */
  error?: JobFailure | undefined
  /** ISO 8601 in UTC. */
  createdAt: string
  /** ISO 8601 in UTC. */
  startedAt?: string | undefined
  /** ISO 8601 in UTC. */
  finishedAt?: string | undefined
  /** The files of a completed generation, unless this is a batch. */
  files?: FileRecord[] | undefined
  /** The data tests that were written. */
  tests?: string[] | undefined
  /** Points that need attention. */
  warnings?: GenerationWarning[] | undefined
  /** The tokens of the language model; 0 without one. */
  tokensUsed: number
  /** The duration in milliseconds. */
  durationMs?: number | undefined
  /** The progress of a batch. */
  units?: BatchProgress | undefined
}

/** One side of a comparison. */
export interface ComparedGeneration {
  /** The id of a generation. */
  id: string
  /** The id of a unit. */
  unitId?: string | undefined
  /** ISO 8601 in UTC. */
  finishedAt?: string | undefined
}

/** A filter of units. */
export interface UnitFilter {
  /** Only units of this type. */
  type?: ModelType | undefined
  /** The unit of exactly this source. */
  source?: string | undefined
  /** Only units in this state. */
  state?: 'new' | 'generating' | 'generated' | 'failed' | undefined
  /** Only units that name this connection. */
  connectionId?: string | undefined
  /** Only units whose source table or files have changed since they were generated. */
  changed?: 'source' | 'files' | undefined
  /** Only items with this text in their name or source; case is ignored. */
  search?: string | undefined
}

/** A point that needs attention. It never means that the output is wrong. */
export interface GenerationWarning {
  /** The kind of warning, for programs. */
  code: WarningCode
  /** The reason, for people. */
  message: string
  /** The column that it is about. */
  column?: string | undefined
}

/** The reason why a job failed. */
export interface JobFailure {
  /** The kind of failure, for programs. */
  code: ErrorCode
  /** The reason, for people. */
  message: string
  /** Further data, by the code. */
  details?: Record<string, unknown> | undefined
}

/** The answer to a deletion. */
export interface DeletedResource {
  /** The id of the deleted resource. */
  id: string
  /** Always true. */
  deleted: true
}
