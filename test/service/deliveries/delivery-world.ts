import { randomBytes } from 'node:crypto'
import type { DeliveryPolicy } from '@stagecraft/webhooks'
import { type ServiceContext, createWakeups } from '../../../packages/service/src/context.ts'
import { publish } from '../../../packages/service/src/events/publish.ts'
import { ProjectThreads } from '../../../packages/service/src/talk/project-threads.ts'
import { CatalogCache } from '../../../packages/service/src/catalogs/catalog-cache.ts'
import { createCipher } from '../../../packages/service/src/secrets/cipher.ts'
import type { AttemptRow, WebhookRow } from '../../../packages/service/src/store/schema.ts'
import type { Store } from '../../../packages/service/src/store/store.ts'

/** Receivers on this machine. */
const LOOPBACK: DeliveryPolicy = { allowCidrs: ['127.0.0.0/8'], allowHttp: true }

/** The same in all processes of a test. */
const CIPHER = createCipher([Buffer.alloc(32, 7)])

export const PROJECT = 'proj_deliveries'

interface LogLine {
  readonly level: string
  readonly message: string
  readonly fields: object
}

/** What deliveries need of a service. */
export interface DeliveryWorld extends ServiceContext {
  readonly log: LogLine[]
}

export function deliveryWorld(store: Store, policy: DeliveryPolicy = LOOPBACK): DeliveryWorld {
  const log: LogLine[] = []
  const line = (level: string) => (fields: object, message: string) =>
    void log.push({ level, fields, message })
  return {
    store,
    log,
    cipher: CIPHER,
    ids: { next: (prefix) => `${prefix}_${Date.now().toString(36)}${randomBytes(8).toString('hex')}` },
    clock: Date,
    logger: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
    wakeups: createWakeups(),
    catalogs: new CatalogCache({ logger: { warn: line('warn') } }),
    projects: new ProjectThreads(),
    newKey: () => 'none',
    settings: {
      allowLocalFiles: true,
      connectionNetworks: [],
      deliveryPolicy: policy,
      llm: undefined,
      folder: '/nonexistent',
    },
  }
}

export interface WebhookOptions {
  readonly secret?: string
  readonly previous?: { readonly secret: string; readonly expiresAt: number }
  readonly headers?: Readonly<Record<string, string>>
  readonly change?: Partial<WebhookRow>
}

/** A webhook for deleted units; returns its id. */
export async function addWebhook(
  { cipher, ids, store }: ServiceContext,
  url: string,
  { change = {}, headers, previous, secret = 'a secret' }: WebhookOptions = {},
): Promise<string> {
  const id = ids.next('whk')
  const now = await store.now()
  const seal = (text: string, column: string): string => cipher.seal(text, `webhooks/${id}/${column}`)
  await ensureProject(store, now)
  const row: WebhookRow = {
    id,
    project_id: PROJECT,
    version: 1,
    created_at: now,
    updated_at: now,
    url,
    events: '["unit.deleted"]',
    description: null,
    secret: seal(secret, 'secret'),
    previous_secret: previous === undefined ? null : seal(previous.secret, 'previous_secret'),
    previous_secret_expires_at: previous?.expiresAt ?? null,
    headers: headers === undefined ? null : seal(JSON.stringify(headers), 'headers'),
    header_names: JSON.stringify(Object.keys(headers ?? {})),
    state: 'active',
    notice: null,
    consecutive_failures: 0,
    failing_since: null,
    last_success_at: null,
    breaker_until: null,
    breaker_opens: 0,
    window_size: 10,
    ...change,
  }
  await store.db.insertInto('webhooks').values(row).execute()
  return id
}

async function ensureProject(store: Store, now: number): Promise<void> {
  const times = { created_at: now, updated_at: now, version: 1 }
  const nothing = { dialect: null, dbt_version: null, connection_id: null, git: null, git_secret: null }
  await store.db
    .insertInto('projects')
    .values({ id: PROJECT, name: 'Deliveries', config: '{}', ...nothing, ...times })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Publishes events, each in a transaction of its own, as the service does. */
export async function publishEvents({ ids, store, wakeups }: ServiceContext, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await store.transaction(async (transaction) => {
      const now = await store.now(transaction)
      const unit = { unit_id: 'unit_1', unit_name: `unit ${index}`, unit_type: 'staging' as const }
      const data = { ...unit, source: 'raw.stripe.payments', options: {} }
      await publish(transaction, { projectId: PROJECT, event: 'unit.deleted', data }, { ids, now })
    })
    wakeups.notify('deliveries')
  }
}

/** Counts the deliveries in each state. */
export async function countStates({ store }: ServiceContext): Promise<Readonly<Record<string, number>>> {
  const rows = await store.db
    .selectFrom('deliveries')
    .select((query) => ['state', query.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ count, state }) => [state, count]))
}

/** The attempts of all deliveries, in order. */
export async function attemptsOf({ store }: ServiceContext): Promise<readonly AttemptRow[]> {
  return await store.db.selectFrom('attempts').selectAll().orderBy('delivery_id').orderBy('number').execute()
}
