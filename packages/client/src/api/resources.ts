import type { ApiOperations, OperationId } from '@stagecraft/spec/api'

/** An operation that answers with pages. */
export type ListId = {
  readonly [Id in OperationId]: ApiOperations[Id] extends { readonly isList: true } ? Id : never
}[OperationId]

/** An operation that answers with a stream of messages. */
export type StreamId = {
  readonly [Id in OperationId]: ApiOperations[Id] extends { readonly message: object } ? Id : never
}[OperationId]

/** An operation that answers once. */
export type SingleId = Exclude<OperationId, ListId | StreamId>

/** An operation that returns the state of a job. */
export type JobId = 'getScan' | 'getGeneration' | 'getPush' | 'getAnalysis' | 'getMessage'

/** One method of the client: a single call, a list of pages, calls repeated until a job has ended, or a stream. */
export type Row =
  | SingleId
  | { readonly pages: ListId }
  | { readonly waits: JobId }
  | { readonly streams: StreamId }

/**
 * Every method of the client: resource, method, operation. Lists are marked here as well as in the table of
 * operations, because that table is loaded only on the first call.
 */
export const RESOURCES = {
  projects: {
    /** The answer contains a key of the new project, shown only once. */
    create: 'createProject',
    /** Lists the project of the key. */
    list: { pages: 'listProjects' },
    get: 'getProject',
    /** Leaves omitted members unchanged; `null` removes a member. */
    update: 'updateProject',
    /** Counts activity by the hour. */
    activity: 'getActivity',
    /** Deletes a project with everything in it, including its keys. */
    delete: 'deleteProject',
  },
  keys: {
    /** The answer contains the key itself, shown only once. */
    create: 'createKey',
    list: { pages: 'listKeys' },
    /** The answer contains a key with the same name and scopes, shown only once. The old key expires after a day. */
    rotate: 'rotateKey',
    /** Revokes a key immediately. */
    revoke: 'revokeKey',
  },
  sessions: {
    /** Signs in: the service sets a cookie, which a browser keeps. For `session: true`. */
    create: 'createSession',
    /** Returns the key of the client: its project, name and scopes. */
    get: 'getSession',
    /** Signs out. */
    delete: 'deleteSession',
  },
  auditLog: {
    /** Lists the changes by each key. */
    list: { pages: 'listAuditEntries' },
  },
  connections: {
    /** Stores a connection without testing it: see `test`. */
    create: 'createConnection',
    list: { pages: 'listConnections' },
    get: 'getConnection',
    update: 'updateConnection',
    /** Deletes a connection with its scans. */
    delete: 'deleteConnection',
    /** Tests it now; fails with CONNECTION_FAILED if it does not work. */
    test: 'testConnection',
  },
  scans: {
    /** Starts reading a catalog; `wait` waits for its end. */
    create: 'createScan',
    list: { pages: 'listScans' },
    /** Returns a scan with the changes since the previous one. */
    get: 'getScan',
    cancel: 'cancelScan',
    /** Resolves with the scan once it is completed, failed or cancelled. */
    wait: { waits: 'getScan' },
  },
  sources: {
    /** Lists the tables that scans found. */
    list: { pages: 'listSources' },
    /** Returns a table by its dotted name, with columns, keys and comments from the newest scan. */
    get: 'getSource',
    /** Lists keys, references, value lists and more that scans with `profile` found. */
    suggestions: { pages: 'listSuggestions' },
  },
  units: {
    /** A project has one unit for each type and source. */
    create: 'createUnit',
    /** Creates units of scanned tables that match patterns, in one request; `dryRun` only lists them. */
    createMany: 'createUnits',
    /** Counts the units that match a filter. */
    count: 'countUnits',
    list: { pages: 'listUnits' },
    get: 'getUnit',
    update: 'updateUnit',
    /** Explains every decision about its model with rule, evidence and configuration. */
    explain: 'explainUnit',
    /** Deletes a unit with its generations. */
    delete: 'deleteUnit',
  },
  generations: {
    /** Starts generating one unit, several or all; `wait` waits for the end. */
    create: 'createGeneration',
    list: { pages: 'listGenerations' },
    get: 'getGeneration',
    cancel: 'cancelGeneration',
    /** Resolves with the generation once it is completed, failed or cancelled. */
    wait: { waits: 'getGeneration' },
    /** Returns the text of a file, by its path in `files`. */
    file: 'getGeneratedFile',
    /** Compares its files with those of the previous generation, or of another. */
    diff: 'diffGenerations',
    /** Deletes a generation with its files. */
    delete: 'deleteGeneration',
    /** Returns the newest files of all units as a zip file. */
    archive: 'getArchive',
  },
  pushes: {
    /** Starts committing the newest files to the Git repository of the project; `wait` waits for the end. */
    create: 'createPush',
    list: { pages: 'listPushes' },
    get: 'getPush',
    cancel: 'cancelPush',
    /** Resolves with the push once it is completed, failed or cancelled. */
    wait: { waits: 'getPush' },
  },
  analyses: {
    /** Starts checking the dbt project of the repository, or of a zip file; `wait` waits for the end. */
    create: 'createAnalysis',
    /** Lists analyses with their scores, newest first. */
    list: { pages: 'listAnalyses' },
    /** Returns an analysis with its summary, and with the rules that were not checked. */
    get: 'getAnalysis',
    cancel: 'cancelAnalysis',
    /** Resolves with the analysis once it is completed, failed or cancelled. */
    wait: { waits: 'getAnalysis' },
    /** Lists findings by files and lines; `state`, `severity`, `rule` and `path` filter them. */
    findings: { pages: 'listFindings' },
    /** Starts pushing the fixes to a branch; `pushes.wait` waits for the end. */
    fix: 'fixAnalysis',
  },
  changes: {
    /** Streams changes of resources as they happen; reconnects automatically. */
    stream: { streams: 'streamChanges' },
  },
  conversations: {
    /** Starts a conversation about the dbt project. It belongs to the key. */
    create: 'createConversation',
    list: { pages: 'listConversations' },
    get: 'getConversation',
    /** Deletes a conversation with its messages. */
    delete: 'deleteConversation',
    /** Returns the whole transcript, one JSON object on each line. */
    transcript: 'getTranscript',
  },
  messages: {
    /**
     * Asks a question, and resolves to its answer, or to the partial one after 50 seconds; `wait` waits for the rest.
     */
    create: 'createMessage',
    list: { pages: 'listMessages' },
    get: 'getMessage',
    cancel: 'cancelMessage',
    /** Repeats the question of a failed or cancelled message. */
    retry: 'retryMessage',
    /** Resolves with the message once it is completed, failed or cancelled. */
    wait: { waits: 'getMessage' },
    /** Streams an answer as it is written; reconnects automatically. */
    events: { streams: 'getMessageEvents' },
  },
  proposals: {
    list: { pages: 'listProposals' },
    /** Returns a proposal with its diff. */
    get: 'getProposal',
    /** Starts pushing it to a branch; `pushes.wait` waits for the end. */
    apply: 'applyProposal',
    /** Deletes a proposal; pushed files stay. */
    discard: 'discardProposal',
  },
  assistant: {
    settings: 'getAssistantSettings',
    /** Returns the text of a file of the dbt project, by its path in citations. */
    file: 'getProjectFile',
    /** Sets the model and the budget. The key is stored encrypted. */
    update: 'updateAssistantSettings',
  },
  events: {
    list: { pages: 'listEvents' },
    get: 'getEvent',
    /** Lists the event types, with schema and example. */
    types: 'listEventTypes',
  },
  webhooks: {
    create: 'createWebhook',
    list: { pages: 'listWebhooks' },
    get: 'getWebhook',
    update: 'updateWebhook',
    /** Deletes a webhook with its deliveries. */
    delete: 'deleteWebhook',
    /** Both secrets are valid for a time. A generated secret is in the answer, shown only once. */
    rotateSecret: 'rotateWebhookSecret',
    /** Sends a test event now, and returns the outcome. */
    test: 'testWebhook',
    /** Pauses a webhook: deliveries wait until it is enabled. */
    pause: 'pauseWebhook',
    /** Enables a webhook after a pause, or after it was disabled. */
    enable: 'enableWebhook',
    /** Delivers the events of a period again. */
    replay: 'replayEvents',
    /** Counts the deliveries in each state, and summarizes those of the last 7 days. */
    stats: 'getWebhookStats',
    /** Returns the same summary of every webhook in one request. */
    allStats: 'listWebhookStats',
    deliveries: { pages: 'listDeliveries' },
  },
  deliveries: {
    /** Lists the deliveries of all webhooks. */
    list: { pages: 'listAllDeliveries' },
    /** Returns a delivery with all its attempts. */
    get: 'getDelivery',
    /** Returns its request as it would be sent now, with headers and signature. */
    request: 'getDeliveryRequest',
    /** Delivers its event again. */
    redeliver: 'redeliver',
    /** Delivers the events of all deliveries that match the filter again; `dryRun` only counts them. */
    redeliverMany: 'redeliverMany',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Row>>>>

export type ResourceTable = typeof RESOURCES
