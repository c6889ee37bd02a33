import type { EventKind, JobState, DeliveryState, DeliveryTrigger, WebhookState } from '@stagecraft/spec/api'
import type { DialectName, ErrorCode, ModelKind, TableKind } from '@stagecraft/spec'

/**
 * The tables of the store, the same on both engines: ids and JSON are text, times are milliseconds since 1970 by the
 * clock of the database, and truth is 1 or 0.
 */
export interface Database {
  readonly settings: SettingRow
  readonly projects: ProjectRow
  readonly api_keys: KeyRow
  readonly connections: ConnectionRow
  readonly scans: ScanRow
  readonly source_tables: SourceTableRow
  readonly units: UnitRow
  readonly generations: GenerationRow
  readonly generation_files: GenerationFileRow
  readonly pushes: PushRow
  readonly push_items: PushItemRow
  readonly push_paths: PushPathRow
  readonly pushed_files: PushedFileRow
  readonly events: EventRow
  readonly webhooks: WebhookRow
  readonly deliveries: DeliveryRow
  readonly attempts: AttemptRow
  readonly idempotency_keys: IdempotencyRow
  readonly rate_limits: RateLimitRow
}

type Truth = 0 | 1

interface SettingRow {
  name: string
  value: string
}

interface RecordColumns {
  id: string
  project_id: string
  /** Counts changes, from 1. */
  version: number
  created_at: number
  updated_at: number
}

export interface ProjectRow extends Omit<RecordColumns, 'project_id'> {
  name: string
  dialect: string | null
  dbt_version: string | null
  config: string
  connection_id: string | null
  /** JSON of remote, branch and author. */
  git: string | null
  /** Encrypted JSON of user name, token, private key and known hosts. */
  git_secret: string | null
}

export interface KeyRow {
  id: string
  project_id: string
  name: string
  /** SHA-256 of the key in hexadecimal digits. */
  hash: string
  hint: string
  scopes: string
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
}

export interface ConnectionRow extends RecordColumns {
  name: string
  kind: string
  target: string
  /** Encrypted: the catalog as it was given. */
  catalog: string
  /** JSON of the last test. */
  last_test: string | null
}

/** The columns that make a row a job: work that one process at a time holds by a lease. */
export interface JobColumns {
  id: string
  project_id: string
  state: JobState
  /** The earliest start. */
  due_at: number
  /** The number of starts so far. */
  attempts: number
  /** The token of the claim that holds it, so that a late holder changes nothing. */
  lease_owner: string | null
  lease_until: number | null
  /** JSON of code, message and details. */
  error: string | null
  /** 1 when it is to stop; the holder sees it. */
  cancel: Truth
  created_at: number
  started_at: number | null
  finished_at: number | null
}

export interface ScanRow extends JobColumns {
  connection_id: string
  /** JSON of done and total. */
  progress: string | null
  tables: number | null
  columns: number | null
  changes: string | null
  /** Of the catalog that was read; null for one that is only a list of columns. */
  dialect: DialectName | null
  /** `Catalog.statesDatabase`. */
  states_database: Truth | null
}

export interface SourceTableRow {
  project_id: string
  connection_id: string
  /** Dotted, with quotes where they are needed. */
  name: string
  /** The text that is searched: the two engines fold letters beyond ASCII differently. */
  lower_name: string
  database_name: string | null
  schema_name: string | null
  table_name: string
  kind: TableKind
  comment: string | null
  columns: number
  /** JSON of the table as the catalog described it. */
  definition: string
  /** Of the definition, so that a scan finds what changed without reading all definitions. */
  fingerprint: string
  /** The scan that saw it last. */
  scan_id: string
  scanned_at: number
}

export interface UnitRow extends RecordColumns {
  name: string
  type: ModelKind
  source: string
  options: string
  connection_id: string | null
  last_generation_id: string | null
}

