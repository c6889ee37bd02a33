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
    /** Keys in this state only. */
    state?: 'active' | 'expired' | 'revoked' | undefined
    /** Items with this text in their name, in any case. */
    search?: string | undefined
  }
  /** List which key changed what. */
  listAuditEntries: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Entries of this key only. */
    keyId?: string | undefined
    /** Entries of this operation only, by its id. */
    operation?: string | undefined
    /** Entries of this resource only. */
    resourceId?: string | undefined
    /** Entries with this outcome only. */
    outcome?: 'done' | 'refused' | undefined
    /** Items that were made from this time on. */
    since?: string | undefined
    /** Items that were made before this time. */
    until?: string | undefined
  }
  /** Count what was done in a project, hour by hour. */
  getActivity: {
    /** The number of hours, up to this one. Default 24. */
    hours?: number | undefined
  }
  /** List the connections of a project. */
  listConnections: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Connections of this kind only: `postgres`. */
    kind?: string | undefined
    /** Items with this text in their name or target, in any case. */
    search?: string | undefined
  }
  /** List the scans of a project. */
  listScans: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Jobs in this state only. */
    state?: JobState | undefined
    /** Items that were made from this time on. */
    since?: string | undefined
    /** Items that were made before this time. */
    until?: string | undefined
    /** Scans of this connection only. */
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
    /** Tables of this schema only. */
    schema?: string | undefined
    /** Tables of this kind only. */
    kind?: TableKind | undefined
    /** Tables with this text in their name, in any case. */
    search?: string | undefined
  }
  /** Get a table with its columns, keys and comments, as it was last scanned. */
  getSource: {
    /** Default: the connection of the project. */
    connectionId?: string | undefined
  }
  /** List what scans with profiles found and neither warehouse nor configuration says. */
  listSuggestions: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Default: the connection of the project. */
    connectionId?: string | undefined
    /** Of this table only, by its dotted name. */
    source?: string | undefined
    /** Suggestions of this kind only. */
    kind?: SuggestionKind | undefined
    /** Items with this text in their columns and texts, in any case. */
    search?: string | undefined
  }
  /** List the units of a project. */
  listUnits: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Units of this type of model only. */
    type?: ModelType | undefined
    /** The unit of exactly this source. */
    source?: string | undefined
    /** Units in this state only. */
    state?: 'new' | 'generating' | 'generated' | 'failed' | undefined
    /** Units that name this connection only. */
    connectionId?: string | undefined
    /** Units whose source table or files have changed since they were generated only. */
    changed?: 'source' | 'files' | undefined
    /** Items with this text in their name or source, in any case. */
    search?: string | undefined
  }
  /** Count the units of a project that a filter selects. */
  countUnits: UnitFilter
  /** Explain the model of a unit. */
  explainUnit: {
    /**
     * Columns of the newest completed generation (default, if there is one), with what a language model
     * decided then; of the warehouse now (default otherwise); or of its newest scan.
     */
    columns?: 'generation' | 'live' | 'scan' | undefined
  }
  /** List the generations of a project. */
  listGenerations: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Jobs in this state only. */
    state?: JobState | undefined
    /** Items that were made from this time on. */
    since?: string | undefined
    /** Items that were made before this time. */
    until?: string | undefined
    /** Generations of this unit only. */
    unitId?: string | undefined
    /** Members of this batch only. */
    batchId?: string | undefined
    /** Generations of units only, or batches only. */
    kind?: 'unit' | 'project' | undefined
    /** Items with this text in the name or source of their unit, in any case. */
    search?: string | undefined
  }
  /** Compare the files of two generations. */
  diffGenerations: {
    /** Default: the completed one of the same unit before. */
    with?: string | undefined
  }
  /** List the pushes of a project. */
  listPushes: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Jobs in this state only. */
    state?: JobState | undefined
    /** Items that were made from this time on. */
    since?: string | undefined
    /** Items that were made before this time. */
    until?: string | undefined
    /** Pushes to this branch only. */
    branch?: string | undefined
    /** Pushes with this outcome only. */
    outcome?: 'pushed' | 'unchanged' | 'planned' | undefined
    /** Items with this text in their message or commit, in any case. */
    search?: string | undefined
  }
  /** List the analyses of a project with their scores. */
  listAnalyses: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Jobs in this state only. */
    state?: JobState | undefined
    /** Items that were made from this time on. */
    since?: string | undefined
    /** Items that were made before this time. */
    until?: string | undefined
    /** Analyses of this branch only. */
    branch?: string | undefined
  }
  /** List the findings of an analysis by files and lines. */
  listFindings: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Findings of this rule only, by its id or name. */
    rule?: string | undefined
    /** Findings of this severity only. */
    severity?: 'error' | 'warning' | 'info' | undefined
    /** Findings in this state only. */
    state?: 'new' | 'unchanged' | 'fixed' | undefined
    /** Findings in this file or folder only. */
    path?: string | undefined
    /** Items with this text in their message, path or subject, in any case. */
    search?: string | undefined
  }
  /** List the conversations that the key may open. */
  listConversations: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
  }
  /** List the messages of a conversation, the newest first. */
  listMessages: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
  }
  /** List proposals that the key may open. */
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
    /** Events of this kind only. */
    event?: EventKind | undefined
    /** Events from this time on. */
    since?: string | undefined
    /** Events before this time. */
    until?: string | undefined
    /** Items with this text in their body, in any case. */
    search?: string | undefined
  }
  /** List the webhooks of the project of the key. */
  listWebhooks: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Webhooks in this state only. */
    state?: 'active' | 'paused' | 'disabled' | undefined
    /** Webhooks that receive events of this kind only. */
    event?: EventKind | undefined
    /** Items with this text in their address or description, in any case. */
    search?: string | undefined
  }
  /** List the deliveries of a webhook. */
  listDeliveries: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Deliveries in this state only. */
    state?: DeliveryState | undefined
    /** Deliveries of events of this kind only. */
    event?: EventKind | undefined
    /** Deliveries that were made from this time on. */
    since?: string | undefined
    /** Deliveries that were made before this time. */
    until?: string | undefined
    /** Deliveries whose last answer had this HTTP status only. */
    status?: number | undefined
    /** Items with this text in the reason of the last failure, in any case. */
    search?: string | undefined
  }
  /** List the deliveries of all webhooks of the project of the key. */
  listAllDeliveries: {
    /** The number of items on a page. Default 50. */
    limit?: number | undefined
    /** `meta.nextCursor` of the previous page. */
    cursor?: string | undefined
    /** Deliveries in this state only. */
    state?: DeliveryState | undefined
    /** Deliveries of events of this kind only. */
    event?: EventKind | undefined
    /** Deliveries that were made from this time on. */
    since?: string | undefined
    /** Deliveries that were made before this time. */
    until?: string | undefined
    /** Deliveries whose last answer had this HTTP status only. */
    status?: number | undefined
    /** Items with this text in the reason of the last failure, in any case. */
    search?: string | undefined
    /** Deliveries of this webhook only. */
    webhookId?: string | undefined
    /** Deliveries of this event only. */
    eventId?: string | undefined
  }
}

