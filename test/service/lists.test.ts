import { createClient } from '@stagecraft/client'
import { expect, test } from 'vitest'
import type { ServiceContext } from '../../packages/service/src/context.ts'
import { newGeneration } from '../../packages/service/src/generations/batch-members.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { describeEachStore } from './each-store.ts'
import { openTestContext } from './open-test-context.ts'
import { addProjectWithKey, serveContext } from './serve-context.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

async function openClient(context: ServiceContext) {
  const { url } = await serveContext(context)
  const { projectId, secret } = await addProjectWithKey(context)
  return { projectId, client: createClient({ baseUrl: url, apiKey: secret, projectId }) }
}

/** A generation of a unit as a worker would have left it. */
async function addGeneration(
  { ids, store }: ServiceContext,
  {
    projectId,
    state,
    unitId,
  }: { projectId: string; unitId: string; state: 'completed' | 'failed' | 'queued' },
): Promise<string> {
  const id = ids.next('gen')
  const row = newGeneration(
    { id, kind: 'unit', columns: 'live', unit_id: unitId, project_id: projectId },
    await store.now(),
  )
  await store.db
    .insertInto('generations')
    .values({ ...row, state })
    .execute()
  if (state === 'completed')
    await store.db.updateTable('units').set({ last_generation_id: id }).where('id', '=', unitId).execute()
  return id
}

await describeEachStore('lists', MIGRATIONS, (open) => {
  test('of units are searched by name, source and state', async () => {
    const context = openTestContext(await open())
    const { client, projectId } = await openClient(context)
    const add = (name: string, source: string) => client.units.create({ type: 'staging', name, source })
    const [orders, payments, sales] = [
      await add('Orders', 'shop.orders'),
      await add('Zahlungen Übersicht', 'shop.payments'),
      await add('100%_sure', 'shop.sales'),
    ]
    const names = async (query: Parameters<typeof client.units.list>[0]) =>
      (await client.units.list(query).all()).map(({ name }) => name)
    expect(await names({ search: 'ORDER' })).toEqual(['Orders'])
    expect(await names({ search: 'übersicht' })).toEqual(['Zahlungen Übersicht'])
    expect(await names({ search: '%_' })).toEqual(['100%_sure'])
    expect(await names({ search: 'shop.' })).toHaveLength(3)
    expect(await names({ search: "' or 1=1 --" })).toEqual([])
    await addGeneration(context, { projectId, unitId: orders.id, state: 'completed' })
    await addGeneration(context, { projectId, unitId: payments.id, state: 'completed' })
    await addGeneration(context, { projectId, unitId: payments.id, state: 'failed' })
    expect(await names({ state: 'generated' })).toEqual(['Orders'])
    expect(await names({ state: 'failed' })).toEqual(['Zahlungen Übersicht'])
    expect(await names({ state: 'new' })).toEqual(['100%_sure'])
    await addGeneration(context, { projectId, unitId: sales.id, state: 'queued' })
    expect(await names({ state: 'generating' })).toEqual(['100%_sure'])
    expect(await client.units.get(payments.id)).toMatchObject({ state: 'failed' })
    expect(await client.units.get(sales.id)).not.toHaveProperty('generatedAt')
    const ended = { finished_at: Date.parse('2026-11-21T12:00:00Z'), tests: '["unique","not_null"]' }
    await context.store.db.updateTable('generations').set(ended).where('unit_id', '=', orders.id).execute()
    expect((await client.units.list({ search: 'Orders' }).all())[0]).toMatchObject({
      generatedAt: '2026-11-21T12:00:00.000Z',
      tests: ['unique', 'not_null'],
    })
    expect(await client.units.update(orders.id, { name: 'All orders' })).toMatchObject({ state: 'generated' })
    const generations = await client.generations.list({ search: 'zahl', state: 'failed' }).all()
    expect(generations).toMatchObject([{ unitId: payments.id }])
    const late = new Date((await context.store.now()) + 60_000).toISOString()
    expect(await client.generations.list({ since: late }).all()).toEqual([])
    expect(await client.generations.list({ until: late }).all()).toHaveLength(4)
  })

  test('of keys are searched by name and by state', async () => {
    let offset = 0
    const context = openTestContext(await open({ clockOffset: () => offset }))
    const { client } = await openClient(context)
    const soon = new Date((await context.store.now()) + 60_000).toISOString()
    await client.keys.create({ name: 'brief', scopes: ['read'], expiresAt: soon })
    const { id } = await client.keys.create({ name: 'gone', scopes: ['read'] })
    await client.keys.revoke(id)
    offset = 120_000
    const names = async (query: Parameters<typeof client.keys.list>[0]) =>
      (await client.keys.list(query).all()).map(({ name }) => name)
    expect(await names({ state: 'expired' })).toEqual(['brief'])
    expect(await names({ state: 'revoked' })).toEqual(['gone'])
    expect(await names({ state: 'active' })).toHaveLength(1)
    expect(await names({ search: 'GON' })).toEqual(['gone'])
  })

  test('of connections, webhooks, events, pushes, scans and analyses take their filters', async () => {
    const { client } = await openClient(openTestContext(await open()))
    await client.connections.create({ name: 'Lake', catalog: 'postgres://u:p@db.example.com/raw' })
    await client.connections.create({ name: 'file', catalog: 'duckdb:/tmp/a.duckdb' })
    const connections = async (query: Parameters<typeof client.connections.list>[0]) =>
      (await client.connections.list(query).all()).map(({ name }) => name)
    expect(await connections({ kind: 'duckdb' })).toEqual(['file'])
    expect(await connections({ search: 'EXAMPLE.com' })).toEqual(['Lake'])
    const hook = (path: string, event: 'unit.created' | 'unit.deleted') =>
      client.webhooks.create({ url: `https://example.com/${path}`, events: [event], secret: SECRET })
    const [, paused] = [await hook('first', 'unit.created'), await hook('second', 'unit.deleted')]
    await client.webhooks.pause(paused.id)
    const webhooks = async (query: Parameters<typeof client.webhooks.list>[0]) =>
      (await client.webhooks.list(query).all()).map(({ url }) => url)
    expect(await webhooks({ state: 'paused' })).toEqual(['https://example.com/second'])
    expect(await webhooks({ event: 'unit.created' })).toEqual(['https://example.com/first'])
    expect(await webhooks({ search: 'SECOND' })).toEqual(['https://example.com/second'])
    const unit = await client.units.create({ type: 'staging', source: 'shop.orders' })
    expect(await client.events.list({ search: unit.id }).all()).toHaveLength(1)
    expect(await client.events.list({ search: 'unit_unknown' }).all()).toEqual([])
    expect(await client.pushes.list({ branch: 'main', outcome: 'pushed', search: 'a' }).all()).toEqual([])
    expect(await client.scans.list({ connectionId: 'conn_1', state: 'failed' }).all()).toEqual([])
    expect(await client.analyses.list({ branch: 'main' }).all()).toEqual([])
    expect(await client.sources.list({ kind: 'view' }).all()).toEqual([])
  })
})