export interface GenerationRow extends JobColumns {
  kind: 'unit' | 'project'
  unit_id: string | null
  batch_id: string | null
  /** JSON list, of a generation of many. */
  unit_ids: string | null
  columns: 'live' | 'scan'
  /** 1 when a request waits for it: then it is not begun again after its process ended. */
  is_request: Truth
  /** 1 when `generation.started` was written. */
  announced: Truth
  /** The SQL it was written in. */
  dialect: string | null
  /** JSON of what it was generated from, by which it is printed again beside others. */
  item: string | null
  tests: string | null
  warnings: string | null
  tokens_used: number
  duration_ms: number | null
}

interface GenerationFileRow {
  generation_id: string
  path: string
  content: string
  lines: number
}

export interface PushRow extends JobColumns {
  branch: string
  message: string
  unit_ids: string | null
  overwrite: Truth
  /** JSON of the Git settings of the project when it was asked for; null for one that an older version took. */
  git: string | null
  /** JSON of the project's settings then: what its files are printed by. */
  settings: string | null
  /** JSON list of the commits that were about to be sent, from which one that arrived is known again. */
  sent: string | null
  outcome: 'pushed' | 'unchanged' | null
  commit_id: string | null
  files: string | null
  /** JSON lists of what became of files whose unit is gone. */
  removed: string | null
  kept: string | null
  /** JSON of what was left out, because other files of the branch define it. */
  skipped: string | null
}

/** A unit that an unfinished push sends, as it was last generated when the push was created. */
interface PushItemRow {
  push_id: string
  unit_id: string
  generation_id: string
  /** 1 when the push was asked for this unit; the others share files with it. */
  asked: Truth
  item: string
  dialect: string
  generated_at: number
}

/** The files of that generation. */
interface PushPathRow {
  push_id: string
  unit_id: string
  path: string
}

/**
 * The content last pushed to a branch, to detect changes by others. During a push also the content about to
 * be sent, because a process may die before it can record the push.
 */
interface PushedFileRow {
  project_id: string
  remote: string
  branch: string
  path: string
  sha256: string
}

export interface EventRow {
  id: string
  project_id: string
  event: EventKind
  created_at: number
  /** The bytes that are signed and sent. */
  payload: string
  /** 1 when it was made up to try one webhook; nothing but the delivery of that test knows it. */
  is_test: Truth
}

export interface WebhookRow extends RecordColumns {
  url: string
  events: string
  description: string | null
  /** Encrypted. */
  secret: string
  previous_secret: string | null
  previous_secret_expires_at: number | null
  /** Encrypted JSON. */
  headers: string | null
  header_names: string
  state: WebhookState
  notice: string | null
  consecutive_failures: number
  failing_since: number | null
  last_success_at: number | null
  /** Until then the breaker is open. */
  breaker_until: number | null
  /** The number of times it opened without a success in between. */
  breaker_opens: number
  /** The most deliveries under way at once; grows again after the breaker closed. */
  window_size: number
}

export interface DeliveryRow {
  id: string
  project_id: string
  webhook_id: string
  event_id: string
  event: EventKind
  state: DeliveryState
  trigger: DeliveryTrigger
  attempts: number
  next_at: number
  lease_owner: string | null
  lease_until: number | null
  last_status: number | null
  last_failure: string | null
  created_at: number
  finished_at: number | null
}

export interface AttemptRow {
  delivery_id: string
  number: number
  started_at: number
  finished_at: number | null
  outcome: 'unknown' | 'delivered' | 'failed' | 'gone'
  status: number | null
  failure: string | null
  duration_ms: number | null
  excerpt: string | null
}

export interface IdempotencyRow {
  holder_id: string
  route: string
  key: string
  body_hash: string
  /** Of the request that works on it; null when it is done. */
  token: string | null
  locked_until: number | null
  /** JSON of status, headers and body. */
  answer: string | null
  created_at: number
}

interface RateLimitRow {
  holder_id: string
  /** The time at which the quota is whole again; a fraction of a millisecond counts. */
  whole_at: number
}

/** The content of the column `error` of a job. */
export interface JobError {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}
