// Handlers of every operation that remember how they were called, and answer with resources that never change.
import {
  type ApiHandlers,
  type ApiOperations,
  type Call,
  type ConnectionResource,
  type DeliveryDetail,
  type GenerationRecord,
  type Handler,
  type KeySecret,
  type OperationId,
  type ProjectResource,
  type PushResource,
  type Reply,
  type ScanResource,
  type UnitResource,
  type WebhookResource,
  exampleEvent,
} from '@stagecraft/spec/api'
import { StagecraftError } from '@stagecraft/spec'

export const PROJECT_ID = 'proj_1'
const TIME = '2026-11-21T09:30:00.000Z'
const record = { version: 3, createdAt: TIME, updatedAt: TIME }

const project: ProjectResource = { id: PROJECT_ID, name: 'Northlight', config: {}, ...record }
const key: KeySecret = {
  id: 'key_1',
  name: 'ci',
  hint: 'sk_…',
  scopes: ['read'],
  createdAt: TIME,
  secret: 'sk_x',
}
const { secret: _, ...keyWithoutSecret } = key
const connection: ConnectionResource = {
  id: 'conn_1',
  name: 'warehouse',
  kind: 'postgres',
  target: 'db/raw',
  isDefault: true,
  ...record,
}
const scan: ScanResource = { id: 'scan_1', connectionId: 'conn_1', state: 'queued', createdAt: TIME }
const source = {
  name: 'raw.stripe.payments',
  connectionId: 'conn_1',
  kind: 'table' as const,
  columns: 1,
  scanId: 'scan_1',
  scannedAt: TIME,
}
export const unit: UnitResource = {
  id: 'unit_1',
  name: 'Payments',
  type: 'staging',
  source: 'raw.stripe.payments',
  options: {},
  ...record,
}
const generation: GenerationRecord = {
  id: 'gen_1',
  kind: 'unit',
  state: 'queued',
  createdAt: TIME,
  tokensUsed: 7,
}
const push: PushResource = {
  id: 'push_1',
  branch: 'main',
  message: 'Models',
  overwrite: false,
  state: 'queued',
  createdAt: TIME,
}
const webhook: WebhookResource = {
  id: 'whk_1',
  url: 'https://example.com/',
  events: ['push.completed'],
  headerNames: [],
  state: 'active',
  consecutiveFailures: 0,
  ...record,
}
const delivery: DeliveryDetail = {
  id: 'dlv_1',
  webhookId: 'whk_1',
  eventId: 'evt_1',
  event: 'push.completed',
  state: 'delivered',
  trigger: 'event',
  attempts: 1,
  createdAt: TIME,
  attemptLog: [],
}
const { attemptLog: __, ...shortDelivery } = delivery
const event = exampleEvent('push.completed')
const NO_DELIVERIES = { pending: 0, sending: 0, delivered: 1, exhausted: 0, cancelled: 0, expired: 0 }

/** A call of whichever operation. */
interface RecordedCall extends Omit<Call, 'params' | 'query' | 'body'> {
  readonly params: object
  readonly query: unknown
  readonly body: unknown
}

export interface Recorded {
  readonly id: OperationId
  readonly call: RecordedCall
}

export interface ApiDouble {
  readonly handlers: ApiHandlers
  readonly calls: readonly Recorded[]
}

