import type { ApiOperations, OperationId } from '@stagecraft/spec/api'

/** An operation that answers page by page. */
export type ListId = {
  readonly [Id in OperationId]: ApiOperations[Id] extends { readonly isList: true } ? Id : never
}[OperationId]

/** An operation that answers with a stream of messages. */
export type StreamId = {
  readonly [Id in OperationId]: ApiOperations[Id] extends { readonly message: object } ? Id : never
}[OperationId]

/** An operation that answers once. */
export type SingleId = Exclude<OperationId, ListId | StreamId>

/** An operation that tells how far a job is. */
export type JobId = 'getScan' | 'getGeneration' | 'getPush' | 'getAnalysis' | 'getMessage'

/** One method of the client: a single call, a list of pages, calls repeated until a job has ended, or a stream. */
export type Row =
  | SingleId
  | { readonly pages: ListId }
  | { readonly waits: JobId }
  | { readonly streams: StreamId }

/**
 * Every method of the client: resource, method, operation. Lists are told here, and not only in the table of
 * operations, because that is loaded no sooner than a call needs it.
 */
export const RESOURCES = {
  projects: {
    /** Its answer holds a key of the new project, shown this once. */
    create: 'createProject',
    /** Those that the key opens: its own. */
    list: { pages: 'listProjects' },
    get: 'getProject',
    /** Leaves members that are not named unchanged; `null` removes a member. */
    update: 'updateProject',
    /** Takes all that it holds along, its keys included. */
    delete: 'deleteProject',
  },
  keys: {
    /** Its answer holds the key itself, shown this once. */
    create: 'createKey',
    list: { pages: 'listKeys' },
    /** It opens nothing any more from then on. */
    revoke: 'revokeKey',
  },
  sessions: {
    /** Signs in: the service sets a cookie, which a browser keeps. For `session: true`. */
    create: 'createSession',
    /** The key that calls are made with: its project, name and scopes. */
    get: 'getSession',
    /** Signs out. */
    delete: 'deleteSession',
  },
  auditLog: {
    /** Which key changed what. */
    list: { pages: 'listAuditEntries' },
  },
  connections: {
    /** It is kept and not tried: see `test`. */
    create: 'createConnection',
    list: { pages: 'listConnections' },
    get: 'getConnection',
    update: 'updateConnection',
    /** Takes along what was scanned by it. */
    delete: 'deleteConnection',
    /** Tries it now; CONNECTION_FAILED when it leads nowhere. */
    test: 'testConnection',
  },
  scans: {
    /** Begins to read a catalog; `wait` for its end. */
    create: 'createScan',
    list: { pages: 'listScans' },
    /** With what changed since the scan before. */
    get: 'getScan',
    cancel: 'cancelScan',
    /** Resolves with the scan once it is completed, failed or cancelled. */
    wait: { waits: 'getScan' },
  },
  sources: {
    /** The tables that scans found. */
    list: { pages: 'listSources' },
    /** By its dotted name, with columns, keys and comments as it was last scanned. */
    get: 'getSource',
    /** Keys, references, lists of values and more that scans with `profile` found. */
    suggestions: { pages: 'listSuggestions' },
  },
  units: {
    /** A project has one unit for each type and source. */
    create: 'createUnit',
    /** Units of scanned tables that patterns select, in one request; `dryRun` tells which. */
    createMany: 'createUnits',
    /** The number of those that a filter selects. */
    count: 'countUnits',
    list: { pages: 'listUnits' },
    get: 'getUnit',
    update: 'updateUnit',
    /** The rule, the evidence and the configuration behind every decision about its model. */
    explain: 'explainUnit',
    /** Takes its generations along. */
    delete: 'deleteUnit',
  },
  generations: {
    /** Begins to generate one unit, several or all; `wait` for its end. */
    create: 'createGeneration',
    list: { pages: 'listGenerations' },
    get: 'getGeneration',
    cancel: 'cancelGeneration',
    /** Resolves with the generation once it is completed, failed or cancelled. */
    wait: { waits: 'getGeneration' },
    /** The text of a file, by the path that stands in `files`. */
    file: 'getGeneratedFile',
    /** Compares its files with those of the one before, or of another. */
    diff: 'diffGenerations',
    /** Takes its files along. */
    delete: 'deleteGeneration',
    /** The newest files of all units, as a zip file. */
    archive: 'getArchive',
  },
  pushes: {
    /** Begins to commit the newest files to the Git repository of the project; `wait` for its end. */
    create: 'createPush',
    list: { pages: 'listPushes' },
    get: 'getPush',
    cancel: 'cancelPush',
    /** Resolves with the push once it is completed, failed or cancelled. */
    wait: { waits: 'getPush' },
  },
  analyses: {
    /** Begins to check the dbt project of the repository, or of a zip file; `wait` for its end. */
    create: 'createAnalysis',
    /** With their scores, the newest first. */
    list: { pages: 'listAnalyses' },
    /** With its summary, and what was not checked. */
    get: 'getAnalysis',
    cancel: 'cancelAnalysis',
    /** Resolves with the analysis once it is completed, failed or cancelled. */
    wait: { waits: 'getAnalysis' },
    /** By files and lines; `state`, `severity`, `rule` and `path` filter them. */
    findings: { pages: 'listFindings' },
    /** Begins to push the fixes to a branch; `pushes.wait` for its end. */
    fix: 'fixAnalysis',
  },
  changes: {
    /** Which resources change, as it happens; connects again by itself. */
    stream: { streams: 'streamChanges' },
  },
  conversations: {
    /** Begins to talk about the dbt project. It belongs to the key. */
    create: 'createConversation',
    list: { pages: 'listConversations' },
    get: 'getConversation',
    /** Takes its messages along. */
    delete: 'deleteConversation',
    /** All that was said, one JSON object a line. */
    transcript: 'getTranscript',
  },
  messages: {
    /** Asks a question, and resolves with its answer, or after 50 seconds as far as it is; `wait` for the rest. */
    create: 'createMessage',
    list: { pages: 'listMessages' },
    get: 'getMessage',
    cancel: 'cancelMessage',
    /** Asks the question of a failed or cancelled message again. */
    retry: 'retryMessage',
    /** Resolves with the message once it is completed, failed or cancelled. */
    wait: { waits: 'getMessage' },
    /** Follows an answer as it is made; connects again by itself. */
    events: { streams: 'getMessageEvents' },
  },
  proposals: {
    list: { pages: 'listProposals' },
    /** With its diff. */
    get: 'getProposal',
    /** Begins to push it to a branch; `pushes.wait` for its end. */
    apply: 'applyProposal',
    /** Deletes it; what was pushed of it stays. */
    discard: 'discardProposal',
  },
  assistant: {
    settings: 'getAssistantSettings',
    /** The text of a file of the dbt project, by the path that stands in citations. */
    file: 'getProjectFile',
    /** Chooses the model and the budget. The key is stored encrypted. */
    update: 'updateAssistantSettings',
  },
  events: {
    list: { pages: 'listEvents' },
    get: 'getEvent',
    /** The kinds of event, with schema and example. */
    types: 'listEventTypes',
  },
  webhooks: {
    create: 'createWebhook',
    list: { pages: 'listWebhooks' },
    get: 'getWebhook',
    update: 'updateWebhook',
    /** Takes its deliveries along. */
    delete: 'deleteWebhook',
    /** For a time both secrets sign. A secret that the service made is in the answer, this once. */
    rotateSecret: 'rotateWebhookSecret',
    /** Sends a made-up event now, and tells how it went. */
    test: 'testWebhook',
    /** Deliveries wait, and go out when it is enabled. */
    pause: 'pauseWebhook',
    /** After a pause, or after it was disabled. */
    enable: 'enableWebhook',
    /** Delivers the events of a time again. */
    replay: 'replayEvents',
    /** Counts the deliveries in each state. */
    stats: 'getWebhookStats',
    deliveries: { pages: 'listDeliveries' },
  },
  deliveries: {
    /** Those of all webhooks. */
    list: { pages: 'listAllDeliveries' },
    /** With all its attempts. */
    get: 'getDelivery',
    /** Its request as it would be sent now, with headers and signature. */
    request: 'getDeliveryRequest',
    /** Delivers its event once more. */
    redeliver: 'redeliver',
    /** Delivers the events of all that the filter selects once more; `dryRun` counts. */
    redeliverMany: 'redeliverMany',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Row>>>>

export type ResourceTable = typeof RESOURCES
