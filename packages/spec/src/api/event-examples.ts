import type { EventData, EventKind } from './events.ts'

/** The whole body of an event, by its kind. */
type EventBody<Kind extends EventKind> = {
  readonly id: string
  readonly event: Kind
  readonly created_at: string
  readonly project_id: string
  readonly data: EventData[Kind]
}

const unit = { unit_id: 'unit_01k1', unit_name: 'stg_stripe__payments', unit_type: 'staging' } as const
const settings = { ...unit, source: 'raw.stripe.payments', options: { addTests: true } } as const
const files = [
  { path: 'models/staging/stripe/stg_stripe__payments.sql', lines: 42 },
  { path: 'models/staging/stripe/_stripe__models.yml', lines: 57 },
]

/** One event of each kind, as receivers get it. */
export const EVENT_EXAMPLES: { readonly [Kind in EventKind]: EventBody<Kind> } = {
  'unit.created': example('unit.created', settings),
  'unit.updated': example('unit.updated', { ...settings, options: { addTests: true, addDocs: true } }),
  'unit.deleted': example('unit.deleted', settings),
  'generation.started': example('generation.started', { ...unit, generation_id: 'gen_01k3' }),
  'generation.completed': example('generation.completed', {
    ...unit,
    files_generated: files,
    duration_ms: 1834,
  }),
  'generation.failed': example('generation.failed', {
    ...unit,
    generation_id: 'gen_01k3',
    error: { code: 'INVALID_SOURCE', message: 'there is no table raw.stripe.payments' },
    duration_ms: 212,
  }),
  'scan.completed': example('scan.completed', {
    scan_id: 'scan_01k4',
    connection_id: 'conn_01k5',
    tables: 48,
    columns: 612,
    tables_added: 1,
    tables_removed: 0,
    columns_added: 3,
    columns_removed: 1,
    columns_retyped: 2,
    duration_ms: 5120,
  }),
  'push.completed': example('push.completed', {
    push_id: 'push_01k6',
    branch: 'stagecraft/staging',
    commit: '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12',
    files_pushed: files,
    duration_ms: 2906,
  }),
}

function example<Kind extends EventKind>(event: Kind, data: EventData[Kind]): EventBody<Kind> {
  const created_at = '2026-11-21T09:30:00.000Z'
  return { id: 'evt_01k2', event, created_at, project_id: 'proj_01k0', data }
}
