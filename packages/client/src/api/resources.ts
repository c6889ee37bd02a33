import type { ApiOperations, OperationId } from '@stagecraft/spec/api'

/** An operation that answers page by page. */
export type ListId = {
  readonly [Id in OperationId]: ApiOperations[Id] extends { readonly isList: true } ? Id : never
}[OperationId]

/** An operation that answers once. */
export type SingleId = Exclude<OperationId, ListId>

/** An operation that tells how far a job is. */
export type JobId = 'getScan' | 'getGeneration' | 'getPush'

/** One method of the client: a single call, a list of pages, or calls repeated until a job has ended. */
export type Row = SingleId | { readonly pages: ListId } | { readonly waits: JobId }

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
  },
  units: {
    /** A project has one unit for each type and source. */
    create: 'createUnit',
    list: { pages: 'listUnits' },
    get: 'getUnit',
    update: 'updateUnit',
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
    /** With all its attempts. */
    get: 'getDelivery',
    /** Delivers its event once more. */
    redeliver: 'redeliver',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Row>>>>

export type ResourceTable = typeof RESOURCES