export function apiDouble(): ApiDouble {
  const calls: Recorded[] = []
  const answers =
    <Id extends OperationId>(id: Id, reply: Reply<ApiOperations[Id]>): Handler<ApiOperations[Id]> =>
    (call) => {
      calls.push({ id, call })
      return Promise.resolve(reply)
    }
  const deleted = (id: string) => ({ data: { id, deleted: true as const } })
  const handlers = {
    createProject: answers('createProject', { data: { ...project, key } }),
    listProjects: answers('listProjects', { data: { items: [project] } }),
    getProject: answers('getProject', { data: project }),
    updateProject: answers('updateProject', { data: project }),
    deleteProject: answers('deleteProject', deleted(PROJECT_ID)),
    createKey: answers('createKey', { data: key }),
    listKeys: answers('listKeys', { data: { items: [keyWithoutSecret] } }),
    revokeKey: answers('revokeKey', deleted('key_1')),
    createConnection: answers('createConnection', { data: connection }),
    listConnections: answers('listConnections', { data: { items: [connection] } }),
    getConnection: answers('getConnection', { data: connection }),
    updateConnection: answers('updateConnection', { data: connection }),
    deleteConnection: answers('deleteConnection', deleted('conn_1')),
    testConnection: answers('testConnection', { data: { ok: true, tables: 1, durationMs: 1 } }),
    createScan: answers('createScan', { data: scan }),
    listScans: answers('listScans', { data: { items: [scan] } }),
    getScan: answers('getScan', { data: scan }),
    cancelScan: answers('cancelScan', { data: scan }),
    listSources: answers('listSources', { data: { items: [source] } }),
    getSource: answers('getSource', {
      data: { ...source, table: { columns: [{ name: 'id', type: 'integer' }] } },
    }),
    createUnit: async (call) => {
      const made = calls.filter(({ id }) => id === 'createUnit').length + 1
      await answers('createUnit', { data: unit })(call)
      return { data: { ...unit, id: `unit_${made}` } }
    },
    listUnits: async (call) => {
      await answers('listUnits', { data: { items: [] } })(call)
      return { data: { items: [unit] }, nextCursor: call.query.cursor === undefined ? 'a+b&c' : undefined }
    },
    getUnit: answers('getUnit', { data: unit }),
    updateUnit: async (call) => {
      await answers('updateUnit', { data: unit })(call)
      if (call.ifVersion === undefined || call.ifVersion === 3) return { data: { ...unit, version: 4 } }
      throw new StagecraftError('INVALID_REQUEST', 'the unit was changed meanwhile', {
        details: { reason: 'version' },
      })
    },
    deleteUnit: answers('deleteUnit', deleted('unit_1')),
    createGeneration: answers('createGeneration', { data: generation, tokensUsed: 7 }),
    listGenerations: answers('listGenerations', { data: { items: [generation] } }),
    getGeneration: answers('getGeneration', { data: generation }),
    cancelGeneration: answers('cancelGeneration', { data: generation }),
    getGeneratedFile: answers('getGeneratedFile', {
      bytes: new TextEncoder().encode('größe'),
      fileName: 'stg "größe"\r\n.sql',
    }),
    getArchive: answers('getArchive', { bytes: Uint8Array.of(0x50, 0x4b, 0, 255), fileName: 'files.zip' }),
    createPush: answers('createPush', { data: push }),
    listPushes: answers('listPushes', { data: { items: [push] } }),
    getPush: answers('getPush', { data: push }),
    cancelPush: answers('cancelPush', { data: push }),
    listEvents: answers('listEvents', { data: { items: [event] } }),
    getEvent: answers('getEvent', { data: event }),
    listEventTypes: answers('listEventTypes', {
      data: { items: [{ event: 'push.completed', description: 'x', schema: {}, example: event }] },
    }),
    createWebhook: answers('createWebhook', { data: webhook }),
    listWebhooks: answers('listWebhooks', { data: { items: [webhook] } }),
    getWebhook: answers('getWebhook', { data: webhook }),
    updateWebhook: answers('updateWebhook', { data: webhook }),
    deleteWebhook: answers('deleteWebhook', deleted('whk_1')),
    rotateWebhookSecret: answers('rotateWebhookSecret', { data: { ...webhook, secret: 'whsec_x' } }),
    testWebhook: answers('testWebhook', { data: delivery }),
    pauseWebhook: answers('pauseWebhook', { data: webhook }),
    enableWebhook: answers('enableWebhook', { data: webhook }),
    replayEvents: answers('replayEvents', { data: { deliveries: 2 } }),
    getWebhookStats: answers('getWebhookStats', { data: { deliveries: NO_DELIVERIES } }),
    listDeliveries: answers('listDeliveries', { data: { items: [shortDelivery] } }),
    getDelivery: answers('getDelivery', { data: delivery }),
    redeliver: answers('redeliver', { data: shortDelivery }),
  } satisfies ApiHandlers
  return { handlers, calls }
}
