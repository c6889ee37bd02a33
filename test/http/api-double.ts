// Handlers of every operation that remember how they were called, and answer with resources that never change.
import {
  type AnalysisResource,
  type ApiHandlers,
  type ApiOperations,
  type Call,
  type Caller,
  type ConnectionResource,
  type ConversationResource,
  type DeliveryDetail,
  type FindingResource,
  type GenerationRecord,
  type Handler,
  type KeySecret,
  type MessageResource,
  type OperationId,
  type ProjectResource,
  type ProposalResource,
  type PushResource,
  type Reply,
  type ScanResource,
  type StreamMessage,
  type SessionResource,
  type TalkMessage,
  type UnitResource,
  type WebhookResource,
  exampleEvent,
} from '@stagecraft/spec/api'
import { type Explanation, StagecraftError } from '@stagecraft/spec'

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
const session: SessionResource = {
  id: 'ses_1',
  projectId: PROJECT_ID,
  keyId: 'key_1',
  keyName: 'ci',
  scopes: ['read'],
}
const connection: ConnectionResource = {
  id: 'conn_1',
  name: 'warehouse',
  kind: 'postgres',
  target: 'db/raw',
  isDefault: true,
  ...record,
}
const conversation: ConversationResource = {
  id: 'conv_1',
  keyId: 'key_1',
  messages: 1,
  createdAt: TIME,
  updatedAt: TIME,
}
export const message: MessageResource = {
  id: 'msg_1',
  conversationId: 'conv_1',
  content: 'Where is fct_orders used?',
  tools: 'read',
  state: 'queued',
  createdAt: TIME,
  usage: { input: 5, cacheRead: 0, cacheWrite: 0, output: 2, reasoning: 0, attempts: 1, incomplete: false },
  tokensUsed: 7,
}
const proposal: ProposalResource = {
  id: 'prop_1',
  kind: 'yaml',
  title: 'describe stg_orders',
  state: 'open',
  files: [{ path: 'models/stg.yml', change: 'create', diff: '+a' }],
  evidence: [],
  notes: [],
  createdAt: TIME,
  expiresAt: TIME,
}

/** Each kind of content that an event can have. */
async function* exampleEvents(): AsyncGenerator<StreamMessage<TalkMessage>> {
  yield { id: '1', data: { event: 'text.delta', data: { text: 'a\nb' } } }
  yield { id: '2', data: { event: 'message.completed', envelope: { success: true } } }
}

