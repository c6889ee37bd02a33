import { type API_SCHEMAS, exampleEvent } from '@stagecraft/spec/api'
import type { z } from 'zod'

const PROJECT = 'proj_0mfx3jx4q08d1b5e7a2c96f340'
const CONNECTION = 'conn_0mfx3jz85a90c4e1b7d62f38ab'
const UNIT = 'unit_0mfx3k9p17c2a94be5d0f8a3b2'
const GENERATION = 'gen_0mfx3kb2w61d07fa48c2e95b36'
const WEBHOOK = 'whk_0mfx3kd6n94b27e0c5a18f63d4'

const record = { version: 1, createdAt: '2026-11-21T09:00:00.000Z', updatedAt: '2026-11-21T09:00:00.000Z' }
const done = {
  state: 'completed',
  createdAt: '2026-11-21T09:30:00.000Z',
  startedAt: '2026-11-21T09:30:00.120Z',
  finishedAt: '2026-11-21T09:30:02.424Z',
} as const
const key = {
  id: 'key_0mfx3jx5e7d20a94b1c86f35e2',
  name: 'ci',
  hint: 'sk_live_UJZR…3le5',
  scopes: ['generate', 'read'] as ('generate' | 'read')[],
  createdAt: '2026-11-21T09:00:00.000Z',
}
const delivery = {
  id: 'dlv_0mfx3kc2a58e91d07b46f3c2a9',
  webhookId: WEBHOOK,
  eventId: 'evt_0mfx3kc19b7e40d2a86f53c1e8',
  event: 'generation.completed',
  state: 'delivered',
  trigger: 'event',
  attempts: 1,
  lastStatus: 200,
  createdAt: '2026-11-21T09:30:02.430Z',
  finishedAt: '2026-11-21T09:30:02.611Z',
} as const

/** A resource as it may look, by the name of its schema. */
export const RESOURCE_EXAMPLES = {
  Project: {
    id: PROJECT,
    name: 'Northlight Outfitters',
    dialect: 'snowflake',
    config: { naming: { glossary: { cust: 'customer' } } },
    connectionId: CONNECTION,
    git: { remote: 'https://git.example.com/analytics.git', branch: 'main', hasCredentials: true },
    ...record,
  },
  Key: key,
  KeySecret: { ...key, secret: 'sk_live_000000000000000000000000000000_000000' },
  Connection: {
    id: CONNECTION,
    name: 'warehouse',
    kind: 'postgres',
    target: 'db.example.com:5432/raw',
    isDefault: true,
    lastTest: { at: '2026-11-21T09:01:00.000Z', ok: true },
    ...record,
  },
  Scan: {
    id: 'scan_0mfx3k4d0e8b61a5f79c3d2084',
    connectionId: CONNECTION,
    ...done,
    progress: { done: 214, total: 214 },
    tables: 214,
    columns: 3980,
    changes: {
      tablesAdded: ['raw.stripe.disputes'],
      tablesRemoved: [],
      columnsAdded: [{ table: 'raw.stripe.payments', column: 'fee', type: 'numeric(18,2)' }],
      columnsRemoved: [],
      columnsRetyped: [],
    },
  },
  Unit: {
    id: UNIT,
    name: 'stg_stripe__payments',
    type: 'staging',
    source: 'raw.stripe.payments',
    options: { addTests: true, addDocs: true },
    lastGenerationId: GENERATION,
    ...record,
  },
  Generation: {
    id: GENERATION,
    kind: 'unit',
    unitId: UNIT,
    ...done,
    files: [{ path: 'models/staging/stripe/stg_stripe__payments.sql', lines: 42 }],
    tests: ['not_null', 'unique'],
    warnings: [],
    tokensUsed: 0,
    durationMs: 118,
  },
  Push: {
    id: 'push_0mfx3kf7t2c5d80e4a9b16f3d7',
    branch: 'stagecraft',
    message: 'Staging models',
    overwrite: false,
    ...done,
    outcome: 'pushed',
    commit: '9f2c1f6b7a3e5d4c8b0a1e2f3d4c5b6a79880716',
    files: [{ path: 'models/staging/stripe/stg_stripe__payments.sql', change: 'added', lines: 42 }],
  },
  Event: exampleEvent('generation.completed'),
  Webhook: {
    id: WEBHOOK,
    url: 'https://example.com/webhooks',
    events: ['generation.completed', 'generation.failed'],
    headerNames: [],
    state: 'active',
    consecutiveFailures: 0,
    lastSuccessAt: '2026-11-21T09:30:02.611Z',
    ...record,
  },
  Delivery: delivery,
  DeliveryDetail: {
    ...delivery,
    attemptLog: [
      {
        number: 1,
        startedAt: '2026-11-21T09:30:02.440Z',
        finishedAt: '2026-11-21T09:30:02.611Z',
        outcome: 'delivered',
        status: 200,
        durationMs: 171,
        excerpt: '{"ok":true}',
      },
    ],
  },
  Deleted: { id: UNIT, deleted: true },
} satisfies { [Name in keyof typeof API_SCHEMAS]?: z.input<(typeof API_SCHEMAS)[Name]> }
