import type { EventData, EventKind } from './events.ts'

const unit = {
  unit_id: 'unit_0mfx3k9p17c2a94be5d0f8a3b2',
  unit_name: 'stg_stripe__payments',
  unit_type: 'staging',
} as const
const settings = { ...unit, source: 'raw.stripe.payments', options: { addTests: true, addDocs: true } }
const generation = 'gen_0mfx3kb2w61d07fa48c2e95b36'
const file = 'models/staging/stripe/stg_stripe__payments.sql'

/** Example `data` of each event type. */
const EVENT_EXAMPLES: EventData = {
  'unit.created': settings,
  'unit.updated': settings,
  'unit.deleted': settings,
  'generation.started': { ...unit, generation_id: generation },
  'generation.completed': { ...unit, files_generated: [{ path: file, lines: 42 }], duration_ms: 118 },
  'generation.failed': {
    ...unit,
    generation_id: generation,
    error: {
      code: 'INVALID_SOURCE',
      message: 'source stripe.payments: no table payments in the schema stripe',
    },
    duration_ms: 35,
  },
  'scan.completed': {
    scan_id: 'scan_0mfx3k4d0e8b61a5f79c3d2084',
    connection_id: 'conn_0mfx3jz85a90c4e1b7d62f38ab',
    tables: 214,
    columns: 3980,
    tables_added: 2,
    tables_removed: 0,
    columns_added: 31,
    columns_removed: 1,
    columns_retyped: 3,
    duration_ms: 2304,
  },
  'push.completed': {
    push_id: 'push_0mfx3kf7t2c5d80e4a9b16f3d7',
    branch: 'stagecraft',
    commit: '9f2c1f6b7a3e5d4c8b0a1e2f3d4c5b6a79880716',
    files_pushed: [{ path: file, lines: 42 }],
    duration_ms: 1840,
  },
}

/** Returns an example body of a delivery. */
export function exampleEvent<Kind extends EventKind>(kind: Kind) {
  return {
    id: 'evt_0mfx3kc19b7e40d2a86f53c1e8',
    event: kind,
    created_at: '2026-11-21T09:30:00.000Z',
    project_id: 'proj_0mfx3jx4q08d1b5e7a2c96f340',
    data: EVENT_EXAMPLES[kind],
  }
}
