// The secrets of a store are sealed with a new key, after which the old one opens nothing and is not needed.
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { connectionHandlers } from '../../packages/service/src/connections/connection-handlers.ts'
import { readCatalogText } from '../../packages/service/src/connections/stored-connection.ts'
import type { ServiceContext } from '../../packages/service/src/context.ts'
import { storedIdempotency } from '../../packages/service/src/idempotency/stored-idempotency.ts'
import { gitSecretOf } from '../../packages/service/src/projects/git-settings.ts'
import { projectHandlers } from '../../packages/service/src/projects/project-handlers.ts'
import { readProject } from '../../packages/service/src/projects/project-settings.ts'
import { type Cipher, createCipher } from '../../packages/service/src/secrets/cipher.ts'
import { checkSecretKey } from '../../packages/service/src/secrets/load-keys.ts'
import { resealSecrets } from '../../packages/service/src/secrets/reseal-secrets.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { talkHandlers } from '../../packages/service/src/talk/talk-handlers.ts'
import { webhookHandlers } from '../../packages/service/src/webhooks/webhook-handlers.ts'
import { describeEachStore } from './each-store.ts'
import { addProject, callOf, openTestContext } from './open-test-context.ts'

const OLD = new Uint8Array(32).fill(1)
const NEW = new Uint8Array(32).fill(2)
const CATALOG = 'postgres://reader:hidden@db.example.com/raw'

interface StoredColumn {
  readonly table: string
  readonly column: string
}

const columnsOfFile = sql<StoredColumn>`
  select one.name as "table", two.name as "column" from sqlite_schema as one, pragma_table_info(one.name) as two
  where one.type = 'table'`
const columnsOfSchema = sql<StoredColumn>`
  select table_name as "table", column_name as "column" from information_schema.columns
  where table_schema = current_schema()`

await describeEachStore('resealed secrets', MIGRATIONS, (open, _place, engine) => {
  const opened = async () => {
    const context = openTestContext(await open())
    onTestFinished(() => context.catalogs.close())
    return { with: (...keys: readonly Uint8Array[]) => ({ ...context, cipher: createCipher(keys) }) }
  }

  /** All texts of the store that one key sealed, with the columns that hold them. */
  async function sealedBy({ newest }: Cipher, { store }: ServiceContext): Promise<readonly string[]> {
    const columns = await (engine === 'sqlite' ? columnsOfFile : columnsOfSchema).execute(store.db)
    const found: string[] = []
    for (const { column, table } of columns.rows) {
      const { rows } = await sql`
        select 1 from ${sql.table(table)} where cast(${sql.ref(column)} as text) like ${`${newest}%`}
      `.execute(store.db)
      found.push(...rows.map(() => `${table}.${column}`))
    }
    return found.toSorted()
  }

  /** Keeps a secret of every kind. */
  async function fill(context: ServiceContext) {
    await checkSecretKey(context)
    const caller = await addProject(context)
    const git = { remote: 'https://git.example.com/shop.git', token: 'token-of-git' }
    await projectHandlers(context).updateProject(callOf(caller, { body: { git } }))
    const connections = connectionHandlers(context)
    const body = { name: 'warehouse', catalog: CATALOG }
    const { data: connection } = await connections.createConnection(callOf(caller, { body }))
    const webhooks = webhookHandlers(context)
    const webhook = {
      url: 'https://127.0.0.1/hook',
      events: ['unit.created'],
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      headers: { authorization: 'Bearer of-a-header' },
    }
    const { data } = await webhooks.createWebhook(callOf(caller, { body: webhook }))
    const rotation = { params: { webhookId: data.id }, body: { overlapSeconds: 3600 } }
    await webhooks.rotateWebhookSecret(callOf(caller, rotation))
    const settings = { provider: 'anthropic', apiKey: 'sk-of-a-model' }
    await talkHandlers(context).updateAssistantSettings(callOf(caller, { body: settings }))
    const idempotency = storedIdempotency(context)
    const request = { holderId: caller.keyId, route: 'POST /v1/keys', key: 'once', bodyHash: 'hash' }
    const state = await idempotency.begin(request)
    const answer = { status: 201, headers: {}, body: 'sc_test_key' }
    if (state.state === 'fresh') await idempotency.finish(state.token, answer)
    return { caller, connection, request, answer }
  }

  test('need the old key no more', async () => {
    const store = await opened()
    const [before, both, after] = [store.with(OLD), store.with(NEW, OLD), store.with(NEW)]
    const { answer, caller, connection, request } = await fill(before)
    const kept = await sealedBy(before.cipher, before)
    expect(kept).toEqual([
      'assistant_settings.api_key',
      'connections.catalog',
      'idempotency_keys.answer',
      'projects.git_secret',
      'settings.value',
      'webhooks.headers',
      'webhooks.previous_secret',
      'webhooks.secret',
    ])
    await expect(checkSecretKey(after)).rejects.toThrow('STAGECRAFT_SECRET_KEY')

    expect(await resealSecrets(both)).toEqual({ resealed: kept.length, unreadable: [] })
    expect(await sealedBy(before.cipher, before)).toEqual([])
    expect(await sealedBy(after.cipher, after)).toEqual(kept)
    await expect(checkSecretKey(after)).resolves.toBeUndefined()
    const { db } = after.store
    const row = await db
      .selectFrom('connections')
      .selectAll()
      .where('id', '=', connection.id)
      .executeTakeFirstOrThrow()
    expect(readCatalogText(after, row)).toBe(CATALOG)
    expect(gitSecretOf(await readProject(db, caller.projectId), after.cipher)).toEqual({
      token: 'token-of-git',
    })
    expect(await storedIdempotency(after).begin(request)).toEqual({ state: 'replay', answer })
    expect(await resealSecrets(after)).toEqual({ resealed: 0, unreadable: [] })
  })

  test('are resealed beside those that no key opens, which are named and stay', async () => {
    const store = await opened()
    const { connection } = await fill(store.with(OLD))
    const lost = createCipher([new Uint8Array(32).fill(3)])
    const name = `connections/${connection.id}/catalog`
    const { db } = store.with(OLD).store
    await db
      .updateTable('connections')
      .set({ catalog: lost.seal(CATALOG, name) })
      .execute()
    expect(await resealSecrets(store.with(NEW, OLD))).toEqual({ resealed: 7, unreadable: [name] })
    expect(await sealedBy(lost, store.with(NEW))).toEqual(['connections.catalog'])
  })

  test('are all of many, and one that changes meanwhile is that of its writer', async () => {
    const store = await opened()
    const before = store.with(OLD)
    const caller = await addProject(before)
    const keys = Array.from({ length: 450 }, (_, index) => `key-${index}`)
    const idempotency = storedIdempotency(before)
    const request = { holderId: caller.keyId, route: 'POST /v1/keys', bodyHash: 'hash' }
    for (const key of keys) {
      const state = await idempotency.begin({ ...request, key })
      if (state.state === 'fresh')
        await idempotency.finish(state.token, { status: 200, headers: {}, body: key })
    }
    const both = store.with(NEW, OLD)
    const [one, two] = await Promise.all([resealSecrets(both), resealSecrets(both)])
    expect(one.resealed + two.resealed).toBe(keys.length)
    expect(await sealedBy(before.cipher, before)).toEqual([])
    const again = await storedIdempotency(store.with(NEW)).begin({ ...request, key: 'key-449' })
    expect(again).toMatchObject({ state: 'replay', answer: { body: 'key-449' } })
  })
})