await describeEachStore('deliveries of a project', MIGRATIONS, (open) => {
  test('stand in one list, and those that failed are sent again by a filter, counted first', async () => {
    const context = openTestContext(await open())
    const { client } = await openClient(context)
    const hook = (path: string) =>
      client.webhooks.create({ url: `https://example.com/${path}`, events: ['unit.created'], secret: SECRET })
    const [first, second, off] = [await hook('first'), await hook('second'), await hook('off')]
    for (const source of ['a.one', 'a.two']) await client.units.create({ type: 'staging', source })
    const all = await client.deliveries.list({ limit: 4 }).all()
    expect(all).toHaveLength(6)
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    )
    const { db } = context.store
    const ended = { last_status: 503, last_failure: 'Status 503', finished_at: 1 }
    await db
      .updateTable('deliveries')
      .set({ state: 'exhausted', ...ended })
      .execute()
    const delivered = all.find(({ webhookId }) => webhookId === second.id)?.id ?? ''
    await db
      .updateTable('deliveries')
      .set({ state: 'delivered', last_status: 200 })
      .where('id', '=', delivered)
      .execute()
    await db.updateTable('webhooks').set({ state: 'disabled' }).where('id', '=', off.id).execute()
    const count = async (query: Parameters<typeof client.deliveries.list>[0]) =>
      (await client.deliveries.list(query).all()).length
    expect(await count({ webhookId: first.id })).toBe(2)
    expect(await count({ state: 'exhausted' })).toBe(5)
    expect(await count({ state: 'delivered', status: 200 })).toBe(1)
    expect(await count({ search: 'status 5' })).toBe(6)
    expect(await count({ eventId: all[0]?.eventId })).toBe(3)

    const again = { dryRun: false }
    expect(await client.deliveries.redeliverMany({ dryRun: true })).toEqual({ deliveries: 3, remaining: 0 })
    expect(await client.deliveries.redeliverMany({ dryRun: true, webhookId: second.id })).toMatchObject({
      deliveries: 1,
    })
    await expect(client.deliveries.redeliverMany({ webhookId: 'whk_unknown' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'there is no webhook whk_unknown',
    })
    expect(await client.deliveries.redeliverMany({ dryRun: true, status: 500 })).toMatchObject({
      deliveries: 0,
    })
    expect(await client.deliveries.redeliverMany({ dryRun: true, states: ['delivered'] })).toMatchObject({
      deliveries: 1,
    })
    const results = await Promise.all([
      client.deliveries.redeliverMany(again),
      client.deliveries.redeliverMany(again),
    ])
    expect(results.reduce((sum, { deliveries }) => sum + deliveries, 0)).toBe(3)
    expect(await client.deliveries.redeliverMany()).toEqual({ deliveries: 0, remaining: 0 })
    const made = await client.deliveries.list({ state: 'pending' }).all()
    expect(made.map(({ trigger, webhookId }) => `${trigger} ${webhookId}`).toSorted()).toEqual(
      [`manual ${first.id}`, `manual ${first.id}`, `manual ${second.id}`].toSorted(),
    )
    await db.updateTable('deliveries').set({ state: 'exhausted' }).where('trigger', '=', 'manual').execute()
    expect(await client.deliveries.redeliverMany({ dryRun: true })).toMatchObject({ deliveries: 3 })
  })
})