/** The bodies of the operations under `/v1`, as a program gives them. */
export interface ApiBodies {
  /** Create a project. */
  createProject: {
    /** A name for people, of 1 to 200 characters. */
    name: string
    /** The SQL to write. Default: that of the connection. */
    dialect?: DialectName | undefined
    /** The dbt whose YAML is written. Default: the newest. */
    dbtVersion?: string | undefined
    /** Naming, options and overrides, as in a `stagecraft.yml`. */
    config?: ProjectConfig | undefined
    /** The target of pushes. Default: none. */
    git?: GitInput | undefined
    /** The number of generations that are kept of each unit; pushes look at 50. Default 100. */
    keepGenerations?: number | undefined
  }
  /** Change a project. */
  updateProject: {
    /** A name for people, of 1 to 200 characters. */
    name?: string | undefined
    /** The SQL to write. Default: that of the connection. */
    dialect?: DialectName | null | undefined
    /** The dbt whose YAML is written. Default: the newest. */
    dbtVersion?: string | null | undefined
    /** Naming, options and overrides, as in a `stagecraft.yml`. */
    config?: ProjectConfig | undefined
    /** The connection of requests that name none. */
    connectionId?: string | null | undefined
    /** The number of generations that are kept of each unit; pushes look at 50. Default 100. */
    keepGenerations?: number | null | undefined
    /** Replaces all Git settings; credentials that are not given stay, unless the remote changes. */
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
  /** Replace a key; for a time both open the project. */
  rotateKey: {
    /** The time for which the key that is replaced still opens the project. Default 86400. */
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
    /** A catalog as on the command line: `postgres://…`. Kept encrypted, never returned. */
    catalog: string
    /** Default: true for the first one of the project. */
    isDefault?: boolean | undefined
  }
  /** Change a connection. */
  updateConnection: {
    /** A name for people, of 1 to 200 characters. */
    name?: string | undefined
    /** A catalog as on the command line: `postgres://…`. Kept encrypted, never returned. */
    catalog?: string | undefined
    /** Default: true for the first one of the project. */
    isDefault?: boolean | undefined
  }
  /** Read a catalog into the store, as a job. */
  createScan: {
    /** Default: the connection of the project. */
    connectionId?: string | undefined
    /**
     * Also read the rows: one aggregate query per table and 60 columns, then one per table with candidates
     * for keys, references and lists of values. Needs a connection whose rows can be read. Default false.
     */
    profile?: boolean | undefined
    /**
     * With `profile`: rows of larger tables are counted and not read, each with a warning TABLE_TOO_LARGE.
     * Default: every table is read.
     */
    maxRows?: number | undefined
    /**
     * With `profile`: tables that take more bytes are not read, each with a warning TABLE_TOO_LARGE. On
     * BigQuery, tables and views whose statements would read more, by a dry run. Default: every table is
     * read.
     */
    maxBytes?: number | undefined
  }
  /** Create a unit: a named model to generate. */
  createUnit: {
    /** Default: the name of its model, derived from the source name. */
    name?: string | undefined
    /** The type of model to write. */
    type: ModelType
    /** Dotted name of the source table: `raw.stripe.payments`. */
    source: string
    /** The options of its generations, over those of the project. */
    options?: GenerationOptions | undefined
    /** Default: the connection of the project. */
    connectionId?: string | undefined
  }
  /** Create units of scanned tables, and generate them as one job. */
  createUnits: {
    /** The type of model to write. */
    type: ModelType
    /** Default: the connection of the project. */
    connectionId?: string | undefined
    /** Names of scanned tables, in any case; `*` stands for any characters: `raw.stripe.*`. Default: all. */
    select?: string[] | undefined
    /** Names and patterns of tables to leave out. */
    exclude?: string[] | undefined
    /** The options of its generations, over those of the project. */
    options?: GenerationOptions | undefined
    /** Also generate all that are selected, as one batch. Default false. */
    generate?: boolean | undefined
    /** Columns from the warehouse now (default), or from its newest scan. */
    columns?: 'live' | 'scan' | undefined
    /** Only tell which units there would be. Default false. */
    dryRun?: boolean | undefined
  }
  /** Change a unit. */
  updateUnit: {
    /** A name for people, of 1 to 200 characters. */
    name?: string | undefined
    /** Replaces all of them. */
    options?: GenerationOptions | undefined
    /** Default: the connection of the project. */
    connectionId?: string | null | undefined
  }
  /** Generate one unit, several or all, as a job. */
  createGeneration: {
    /** One unit. Default: all units of the project. */
    unitId?: string | undefined
    /** Several units. */
    unitIds?: string[] | undefined
    /** The units that a filter of the list of units selects, instead of naming them. */
    filter?: UnitFilter | undefined
    /** Columns from the warehouse now (default), or from its newest scan. */
    columns?: 'live' | 'scan' | undefined
  }
  /** Commit the newest files to the project's Git repository, as a job. */
  createPush: {
    /** The branch to push to; created if there is none. */
    branch: string
    /** The message of the commit. */
    message: string
    /** Default: all units. */
    unitIds?: string[] | undefined
    /** Replace files that somebody else changed since the last push. Default false. */
    overwrite?: boolean | undefined
    /** Plan only: the plan is kept on the push, and nothing is committed. Default false. */
    dryRun?: boolean | undefined
  }
  /** Check the dbt project of the Git repository, or of an archive, by rules, as a job. */
  createAnalysis: {
    /** Default: the branch of the project, else the default branch of its repository. */
    branch?: string | undefined
    /** The folder of `dbt_project.yml`; `.` is the root. Default: the only one that there is. */
    path?: string | undefined
    /**
     * A zip file in base64, of at most 750,000 bytes, to be read in place of the repository. It is not kept.
     * Only SQL, Python, YAML, Markdown and CSV files are read.
     */
    archive?: string | undefined
    /** Only these rules, by id, name or group. Default: those that are on. */
    select?: string[] | undefined
    /** Not these rules. */
    ignore?: string[] | undefined
  }
  /** Push the fixes of what an analysis of the repository found, as a job. */
  fixAnalysis: {
    /** The branch to push to. */
    branch: string
    /** The message of the commit. Default: one that names the analysis. */
    message?: string | undefined
    /** Only fixes of these rules, by their ids. Default: all. */
    rules?: string[] | undefined
    /** Include fixes that may change what dbt builds, and that a person has to look at. Default false. */
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
    /** The key of the API. Kept encrypted, never returned. */
    apiKey?: string | null | undefined
    /** The most tokens of a day in UTC. */
    tokensPerDay?: number | null | undefined
  }
  /** Begin a conversation about the dbt project. */
  createConversation: {
    /** A name for people, of 1 to 200 characters. */
    title?: string | undefined
  }
  /** Ask a question. */
  createMessage: {
    /** The question, of 1 to 8,000 characters. */
    content: string
    /**
     * `propose` lets tools keep proposals for a person to apply, and needs the scope `generate`. Default
     * `read`.
     */
    tools?: 'read' | 'propose' | undefined
    /** The most tokens of the answer, all calls together. Default 200000. */
    maxTokens?: number | undefined
    /** The time limit of the answer. Default 120. */
    maxSeconds?: number | undefined
    /** Answer at once with the message as it is queued, if false. Default: wait for up to 50 seconds. */
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
    /** HTTPS address that receives the events. */
    url: string
    /** Names of events, each once. */
    events: EventKind[]
    /** A note for people. */
    description?: string | undefined
    /** Sent with every delivery. Kept encrypted, never returned. */
    headers?: Record<string, string> | undefined
    /** The secret that signs deliveries: `whsec_` and base64, or any text. Stored encrypted. */
    secret: string
  }
  /** Change a webhook. */
  updateWebhook: {
    /** HTTPS address that receives the events. */
    url?: string | undefined
    /** Names of events, each once. */
    events?: EventKind[] | undefined
    /** A note for people. */
    description?: string | undefined
    /** Sent with every delivery. Kept encrypted, never returned. */
    headers?: Record<string, string> | undefined
  }
  /** Rotate the secret of a webhook; for a time both secrets sign. */
  rotateWebhookSecret: {
    /** Default: a new one, shown in the answer. */
    secret?: string | undefined
    /** The time for which the previous secret signs too. Default 86400. */
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
  /** Deliver the events of many deliveries once more. */
  redeliverMany: {
    /** Deliveries of this webhook only. Default: of all that are not disabled. */
    webhookId?: string | undefined
    /** Deliveries in these states. Default: all that did not arrive. */
    states?: ('delivered' | 'exhausted' | 'cancelled' | 'expired')[] | undefined
    /** Deliveries of events of these kinds only. */
    events?: EventKind[] | undefined
    /** Deliveries that were made from this time on. */
    since?: string | undefined
    /** Deliveries that were made before this time. */
    until?: string | undefined
    /** The HTTP status of the last answer. */
    status?: number | undefined
    /** Items with this text in the reason of the last failure, in any case. */
    search?: string | undefined
    /** Only count, without sending. Default false. */
    dryRun?: boolean | undefined
  }
}
