// Made from the schemas of this package by test/types/print-types.ts: change those and run
// `UPDATE_GOLDEN=1 npm test -- test/types`. The types are written out because the declarations of inferred
// types lose their comments, which editors show.

import type { DialectName, ModelType, TableKind } from '../names.ts'
import type { GenerationOptions } from '../types.ts'
import type { DeliveryState } from './deliveries.ts'
import type { EventKind } from './events.ts'
import type { JobState } from './fields.ts'
import type { Scope } from './operation.ts'
import type { SuggestionKind } from './scans.ts'
import type { GitInput, ProjectConfig, UnitFilter } from './types.ts'

/** The queries of the operations under `/v1`, as a program gives them. */
export interface ApiQueries {
  /** List the projects of the key. */
  listProjects: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
  }
  /** List the keys of a project. */
  listKeys: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Only keys in this state. */
    state?: 'active' | 'expired' | 'revoked' | undefined
    /** Only items with this text in their name; case is ignored. */
    search?: string | undefined
  }
  /** List changes with the key that made them. */
  listAuditEntries: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Only entries of this key. */
    keyId?: string | undefined
    /** Only entries of this operation, by its id. */
    operation?: string | undefined
    /** Only entries of this resource. */
    resourceId?: string | undefined
    /** Only entries with this outcome. */
    outcome?: 'done' | 'refused' | undefined
    /** Items that were created at or after this time. */
    since?: string | undefined
    /** Items that were created before this time. */
    until?: string | undefined
  }
  /** Count the activity of a project by the hour. */
  getActivity: {
    /** The number of hours, including the current one. Default 24. */
    hours?: number | undefined
  }
  /** List the connections of a project. */
  listConnections: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Only connections of this kind: `postgres`. */
    kind?: string | undefined
    /** Only items with this text in their name or target; case is ignored. */
    search?: string | undefined
  }
  /** List the scans of a project. */
  listScans: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Only jobs in this state. */
    state?: JobState | undefined
    /** Items that were created at or after this time. */
    since?: string | undefined
    /** Items that were created before this time. */
    until?: string | undefined
    /** Only scans of this connection. */
    connectionId?: string | undefined
  }
  /** List the tables that scans found. */
  listSources: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** The id of a connection. */
    connectionId?: string | undefined
    /** Only tables of this schema. */
    schema?: string | undefined
    /** Only tables of this kind. */
    kind?: TableKind | undefined
    /** Only tables with this text in their name; case is ignored. */
    search?: string | undefined
  }
  /** Get a table with its columns, keys and comments, as last scanned. */
  getSource: {
    /** Default: the connection of the project. */
    connectionId?: string | undefined
  }
  /** List suggestions: findings of scans with profiles that neither warehouse nor configuration states. */
  listSuggestions: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Default: the connection of the project. */
    connectionId?: string | undefined
    /** Only suggestions for this table, by its dotted name. */
    source?: string | undefined
    /** Only suggestions of this kind. */
    kind?: SuggestionKind | undefined
    /** Only items with this text in their columns and texts; case is ignored. */
    search?: string | undefined
  }
  /** List the units of a project. */
  listUnits: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
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
  /** Count the units of a project that a filter selects. */
  countUnits: UnitFilter
  /** Explain the model of a unit. */
  explainUnit: {
    /**
     * The columns to explain: those of the newest completed generation (default, if there is one), with the
     * decisions of its language model; of the warehouse now (default otherwise); or of its newest scan.
     */
    columns?: 'generation' | 'live' | 'scan' | undefined
  }
  /** List the generations of a project. */
  listGenerations: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Only jobs in this state. */
    state?: JobState | undefined
    /** Items that were created at or after this time. */
    since?: string | undefined
    /** Items that were created before this time. */
    until?: string | undefined
    /** Only generations of this unit. */
    unitId?: string | undefined
    /** Only members of this batch. */
    batchId?: string | undefined
    /** Only generations of units, or only batches. */
    kind?: 'unit' | 'project' | undefined
    /** Only items with this text in the name or source of their unit; case is ignored. */
    search?: string | undefined
  }
  /** Compare the files of two generations. */
  diffGenerations: {
    /** The generation to compare with. Default: the previous completed one of the same unit. */
    with?: string | undefined
  }
  /** List the pushes of a project. */
  listPushes: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Only jobs in this state. */
    state?: JobState | undefined
    /** Items that were created at or after this time. */
    since?: string | undefined
    /** Items that were created before this time. */
    until?: string | undefined
    /** Only pushes to this branch. */
    branch?: string | undefined
    /** Only pushes with this outcome. */
    outcome?: 'pushed' | 'unchanged' | 'planned' | undefined
    /** Only items with this text in their message or commit; case is ignored. */
    search?: string | undefined
  }
  /** List the analyses of a project with their scores. */
  listAnalyses: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Only jobs in this state. */
    state?: JobState | undefined
    /** Items that were created at or after this time. */
    since?: string | undefined
    /** Items that were created before this time. */
    until?: string | undefined
    /** Only analyses of this branch. */
    branch?: string | undefined
  }
  /** List the findings of an analysis by file and line. */
  listFindings: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Only findings of this rule, by its id or name. */
    rule?: string | undefined
    /** Only findings of this severity. */
    severity?: 'error' | 'warning' | 'info' | undefined
    /** Only findings in this state. */
    state?: 'new' | 'unchanged' | 'fixed' | undefined
    /** Only findings in this file or folder. */
    path?: string | undefined
    /** Only items with this text in their message, path or subject; case is ignored. */
    search?: string | undefined
  }
  /** List the conversations that the key can open. */
  listConversations: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
  }
  /** List the messages of a conversation, newest first. */
  listMessages: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
  }
  /** List the proposals that the key can open. */
  listProposals: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
  }
  /** List the events of the project of the key. */
  listEvents: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Only events of this kind. */
    event?: EventKind | undefined
    /** Events at or after this time. */
    since?: string | undefined
    /** Events before this time. */
    until?: string | undefined
    /** Only items with this text in their body; case is ignored. */
    search?: string | undefined
  }
  /** List the webhooks of the project of the key. */
  listWebhooks: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Only webhooks in this state. */
    state?: 'active' | 'paused' | 'disabled' | undefined
    /** Only webhooks that receive events of this kind. */
    event?: EventKind | undefined
    /** Only items with this text in their address or description; case is ignored. */
    search?: string | undefined
  }
  /** List the deliveries of a webhook. */
  listDeliveries: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Only deliveries in this state. */
    state?: DeliveryState | undefined
    /** Only deliveries of events of this kind. */
    event?: EventKind | undefined
    /** Deliveries that were created at or after this time. */
    since?: string | undefined
    /** Deliveries that were created before this time. */
    until?: string | undefined
    /** Only deliveries whose last answer had this HTTP status. */
    status?: number | undefined
    /** Only items with this text in the reason of the last failure; case is ignored. */
    search?: string | undefined
  }
  /** List the deliveries of all webhooks of the project of the key. */
  listAllDeliveries: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Only deliveries in this state. */
    state?: DeliveryState | undefined
    /** Only deliveries of events of this kind. */
    event?: EventKind | undefined
    /** Deliveries that were created at or after this time. */
    since?: string | undefined
    /** Deliveries that were created before this time. */
    until?: string | undefined
    /** Only deliveries whose last answer had this HTTP status. */
    status?: number | undefined
    /** Only items with this text in the reason of the last failure; case is ignored. */
    search?: string | undefined
    /** Only deliveries of this webhook. */
    webhookId?: string | undefined
    /** Only deliveries of this event. */
    eventId?: string | undefined
  }
}

