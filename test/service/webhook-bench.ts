import { randomBytes } from 'node:crypto'
import type { Ids } from '@stagecraft/spec'
import type { Call } from '@stagecraft/spec/api'
import type { Lookup } from '@stagecraft/webhooks'
import { createCipher } from '../../packages/service/src/secrets/cipher.ts'
import { type ServiceContext, createWakeups } from '../../packages/service/src/context.ts'
import { ProjectThreads } from '../../packages/service/src/talk/project-threads.ts'
import { CatalogCache } from '../../packages/service/src/catalogs/catalog-cache.ts'
import type { DeliveryRow, WebhookRow } from '../../packages/service/src/store/schema.ts'
import type { Store } from '../../packages/service/src/store/store.ts'

export interface BenchOptions {
  readonly lookup?: Lookup
  readonly deliveryPolicy?: ServiceContext['settings']['deliveryPolicy']
}

/** A context over a store with two projects, `proj_1` and `proj_2`. */
export async function webhookContext(
  store: Store,
  { deliveryPolicy = {} }: BenchOptions = {},
): Promise<ServiceContext> {
  const project = { name: 'p', dialect: null, dbt_version: null, config: '{}', connection_id: null }
  const common = { ...project, git: null, git_secret: null, version: 1, created_at: 1, updated_at: 1 }
  await store.db
    .insertInto('projects')
    .values([
      { id: 'proj_1', ...common },
      { id: 'proj_2', ...common },
    ])
    .execute()
  const silent = () => {}
  return {
    store,
    cipher: createCipher([randomBytes(32)]),
    ids: countingIds(),
    clock: { now: () => Date.now() },
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    wakeups: createWakeups(),
    catalogs: new CatalogCache({ logger: { warn: silent } }),
    projects: new ProjectThreads(),
    newKey: () => randomBytes(16).toString('hex'),
    settings: {
      allowLocalFiles: false,
      connectionNetworks: [],
      deliveryPolicy,
      llm: undefined,
      folder: '/nowhere',
    },
  }
}

function countingIds(): Ids {
  let count = 0
  return {
    next: (prefix) => {
      count += 1
      return `${prefix}_${String(count).padStart(6, '0')}`
    },
  }
}

/** A DNS in which every name is public but those that begin with `inside.` and `nobody.`. */
export const publicLookup: Lookup = async (hostname) => {
  if (hostname.startsWith('nobody.')) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
  return [{ address: hostname.startsWith('inside.') ? '10.0.0.1' : '93.184.215.14', family: 4 }]
}

/** What a call of a list has when nothing is asked for. */
export const FIRST_PAGE = { query: { limit: 50 } }

/** A call of a key of `proj_1`, past its schemas. */
export function callOf<Parts extends object>(parts: Parts, projectId = 'proj_1') {
  const idle: { readonly signal: Call['signal'] } = new AbortController()
  return {
    caller: { keyId: 'key_1', projectId, scopes: ['webhooks', 'read'] },
    requestId: 'req_1',
    ifVersion: undefined,
    signal: idle.signal,
    params: {},
    query: undefined,
    body: undefined,
    ...parts,
  }
}

export async function webhookRow(store: Store, id: string): Promise<WebhookRow> {
  return await store.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** All deliveries of a webhook, in the order in which they were made. */
export async function deliveryRows(store: Store, webhookId: string): Promise<readonly DeliveryRow[]> {
  const rows = store.db.selectFrom('deliveries').selectAll().where('webhook_id', '=', webhookId)
  return await rows.orderBy('id').execute()
}
