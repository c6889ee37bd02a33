import type {
  DeliveryState,
  DeliveryTrigger,
  EventKind,
  FindingSeverity,
  FindingState,
  WebhookState,
} from '@stagecraft/spec/api'
import type { DialectName, ErrorCode, ModelType } from '@stagecraft/spec'
import type {
  AuditRow,
  ChangeRow,
  IdempotencyRow,
  RateLimitRow,
  SessionRow,
  SettingRow,
  SignInCodeRow,
} from './own-rows.ts'
import type {
  AssistantSettingsRow,
  AssistantUsageRow,
  ConversationRow,
  MessageEventRow,
  MessageRow,
  ProposalRow,
} from './talk-rows.ts'
import type { JobColumns } from './job-columns.ts'
import type { SourceProfileRow, SourceTableRow } from './source-rows.ts'

/**
 * The tables of the store, the same on both engines: ids and JSON are text, times are milliseconds since 1970 by the
 * clock of the database, and truth is 1 or 0.
 */
export interface Database {
  readonly settings: SettingRow
  readonly projects: ProjectRow
  readonly api_keys: KeyRow
  readonly sessions: SessionRow
  readonly sign_in_codes: SignInCodeRow
  readonly connections: ConnectionRow
  readonly scans: ScanRow
  readonly source_tables: SourceTableRow
  readonly source_profiles: SourceProfileRow
  readonly units: UnitRow
  readonly generations: GenerationRow
  readonly generated_files: GeneratedFileRow
  readonly file_texts: FileTextRow
  readonly pushes: PushRow
  readonly push_items: PushItemRow
  readonly push_paths: PushPathRow
  readonly pushed_files: PushedFileRow
  readonly analyses: AnalysisRow
  readonly findings: FindingRow
  readonly changes: ChangeRow
  readonly audit_log: AuditRow
  readonly assistant_settings: AssistantSettingsRow
  readonly assistant_usage: AssistantUsageRow
  readonly conversations: ConversationRow
  readonly messages: MessageRow
  readonly message_events: MessageEventRow
  readonly proposals: ProposalRow
  readonly events: EventRow
  readonly webhooks: WebhookRow
  readonly deliveries: DeliveryRow
  readonly attempts: AttemptRow
  readonly idempotency_keys: IdempotencyRow
  readonly rate_limits: RateLimitRow
}

type Truth = 0 | 1