/** The bodies of the operations under `/v1`, as a program gives them. */
export interface ApiBodies {
  /** Create a project. */
  createProject: {
    /** A name for people, of 1 to 200 characters. */
    name: string
    /** The SQL dialect to write. Default: that of the connection. */
    dialect?: DialectName | undefined
    /** The dbt version to write YAML for. Default: the newest. */
    dbtVersion?: string | undefined
    /** Naming, options and overrides, as in a `stagecraft.yml`. */
    config?: ProjectConfig | undefined
    /** The target of pushes. Default: none. */
    git?: GitInput | undefined
    /** The number of generations to keep for each unit, at least 50, which pushes need. Default 100. */
    keepGenerations?: number | undefined
  }
  /** Change a project. */
  updateProject: {
    /** A name for people, of 1 to 200 characters. */
    name?: string | undefined
    /** The SQL dialect to write. Default: that of the connection. */
    dialect?: DialectName | null | undefined
    /** The dbt version to write YAML for. Default: the newest. */
    dbtVersion?: string | null | undefined
    /** Naming, options and overrides, as in a `stagecraft.yml`. */
    config?: ProjectConfig | undefined
    /** The connection that is used if a request does not name one. */
    connectionId?: string | null | undefined
    /** The number of generations to keep for each unit, at least 50, which pushes need. Default 100. */
    keepGenerations?: number | null | undefined
    /** Replaces all Git settings. Omitted credentials are kept, unless the remote changes. */
    git?: GitInput | null | undefined
  }
  /** Create a key. */
  createKey: {
    /** A name for people, of 1 to 200 characters. */
    name: string
    /** A key can grant only scopes that it has. */
    scopes: Scope[]
    /** Default: never. */
    expiresAt?: string | undefined
  }
  /** Replace a key; both are valid for a time. */
  rotateKey: {
    /** The time in seconds for which the old key stays valid. Default 86400. */
    overlapSeconds?: number | undefined
  }
  /** Sign in to the dashboard with a key. */
  createSession: {
    /** A key of the project. */
    key?: string | undefined
    /** A code for one sign-in, from the link that `stagecraft serve` prints. */
    code?: string | undefined
  }
  /** Create a connection. */
  createConnection: {
    /** A name for people, of 1 to 200 characters. */
    name: string
    /** A catalog as on the command line: `postgres://…`. Stored encrypted, never returned. */
    catalog: string
    /** Default: true for the first one of the project. */
    isDefault?: boolean | undefined
  }
  /** Change a connection. */
  updateConnection: {
    /** A name for people, of 1 to 200 characters. */
    name?: string | undefined
    /** A catalog as on the command line: `postgres://…`. Stored encrypted, never returned. */
    catalog?: string | undefined
    /** Default: true for the first one of the project. */
    isDefault?: boolean | undefined
  }
  /** Read a catalog into the store, as a job. */
  createScan: {
    /** Default: the connection of the project. */
    connectionId?: string | undefined
    /**
     * Also read the rows: one aggregate query for every 60 columns of a table, then one for each table with
     * candidates for keys, references and lists of values. Needs a connection whose rows can be read. Default
     * false.
     */
    profile?: boolean | undefined
    /**
     * With `profile`: tables with more rows are counted but not read, each with a warning TABLE_TOO_LARGE.
     * Default: every table is read.
     */
    maxRows?: number | undefined
    /**
     * With `profile`: tables that take more bytes are not read, each with a warning TABLE_TOO_LARGE. On
     * BigQuery, this applies to tables and views whose statements would read more, according to a dry run.
     * Default: every table is read.
     */
    maxBytes?: number | undefined
  }
  /** Create a unit: a named model to generate. */
  createUnit: {
    /** The name of the unit. Default: the name of its model, derived from the source name. */
    name?: string | undefined
    /** The type of model to write. */
    type: ModelType
    /** The dotted name of the source table: `raw.stripe.payments`. */
    source: string
    /** The options of its generations. They override those of the project. */
    options?: GenerationOptions | undefined
    /** The connection of its source. Default: the connection of the project. */
    connectionId?: string | undefined
  }
  /** Create units for scanned tables, and generate them as one job. */
  createUnits: {
    /** The type of model to write. */
    type: ModelType
    /** The connection of its source. Default: the connection of the project. */
    connectionId?: string | undefined
    /**
     * Names of scanned tables; case is ignored, and `*` matches any characters: `raw.stripe.*`. Default: all.
     */
    select?: string[] | undefined
    /** Names and patterns of tables to leave out. */
    exclude?: string[] | undefined
    /** The options of its generations. They override those of the project. */
    options?: GenerationOptions | undefined
    /** Also generate all selected units, as one batch. Default false. */
    generate?: boolean | undefined
    /** Columns from the warehouse now (default), or from its newest scan. */
    columns?: 'live' | 'scan' | undefined
    /** Preview only: no unit is created. Default false. */
    dryRun?: boolean | undefined
  }
  /** Change a unit. */
  updateUnit: {
    /** A name for people, of 1 to 200 characters. */
    name?: string | undefined
    /** The new options. They replace all earlier ones. */
    options?: GenerationOptions | undefined
    /** The connection of its source. Default: the connection of the project. */
    connectionId?: string | null | undefined
  }
  /** Generate one unit, several or all, as a job. */
  createGeneration: {
    /** One unit. Default: all units of the project. */
    unitId?: string | undefined
    /** Several units. */
    unitIds?: string[] | undefined
    /** The units that a filter selects, with the fields of the list of units. */
    filter?: UnitFilter | undefined
    /** Columns from the warehouse now (default), or from its newest scan. */
    columns?: 'live' | 'scan' | undefined
  }
  /** Commit the newest files to the project's Git repository, as a job. */
  createPush: {
    /** The branch to push to; created if it does not exist. */
    branch: string
    /** The message of the commit. */
    message: string
    /** Default: all units. */
    unitIds?: string[] | undefined
    /** Replace files that someone else has changed since the last push. Default false. */
    overwrite?: boolean | undefined
    /** Plan only: the plan is stored with the push, and nothing is committed. Default false. */
    dryRun?: boolean | undefined
  }
  /** Check the dbt project of the Git repository, or of an archive, against rules, as a job. */
  createAnalysis: {
    /**
     * The branch to read. Default: the branch of the project, otherwise the default branch of its repository.
     */
    branch?: string | undefined
    /** The folder of `dbt_project.yml`; `.` is the root. Default: the only `dbt_project.yml`. */
    path?: string | undefined
    /**
     * A zip file in base64, of at most 750,000 bytes, to read in place of the repository. It is not stored.
     * Only SQL, Python, YAML, Markdown and CSV files are read.
     */
    archive?: string | undefined
    /** The rules to check, by id, name or group. Default: all rules that are on. */
    select?: string[] | undefined
    /** The rules to skip, by id, name or group. */
    ignore?: string[] | undefined
  }
  /** Push fixes for the findings of an analysis of the repository, as a job. */
  fixAnalysis: {
    /** The branch to push to. */
    branch: string
    /** The message of the commit. Default: one that names the analysis. */
    message?: string | undefined
    /** Only fixes of these rules, by their ids. Default: all. */
    rules?: string[] | undefined
    /** Include fixes that may change what dbt builds. A person must review them. Default false. */
    unsafe?: boolean | undefined
    /** Plan only: nothing is committed, and there is no event. Default false. */
    dryRun?: boolean | undefined
  }
  /** Choose the model of the assistant and its budget. */
  updateAssistantSettings: {
    /** The API to ask. */
    provider?: 'anthropic' | 'openai' | 'openai-compatible' | null | undefined
    /** The provider's name of the model. */
    model?: string | null | undefined
    /** The address of the API. */
    baseUrl?: string | null | undefined
    /** The key of the API. Stored encrypted, never returned. */
    apiKey?: string | null | undefined
    /** The maximum number of tokens per day (UTC). */
    tokensPerDay?: number | null | undefined
  }
  /** Start a conversation about the dbt project. */
  createConversation: {
    /** A name for people, of 1 to 200 characters. */
    title?: string | undefined
  }
  /** Ask a question. */
  createMessage: {
    /** The question, of 1 to 8,000 characters. */
    content: string
    /**
     * `propose` lets tools store proposals, which a person can apply; it needs the scope `generate`. Default
     * `read`.
     */
    tools?: 'read' | 'propose' | undefined
    /** The maximum number of tokens for the answer, over all calls. Default 200000. */
    maxTokens?: number | undefined
    /** The time limit of the answer. Default 120. */
    maxSeconds?: number | undefined
    /** If false, returns the queued message at once. Default: waits for up to 50 seconds. */
    wait?: boolean | undefined
  }
  /** Push a proposal to the Git repository, as a job. */
  applyProposal: {
    /** The branch to push to. */
    branch: string
    /** The message of the commit. Default: the title of the proposal. */
    message?: string | undefined
    /** Plan only: nothing is committed, and there is no event. Default false. */
    dryRun?: boolean | undefined
  }
  /** Create a webhook subscription. */
  createWebhook: {
    /** The HTTPS address that receives the events. */
    url: string
    /** Kinds of events, each once. */
    events: EventKind[]
    /** A note for people. */
    description?: string | undefined
    /** Sent with every delivery. Stored encrypted, never returned. */
    headers?: Record<string, string> | undefined
    /** The secret that signs deliveries: `whsec_` and base64, or any text. Stored encrypted. */
    secret: string
  }
  /** Change a webhook. */
  updateWebhook: {
    /** The HTTPS address that receives the events. */
    url?: string | undefined
    /** Kinds of events, each once. */
    events?: EventKind[] | undefined
    /** A note for people. */
    description?: string | undefined
    /** Sent with every delivery. Stored encrypted, never returned. */
    headers?: Record<string, string> | undefined
  }
  /** Rotate the secret of a webhook; both secrets sign for a time. */
  rotateWebhookSecret: {
    /** The new secret. Default: a generated one, shown in the answer. */
    secret?: string | undefined
    /** The time in seconds for which the previous secret also signs. Default 86400. */
    overlapSeconds?: number | undefined
  }
  /** Send an example event now and return the result. */
  testWebhook: {
    /** The kind of event to send. Default: the first one of the webhook. */
    event?: EventKind | undefined
  }
  /** Deliver the events of a period again. */
  replayEvents: {
    /** ISO 8601 in UTC. */
    since: string
    /** Default: now. */
    until?: string | undefined
    /** Default: those of the webhook. */
    events?: EventKind[] | undefined
    /** `missed`: events that never arrived. Default `all`. */
    only?: 'all' | 'missed' | undefined
    /** Only count, without sending. Default false. */
    dryRun?: boolean | undefined
  }
  /** Deliver the events of many deliveries again. */
  redeliverMany: {
    /** Only deliveries of this webhook. Default: all webhooks that are not disabled. */
    webhookId?: string | undefined
    /** Deliveries in these states. Default: all states except `delivered`. */
    states?: ('delivered' | 'exhausted' | 'cancelled' | 'expired')[] | undefined
    /** Only deliveries of events of these kinds. */
    events?: EventKind[] | undefined
    /** Deliveries that were created at or after this time. */
    since?: string | undefined
    /** Deliveries that were created before this time. */
    until?: string | undefined
    /** The HTTP status of the last answer. */
    status?: number | undefined
    /** Only items with this text in the reason of the last failure; case is ignored. */
    search?: string | undefined
    /** Only count, without sending. Default false. */
    dryRun?: boolean | undefined
  }
}