const scan: ScanResource = {
  id: 'scan_1',
  connectionId: 'conn_1',
  profile: false,
  state: 'queued',
  createdAt: TIME,
}
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
  state: 'new',
  ...record,
}
const explanation: Explanation = {
  type: 'staging',
  source: unit.source,
  model: 'stg_stripe__payments',
  decisions: [],
  columns: [
    {
      column: 'ID',
      type: 'integer',
      name: 'id',
      decisions: [
        {
          about: 'name',
          value: 'id',
          reasons: [{ rule: 'name.snake', evidence: 'name', text: '"ID" in snake case' }],
          keys: ['naming.columns'],
        },
      ],
    },
  ],
  warnings: [],
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
  dryRun: false,
  state: 'queued',
  createdAt: TIME,
}
const analysis: AnalysisResource = {
  id: 'anl_1',
  origin: 'repository',
  state: 'queued',
  createdAt: TIME,
}
const finding: FindingResource = {
  rule: 'SC308',
  name: 'missing-reference',
  group: 'properties',
  severity: 'error',
  state: 'new',
  message: 'there is no model fct_order',
  help: 'did you mean fct_orders?',
  path: 'models/fct_open.sql',
  start: { line: 1, column: 15 },
  end: { line: 1, column: 31 },
  text: "select * from {{ ref('fct_order') }}",
  subject: { kind: 'model', name: 'fct_open' },
  fingerprint: '0'.repeat(64),
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

/** A stream that ends. */
async function* messages() {
  yield { id: '1-1', data: { event: 'open' as const } }
  yield { id: '1-2', data: { event: 'change' as const, kind: 'unit' as const, ids: ['unit_1'] } }
}

/** A call of whichever operation. */
interface RecordedCall extends Omit<Call, 'caller' | 'params' | 'query' | 'body'> {
  readonly caller: Caller | undefined
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
    rotateKey: answers('rotateKey', { data: key }),
    getActivity: answers('getActivity', { data: { units: 0, hours: [] } }),
    revokeKey: answers('revokeKey', deleted('key_1')),
    listAuditEntries: answers('listAuditEntries', {
      data: { items: [{ id: 'aud_1', at: TIME, via: 'key', operation: 'createUnit', outcome: 'done' }] },
    }),
    createSession: answers('createSession', {
      data: session,
      cookie: { token: 'token_1', maxAgeSeconds: 60 },
    }),
    getSession: answers('getSession', { data: session }),
    deleteSession: answers('deleteSession', { ...deleted('ses_1'), cookie: null }),
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
    listSuggestions: answers('listSuggestions', { data: { items: [] } }),
    createUnit: async (call) => {
      const made = calls.filter(({ id }) => id === 'createUnit').length + 1
      await answers('createUnit', { data: unit })(call)
      return { data: { ...unit, id: `unit_${made}` } }
    },
    createUnits: answers('createUnits', {
      data: {
        matched: 1,
        created: 1,
        existing: 0,
        units: [{ source: unit.source, name: unit.name, unitId: unit.id, isNew: true }],
      },
    }),
    countUnits: answers('countUnits', { data: { units: 1 } }),
    listUnits: async (call) => {
      await answers('listUnits', { data: { items: [] } })(call)
      return { data: { items: [unit] }, nextCursor: call.query.cursor === undefined ? 'a+b&c' : undefined }
    },
    getUnit: answers('getUnit', { data: unit }),
    explainUnit: answers('explainUnit', { data: explanation }),
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
    diffGenerations: answers('diffGenerations', { data: { to: { id: 'gen_1' }, files: [] } }),
    deleteGeneration: answers('deleteGeneration', deleted('gen_1')),
    getArchive: answers('getArchive', { bytes: Uint8Array.of(0x50, 0x4b, 0, 255), fileName: 'files.zip' }),
    createAnalysis: answers('createAnalysis', { data: analysis }),
    listAnalyses: answers('listAnalyses', { data: { items: [analysis] } }),
    getAnalysis: answers('getAnalysis', { data: analysis }),
    cancelAnalysis: answers('cancelAnalysis', { data: analysis }),
    fixAnalysis: answers('fixAnalysis', { data: push }),
    getAssistantSettings: answers('getAssistantSettings', { data: { hasKey: false, tokensToday: 0 } }),
    updateAssistantSettings: answers('updateAssistantSettings', { data: { hasKey: false, tokensToday: 0 } }),
    createConversation: answers('createConversation', { data: conversation }),
    listConversations: answers('listConversations', { data: { items: [conversation] } }),
    getConversation: answers('getConversation', { data: conversation }),
    deleteConversation: answers('deleteConversation', deleted('conv_1')),
    discardProposal: answers('discardProposal', deleted('prop_1')),
    getProjectFile: answers('getProjectFile', {
      bytes: new TextEncoder().encode('select 1\n'),
      fileName: 'stg_orders.sql',
    }),
    getTranscript: answers('getTranscript', {
      bytes: new TextEncoder().encode('{"type":"conversation"}\n'),
      fileName: 'conv_1.jsonl',
    }),
    createMessage: answers('createMessage', { data: message, tokensUsed: 7 }),
    listMessages: answers('listMessages', { data: { items: [message] } }),
    getMessage: answers('getMessage', { data: message }),
    getMessageEvents: answers('getMessageEvents', {
      messages: { [Symbol.asyncIterator]: exampleEvents },
    }),
    cancelMessage: answers('cancelMessage', { data: message }),
    retryMessage: answers('retryMessage', { data: message }),
    listProposals: answers('listProposals', { data: { items: [proposal] } }),
    getProposal: answers('getProposal', { data: proposal }),
    applyProposal: answers('applyProposal', { data: push }),
    listFindings: answers('listFindings', { data: { items: [finding] } }),
    createPush: answers('createPush', { data: push }),
    listPushes: answers('listPushes', { data: { items: [push] } }),
    getPush: answers('getPush', { data: push }),
    cancelPush: answers('cancelPush', { data: push }),
    streamChanges: (call) => {
      calls.push({ id: 'streamChanges', call })
      return Promise.resolve({ messages: messages() })
    },
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
    getWebhookStats: answers('getWebhookStats', {
      data: { deliveries: NO_DELIVERIES, recent: { ended: 0, delivered: 0 } },
    }),
    listWebhookStats: answers('listWebhookStats', {
      data: { items: [{ webhookId: 'whk_1', ended: 4, delivered: 3, p95Ms: 20 }] },
    }),
    listDeliveries: answers('listDeliveries', { data: { items: [shortDelivery] } }),
    listAllDeliveries: answers('listAllDeliveries', { data: { items: [shortDelivery] } }),
    redeliverMany: answers('redeliverMany', { data: { deliveries: 2, remaining: 0 } }),
    getDelivery: answers('getDelivery', { data: delivery }),
    getDeliveryRequest: answers('getDeliveryRequest', {
      data: { method: 'POST', url: 'https://example.com/', headers: { 'webhook-id': 'evt_1' }, body: '{}' },
    }),
    redeliver: answers('redeliver', { data: shortDelivery }),
  } satisfies ApiHandlers
  return { handlers, calls }
}