interface RecordColumns {
  id: string
  project_id: string
  /** The number of changes, from 1. */
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
  /** The number of generations to keep of each unit; null for the default of the service. */
  keep_generations: number | null
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

export interface ScanRow extends JobColumns {
  connection_id: string
  /** 1 if it reads rows as well. */
  profile: Truth
  /** Tables with more rows are not read; null for no limit. */
  max_rows: number | null
  /** Tables that take more bytes are not read; null for no limit. */
  max_bytes: number | null
  /** JSON list of tables whose rows could not be read. */
  warnings: string | null
  /** JSON of done, total and the bytes to read. */
  progress: string | null
  tables: number | null
  columns: number | null
  changes: string | null
  /** Of the catalog that was read; null for one that is only a list of columns. */
  dialect: DialectName | null
  /** `Catalog.statesDatabase`. */
  states_database: Truth | null
}

export interface UnitRow extends RecordColumns {
  name: string
  type: ModelType
  source: string
  options: string
  connection_id: string | null
  last_generation_id: string | null
  /** The newest scan that found another table than the one of its newest generation; null if it is the same. */
  source_changed_at: number | null
  /** The newest push that planned it and found its model edited by a person; null if it was not edited. */
  edited_at: number | null
}

export interface GenerationRow extends JobColumns {
  kind: 'unit' | 'project'
  unit_id: string | null
  batch_id: string | null
  /** JSON list of the units of a batch. */
  unit_ids: string | null
  columns: 'live' | 'scan'
  /** 1 if a request waits for it. It is then not restarted after its process died. */
  is_request: Truth
  /** 1 once `generation.started` was published. */
  start_published: Truth
  /** The SQL dialect of the code. */
  dialect: string | null
  /** JSON of its input, by which it is printed again together with others. */
  item: string | null
  tests: string | null
  /** The number of columns of its table. */
  column_count: number | null
  /** JSON of the request that asked for it; null for a member of a batch, because the batch has it. */
  asked_by: string | null
  warnings: string | null
  tokens_used: number
  duration_ms: number | null
}

interface GeneratedFileRow {
  generation_id: string
  path: string
  /** Identifies its text, together with `project_id`. */
  project_id: string
  hash: string
  lines: number
}

/** A text of generated files of a project, stored once however many files have it. */
interface FileTextRow {
  project_id: string
  /** SHA-256 in hexadecimal digits; `own …` for a text that an earlier version stored beside this one. */
  hash: string
  content: string
  /** The approximate time of its last use. */
  used_at: number
}

export interface PushRow extends JobColumns {
  branch: string
  message: string
  unit_ids: string | null
  overwrite: Truth
  /** 1 for a dry run. */
  dry_run: Truth
  /**
   * JSON of the Git settings of the project at the time of the request; null for a push that an older version created.
   */
  git: string | null
  /** JSON of the project's settings at that time, which its files are printed with. */
  settings: string | null
  /** JSON list of the commits that were about to be sent, by which an arrived one is recognized. */
  sent: string | null
  outcome: 'pushed' | 'unchanged' | 'planned' | null
  commit_id: string | null
  files: string | null
  /** JSON lists of the outcomes for files without a unit. */
  removed: string | null
  kept: string | null
  /** JSON of the parts that were left out, because other files of the branch define them. */
  skipped: string | null
  /** JSON of files in conflict, which are not changed. */
  conflicts: string | null
  /** JSON of the plan, within limits. */
  plan: string | null
  /** The analysis whose findings it fixes; null for a push of units. */
  analysis_id: string | null
  /** JSON of the requested fixes. */
  fixes: string | null
  /** JSON of the files of a proposal; null for a push of units or fixes. */
  proposal: string | null
  /** JSON of the tables of a proposed model; null for a proposal of plain files. */
  proposal_items: string | null
}

/** The newest generation of a unit at the time an unfinished push was created. */
interface PushItemRow {
  push_id: string
  unit_id: string
  generation_id: string
  /** 1 if the push selects this unit; the others share files with it. */
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
 * The content last pushed to a branch, which shows changes by others; for models in a dbt project, the generated
 * content. During a push also the content to be sent, because a process may die before it can record the push.
 */
interface PushedFileRow {
  project_id: string
  remote: string
  branch: string
  path: string
  sha256: string
}

/** A check of a dbt project by rules. */
export interface AnalysisRow extends JobColumns {
  /** The repository and branch, or `archive`. Analyses of one target are compared. */
  target: string
  branch: string | null
  /** The requested folder. */
  path: string | null
  /** The zip file in base64, until the analysis has ended. */
  archive: string | null
  /** JSON of select and ignore. */
  rules: string
  /** JSON of step. */
  progress: string | null
  commit_id: string | null
  folder: string | null
  files: number | null
  models: number | null
  /** JSON of total and groups. */
  score: string | null
  /** JSON of counts by severity and state. */
  findings: string | null
  unlisted: number | null
  suppressed: number | null
  unchecked: number | null
  /** JSON list of rule, reason, number and names. */
  not_checked: string | null
}

/** A finding of an analysis, or a fixed one of the previous analysis. */
export interface FindingRow {
  /** Decreases in the order of files and lines, because lists are in descending order. */
  id: string
  project_id: string
  analysis_id: string
  created_at: number
  rule: string
  name: string
  rule_group: string
  severity: FindingSeverity
  state: FindingState
  message: string
  help: string
  path: string
  start_line: number
  start_column: number
  end_line: number
  end_column: number
  text: string
  /** JSON of kind, name and detail. */
  subject: string
  /** JSON of safety and summary. */
  fix: string | null
  fingerprint: string
}

export interface EventRow {
  id: string
  project_id: string
  event: EventKind
  created_at: number
  /** The signed bytes. */
  payload: string
  /** 1 for a test event of one webhook. Only the delivery of the test refers to it. */
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
  /** The breaker is open until then. */
  breaker_until: number | null
  /** The number of times it opened since the last success. */
  breaker_opens: number
  /** The maximum number of deliveries under way; grows again after the breaker closed. */
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

/** The content of a job's `error` column. */
export interface JobError {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}
