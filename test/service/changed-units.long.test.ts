// What the list of units and generations tells of the time since: other tables, edited models, and who asked.
import { DatabaseSync } from 'node:sqlite'
import { createClient } from '@stagecraft/client'
import { expect, test } from 'vitest'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { describeEachStore } from './each-store.ts'
import type { Shop } from './open-shop.ts'
import { callOf, openTestContext } from './open-test-context.ts'
import { createPush, openShopWithGit, untilEnded } from './push-shop.ts'
import { addProjectWithKey, serveContext } from './serve-context.ts'

const ORDERS = 'models/staging/main/stg_main__orders.sql'
const PROJECT = { 'dbt_project.yml': 'name: shop\n' }

/** Source, changes and columns of the units that a filter selects. */
async function unitsOf({ caller, handlers }: Shop, query: object = {}) {
  const { data } = await handlers.listUnits(callOf(caller, { query: { limit: 50, ...query } }))
  return data.items
    .map(({ changed = [], columns, source }) => `${source} ${columns} ${changed.join()}`.trim())
    .toSorted()
}

async function scan({ caller, context, handlers }: Shop): Promise<void> {
  const { data } = await handlers.createScan(callOf(caller, {}))
  const read = context.store.db.selectFrom('scans').select('state').where('id', '=', data.id)
  await expect.poll(async () => (await read.executeTakeFirst())?.state).toBe('completed')
}

function changeWarehouse({ warehouse }: Shop, statements: string): void {
  const database = new DatabaseSync(warehouse)
  database.exec(statements)
  database.close()
}

await describeEachStore('units that have changed', MIGRATIONS, (open) => {
  test('are those whose table a scan found to be another than they were generated from', async () => {
    const { shop } = await openShopWithGit(open)
    for (const table of ['orders', 'customers', 'payments']) await shop.generate(`main.${table}`)
    shop.work()
    await scan(shop)
    const asGenerated = ['main.customers 3', 'main.orders 3', 'main.payments 3']
    expect(await unitsOf(shop)).toEqual(asGenerated)
    changeWarehouse(shop, 'alter table orders add column note text; drop table payments;')
    await scan(shop)
    expect(await unitsOf(shop, { changed: 'source' })).toEqual([
      'main.orders 3 source',
      'main.payments 3 source',
    ])
    const query = { changed: 'source' } as const
    expect((await shop.handlers.countUnits(callOf(shop.caller, { query }))).data.units).toBe(2)
    await shop.generate('main.orders')
    expect(await unitsOf(shop)).toEqual(['main.customers 3', 'main.orders 4', 'main.payments 3 source'])
    changeWarehouse(
      shop,
      `alter table customers add column note text;
       create table payments (id integer primary key, order_id integer references orders (id), amount_cents integer)`,
    )
    await scan(shop)
    expect(await unitsOf(shop, { changed: 'source' })).toEqual(['main.customers 3 source'])
    changeWarehouse(shop, 'alter table customers drop column note')
    await scan(shop)
    expect(await unitsOf(shop, { changed: 'source' })).toEqual([])
  })

  test('are not those that were generated from the new table before a scan found it', async () => {
    const { shop } = await openShopWithGit(open)
    await shop.generate('main.orders')
    shop.work()
    await scan(shop)
    changeWarehouse(shop, 'alter table orders add column note text')
    await shop.generate('main.orders')
    await scan(shop)
    expect(await unitsOf(shop)).toEqual(['main.orders 4'])
  })

  test('are those whose model a push found edited, until it is replaced', async () => {
    const { repository, shop } = await openShopWithGit(open, { files: PROJECT })
    await shop.generate('main.orders')
    await shop.generate('main.customers')
    shop.work()
    expect(await untilEnded(shop, await createPush(shop))).toMatchObject({ outcome: 'pushed' })
    expect(await unitsOf(shop, { changed: 'files' })).toEqual([])
    const text = repository.read(ORDERS, 'stagecraft')
    repository.commit({ [ORDERS]: `${text}where total > 0\n` }, 'stagecraft')
    const edited = ['main.orders 3 files']
    expect(await untilEnded(shop, await createPush(shop, { dryRun: true }))).toMatchObject({
      outcome: 'planned',
    })
    expect(await unitsOf(shop, { changed: 'files' })).toEqual(edited)
    await untilEnded(shop, await createPush(shop, { overwrite: true, dryRun: true }))
    expect(await unitsOf(shop, { changed: 'files' })).toEqual(edited)
    expect(await untilEnded(shop, await createPush(shop, { overwrite: true }))).toMatchObject({
      outcome: 'pushed',
    })
    expect(repository.read(ORDERS, 'stagecraft')).toBe(text)
    expect(await unitsOf(shop, { changed: 'files' })).toEqual([])
  })
})

await describeEachStore('generations', MIGRATIONS, (open) => {
  test('name the request that asked for them, or for their batch', async () => {
    const { shop } = await openShopWithGit(open)
    const { caller, handlers } = shop
    await shop.generate('main.orders')
    const ofSession = { requestId: 'req_batch', caller: { ...caller, sessionId: 'ses_1' } }
    const { data: batch } = await handlers.createGeneration(callOf(caller, ofSession))
    const list = async (query: object) =>
      (await handlers.listGenerations(callOf(caller, { query: { limit: 50, ...query } }))).data.items
    const asked = {
      requestId: 'req_batch',
      operation: 'createGeneration',
      via: 'session',
      keyId: caller.keyId,
    }
    expect(batch.askedBy).toMatchObject(asked)
    expect((await list({ batchId: batch.id })).map(({ askedBy }) => askedBy)).toEqual([batch.askedBy])
    const alone = (await list({ kind: 'unit' })).find(({ batchId }) => batchId === undefined)
    expect(alone?.askedBy).toMatchObject({ requestId: 'req_test', operation: 'generate', via: 'key' })
  })

  test('have the name of the key', async () => {
    const context = openTestContext(await open())
    const { url } = await serveContext(context)
    const { keyId, projectId, secret } = await addProjectWithKey(context)
    const client = createClient({ baseUrl: url, apiKey: secret, projectId })
    const unit = await client.units.create({ type: 'staging', source: 'a.b' })
    const { askedBy } = await client.generations.create({ unitId: unit.id })
    const key = await context.store.db
      .selectFrom('api_keys')
      .select('name')
      .where('id', '=', keyId)
      .executeTakeFirstOrThrow()
    expect(askedBy).toMatchObject({ operation: 'createGeneration', via: 'key', keyId, keyName: key.name })
    const [entry] = await client.auditLog.list({ operation: 'createGeneration' }).all()
    expect(entry?.requestId).toBe(askedBy?.requestId)
  })
})
