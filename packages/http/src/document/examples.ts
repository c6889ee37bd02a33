import type { ErrorCode, ErrorEnvelope, GenerationRequest } from '@stagecraft/spec'
import { API_SCHEMAS, type Operation, exampleEvent } from '@stagecraft/spec/api'
import type { z } from '@stagecraft/spec/zod'

/** Requests that a service over a catalog with `raw.stripe.payments` accepts. */
export const REQUEST_EXAMPLES: Readonly<Record<string, { summary: string; value: GenerationRequest }>> = {
  short: {
    summary: 'A staging model only',
    value: { type: 'staging', source: 'raw.stripe.payments' },
  },
  whole: {
    summary: 'With tests and documentation',
    value: {
      type: 'staging',
      source: 'raw.stripe.payments',
      options: { addTests: true, addDocs: true },
    },
  },
  options: {
    summary: 'With further options',
    value: {
      type: 'staging',
      source: 'raw.stripe.payments',
      options: { addTests: true, casts: 'full', dataTypes: true, materialized: 'table' },
    },
  },
}

const REQUEST_ID = 'req_0mfx3k9p17c2a94be5d0f8a3b2'

type ErrorBody = Omit<ErrorEnvelope['error'], 'code'>

/** A response for each error code. */
const ERRORS = {
  UNAUTHORIZED: { message: 'expected a valid key in the header "Authorization: Bearer <key>"' },
  FORBIDDEN: { message: 'the key lacks the scope "generate"', details: { scope: 'generate' } },
  NOT_FOUND: { message: 'no such path: /generat; /openapi.json lists all paths' },
  RATE_LIMITED: {
    message: 'too many requests; try again in 3 s',
    details: { suggestion: 'try again in 3 s' },
  },
  INVALID_REQUEST: {
    message: 'the request is not valid: options.addTests: expected true or false, got "yes"',
    details: { faults: [{ path: 'options.addTests', expected: 'true or false', received: '"yes"' }] },
  },
  INVALID_SOURCE: {
    message: 'source stripe.paymets: no table paymets in the schema stripe; did you mean payments?',
    details: { suggestion: 'did you mean payments?' },
  },
  GENERATION_FAILED: {
    message: 'the generation was stopped: not done within 30 s',
    details: { reason: 'not done within 30 s' },
  },
  CONNECTION_FAILED: {
    message: 'the warehouse cannot be read: connection refused',
    details: { reason: 'connection refused' },
  },
} satisfies Record<ErrorCode, ErrorBody>

export function errorExample(code: ErrorCode): ErrorEnvelope {
  return { success: false, error: { code, ...ERRORS[code] }, meta: { requestId: REQUEST_ID } }
}

export const SUCCESS_EXAMPLE = {
  success: true,
  data: {
    code: "with\n\nsource as (\n\n    select * from {{ source('stripe', 'payments') }}\n\n),\n…",
    schema: 'version: 2\n\nmodels:\n  - name: stg_stripe__payments\n…',
    tests: ['not_null', 'unique'],
    warnings: [],
    files: [
      {
        path: 'models/staging/stripe/stg_stripe__payments.sql',
        content: 'with\n…',
        covers: ['stg_stripe__payments'],
      },
    ],
  },
  meta: { requestId: REQUEST_ID, timestamp: '2026-11-21T09:30:00.000Z', tokensUsed: 0 },
}

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

const MODEL = 'models/staging/stripe/stg_stripe__payments.sql'
const push: z.infer<(typeof API_SCHEMAS)['Push']> = {
  id: 'push_0mfx3kf7t2c5d80e4a9b16f3d7',
  branch: 'stagecraft',
  message: 'Staging models',
  overwrite: false,
  dryRun: false,
  ...done,
  outcome: 'pushed',
  commit: '9f2c1f6b7a3e5d4c8b0a1e2f3d4c5b6a79880716',
  files: [{ path: MODEL, change: 'changed', lines: 42 }],
}
const plan: z.infer<(typeof API_SCHEMAS)['PushPlan']> = {
  folder: '',
  counts: { create: 0, update: 0, merge: 1, remove: 0, conflict: 0, foreign: 0, unchanged: 2 },
  files: [
    {
      path: MODEL,
      action: 'merge',
      changes: true,
      covers: ['stg_stripe__payments'],
      conflicts: [],
      notes: [],
      diff: `--- a/${MODEL}\n+++ b/${MODEL}\n@@ -11,3 +11,4 @@\n         amount,\n+        fee,\n         currency\n`,
    },
  ],
  tables: [
    {
      source: 'raw.stripe.payments',
      model: 'stg_stripe__payments',
      state: 'known',
      drifts: [{ kind: 'added', column: 'fee', after: 'bigint' }],
    },
  ],
  warnings: [],
}

/** An example of each resource, by the name of its schema. */
const RESOURCE_EXAMPLES = {
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
  AuditEntry: {
    id: 'aud_0mfx3jy0c4d81b6e2a97f5c3d0',
    at: '2026-11-21T09:30:00.000Z',
    keyId: key.id,
    keyName: key.name,
    via: 'key',
    operation: 'createUnit',
    resourceId: UNIT,
    outcome: 'done',
    requestId: REQUEST_ID,
  },
  Session: {
    id: 'ses_0mfx3jx9b1e60d27a4c85f3b91',
    projectId: PROJECT,
    keyId: key.id,
    keyName: key.name,
    scopes: key.scopes,
    createdAt: '2026-11-21T09:30:00.000Z',
    expiresAt: '2026-11-28T09:30:00.000Z',
    idleExpiresAt: '2026-11-21T21:30:00.000Z',
  },
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
    profile: false,
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
    state: 'generated',
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
  Push: push,
  PlannedPush: { ...push, plan },
  PushPlan: plan,
  ChangeMessage: {
    event: 'change',
    kind: 'generation',
    ids: [GENERATION],
    changes: ['updated'],
    states: { [GENERATION]: 'completed' },
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

const META = { requestId: REQUEST_ID, timestamp: '2026-11-21T09:30:00.000Z', tokensUsed: 0 }

/** Returns an example response of an operation; undefined if its resource has no example. */
export function answerExample({ data, isList }: Operation): unknown {
  if (!data) return undefined
  const example = exampleOf(isList ? itemOf(data) : data)
  if (example === undefined) return undefined
  return { success: true, data: isList ? { items: [example] } : example, meta: META }
}

function exampleOf(schema: unknown): unknown {
  const name = Object.entries(API_SCHEMAS).find(([, known]) => known === schema)?.[0]
  return name === undefined ? undefined : (RESOURCE_EXAMPLES as Readonly<Record<string, unknown>>)[name]
}

/** Returns the schema of a list's items. */
function itemOf(schema: z.ZodType): unknown {
  const { items } = (schema as z.ZodObject<{ items: z.ZodArray }>).shape
  return items.element
}
