import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { describeEachStore } from './each-store.ts'
import { createGate, gatedBackend } from './gated-backend.ts'
import { makeWarehouse, openShop, type Shop } from './open-shop.ts'
import { addProject, callOf } from './open-test-context.ts'

const SOURCES = ['main.customers', 'main.orders', 'main.payments']

async function createBatch({ caller, handlers }: Shop, body: object = {}): Promise<string> {
  return (await handlers.createGeneration(callOf(caller, { body }))).data.id
}

async function getGeneration({ caller, handlers }: Shop, generationId: string) {
  return (await handlers.getGeneration(callOf(caller, { params: { generationId } }))).data
}

async function untilEnded(shop: Shop, generationId: string) {
  await expect
    .poll(async () => (await getGeneration(shop, generationId)).state)
    .toMatch(/^(?:completed|failed|cancelled)$/)
  return await getGeneration(shop, generationId)
}

async function membersOf({ caller, handlers }: Shop, batchId: string) {
  const { data } = await handlers.listGenerations(callOf(caller, { query: { limit: 200, batchId } }))
  return data.items
}

async function archiveOf({ caller, handlers }: Shop): Promise<Uint8Array> {
  return (await handlers.getArchive(callOf(caller, {}))).bytes
}

/** The kinds of the events of each generation, in order. */
async function eventsOf(shop: Shop, unitId: string): Promise<readonly string[]> {
  const events = await shop.events()
  return events.filter(({ data }) => data['unit_id'] === unitId).map(({ event }) => event)
}

await describeEachStore('generations of many units', MIGRATIONS, (open) => {
  test('does all units of a project, which know of each other', async () => {
    const shop = await openShop(open)
    const units: string[] = []
    for (const source of SOURCES) units.push(await shop.addUnit(source, { options: { addTests: true } }))
    const id = await createBatch(shop)
    expect(await getGeneration(shop, id)).toMatchObject({
      kind: 'project',
      state: 'queued',
      units: { total: 3, completed: 0, failed: 0, cancelled: 0 },
    })
    shop.work()
    expect(await untilEnded(shop, id)).toMatchObject({
      state: 'completed',
      tokensUsed: 0,
      durationMs: expect.any(Number),
      units: { total: 3, completed: 3, failed: 0, cancelled: 0 },
    })
    const members = await membersOf(shop, id)
    expect(new Set(members.map(({ unitId }) => unitId))).toEqual(new Set(units))
    const orders = members.find(({ unitId }) => unitId === units[1])
    expect(orders?.tests).toContain('relationships')
    for (const unitId of units)
      expect(await eventsOf(shop, unitId)).toEqual([
        'unit.created',
        'generation.started',
        'generation.completed',
      ])
  })

  test('a unit that fails leaves the others be', async () => {
    const shop = await openShop(open)
    const good = await shop.addUnit('main.orders')
    const missing = await shop.addUnit('main.order')
    const strange = await shop.addUnit('main.payments', { options: { loader: 'none-such' } })
    shop.work()
    const id = await createBatch(shop)
    expect(await untilEnded(shop, id)).toMatchObject({
      state: 'completed',
      units: { total: 3, completed: 1, failed: 2, cancelled: 0 },
    })
    const members = new Map((await membersOf(shop, id)).map((one) => [one.unitId, one]))
    expect(members.get(good)).toMatchObject({ state: 'completed' })
    expect(members.get(missing)).toMatchObject({ state: 'failed', error: { code: 'INVALID_SOURCE' } })
    expect(members.get(strange)).toMatchObject({ state: 'failed', error: { code: 'INVALID_REQUEST' } })
    expect(await eventsOf(shop, missing)).toEqual(['unit.created', 'generation.started', 'generation.failed'])
  })

  test('a warehouse that cannot be read fails every unit, and says no more than why', async () => {
    const shop = await openShop(open, { warehouse: '/nonexistent/folder/warehouse.db' })
    const unitId = await shop.addUnit('main.orders')
    shop.work()
    const id = await createBatch(shop)
    expect(await untilEnded(shop, id)).toMatchObject({ state: 'failed', units: { failed: 1 } })
    const [member] = await membersOf(shop, id)
    expect(member).toMatchObject({ state: 'failed', error: { code: 'CONNECTION_FAILED' } })
    expect(JSON.stringify(member)).not.toContain('/nonexistent')
    expect(await eventsOf(shop, unitId)).toEqual(['unit.created', 'generation.started', 'generation.failed'])
  })

  test('does the units that are named, and one by itself', async () => {
    const shop = await openShop(open)
    const [first, second] = [await shop.addUnit('main.orders'), await shop.addUnit('main.customers')]
    await shop.addUnit('main.payments')
    shop.work()
    const batch = await createBatch(shop, { unitIds: [first, second, first] })
    expect(await untilEnded(shop, batch)).toMatchObject({ units: { total: 2, completed: 2 } })
    const one = await createBatch(shop, { unitId: first })
    const ended = await untilEnded(shop, one)
    expect(ended).toMatchObject({ kind: 'unit', state: 'completed', unitId: first })
    expect(ended.files?.map(({ path }) => path)).toContain('models/staging/main/stg_main__orders.sql')
    expect(ended.units).toBeUndefined()
    await expect(createBatch(shop, { unitIds: ['unit_none'] })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(createBatch(shop, { unitId: first, unitIds: [second] })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    })
  })

  test('a project without units has nothing to generate', async () => {
    const shop = await openShop(open)
    await expect(createBatch(shop)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: { suggestion: expect.stringContaining('POST /generate') },
    })
    await expect(archiveOf(shop)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })

  test('one that is cancelled stops what has not begun', async () => {
    const gate = createGate()
    const backend = gatedBackend(gate)
    const more = Array.from({ length: 5 }, (_, index) => `create table t${index} (id integer, name text);`)
    const shop = await openShop(open, {
      warehouse: makeWarehouse(more.join('')),
      settings: { llm: { backend, onFailure: 'fallback' } },
    })
    for (const source of [...SOURCES, 'main.t0', 'main.t1', 'main.t2', 'main.t3', 'main.t4'])
      await shop.addUnit(source)
    shop.work()
    const id = await createBatch(shop)
    await expect.poll(() => backend.asked()).toBe(4)
    const call = callOf(shop.caller, { params: { generationId: id } })
    await shop.handlers.cancelGeneration(call)
    const ended = await untilEnded(shop, id)
    expect(ended).toMatchObject({ state: 'cancelled', units: { total: 8, completed: 0, cancelled: 8 } })
    expect(ended.error).toBeUndefined()
    expect(backend.asked()).toBe(4)
    const events = (await shop.events()).map(({ event }) => event)
    expect(events.filter((event) => event === 'generation.started')).toHaveLength(4)
    expect(events.filter((event) => event === 'generation.failed')).toHaveLength(4)
    expect((await shop.handlers.cancelGeneration(call)).data).toEqual(ended)
  })

  test('one that is cancelled before it begins never does, nor do its units', async () => {
    const shop = await openShop(open)
    await shop.addUnit('main.orders')
    const id = await createBatch(shop)
    const call = callOf(shop.caller, { params: { generationId: id } })
    expect((await shop.handlers.cancelGeneration(call)).data).toMatchObject({
      state: 'cancelled',
      units: { total: 1, cancelled: 1 },
    })
    expect((await shop.events()).map(({ event }) => event)).toEqual(['unit.created'])
  })

  test('tokens of all units are summed, and what a process had paid for is not asked again', async () => {
    const gate = createGate()
    const backend = gatedBackend(gate)
    const settings = { llm: { backend, onFailure: 'fallback' } } as const
    const shop = await openShop(open, { settings })
    for (const source of SOURCES) await shop.addUnit(source)
    gate.open()
    shop.work()
    const id = await createBatch(shop)
    const ended = await untilEnded(shop, id)
    const members = await membersOf(shop, id)
    expect(ended.tokensUsed).toBe(members.reduce((sum, { tokensUsed }) => sum + tokensUsed, 0))
    expect(ended.tokensUsed).toBeGreaterThan(0)
    expect(members.every(({ warnings }) => warnings?.some(({ code }) => code === 'BACKEND_FAILED'))).toBe(
      true,
    )
    const asked = backend.asked()
    const { store } = shop.context
    await store.db.updateTable('generations').set({ state: 'running' }).where('batch_id', '=', id).execute()
    await store.db.deleteFrom('generated_files').execute()
    await store.db
      .updateTable('generations')
      .set({ state: 'queued', started_at: null, finished_at: null })
      .where('id', '=', id)
      .execute()
    expect((await untilEnded(shop, id)).state).toBe('completed')
    expect(backend.asked()).toBe(asked)
  })

  test('no archive has a file that leads out of it, whatever names are configured', async () => {
    const shop = await openShop(open)
    await shop.generate('main.orders')
    const config = { naming: { types: { staging: { folder: '../../outside' } } } }
    await shop.handlers.updateProject(callOf(shop.caller, { body: { config } }))
    await expect(archiveOf(shop)).rejects.toThrow(
      'config.naming: expected a path without empty parts, . and ..',
    )
  })

  test('the archive has the newest files of all units, tables of one source in shared files', async () => {
    const shop = await openShop(open)
    for (const source of SOURCES) await shop.addUnit(source, { options: { addTests: true } })
    shop.work()
    await untilEnded(shop, await createBatch(shop))
    const first = await archiveOf(shop)
    await shop.generate('main.orders', { options: { addTests: true } })
    await untilEnded(shop, await createBatch(shop))
    expect(Buffer.from(await archiveOf(shop)).equals(Buffer.from(first))).toBe(true)
    const files = unzipSync(first)
    const folder = 'models/staging/main'
    expect(Object.keys(files)).toEqual([
      `${folder}/_main__models.yml`,
      `${folder}/_main__sources.yml`,
      ...SOURCES.map((source) => `${folder}/stg_main__${source.slice(5)}.sql`),
    ])
    const text = (name: string): string => Buffer.from(files[`${folder}/${name}`] ?? []).toString()
    for (const source of SOURCES) {
      expect(text('_main__sources.yml')).toContain(`- name: ${source.slice(5)}`)
      expect(text('_main__models.yml')).toContain(`- name: stg_main__${source.slice(5)}`)
    }
    expect(text('_main__models.yml')).toContain('relationships')
    const { fileName } = await shop.handlers.getArchive(callOf(shop.caller, {}))
    expect(fileName).toBe('shop.zip')
  })

  test('lists by unit, batch, kind and state, page by page', async () => {
    const shop = await openShop(open)
    const unitId = await shop.addUnit('main.orders')
    shop.work()
    const batch = await createBatch(shop)
    await untilEnded(shop, batch)
    await untilEnded(shop, await createBatch(shop, { unitId }))
    const list = async (query: object) =>
      (await shop.handlers.listGenerations(callOf(shop.caller, { query: { limit: 50, ...query } }))).data
        .items
    expect(await list({})).toHaveLength(3)
    expect(await list({ unitId })).toHaveLength(2)
    expect(await list({ kind: 'project' })).toEqual([await getGeneration(shop, batch)])
    expect(await list({ state: 'failed' })).toEqual([])
    const page = await shop.handlers.listGenerations(callOf(shop.caller, { query: { limit: 2 } }))
    const rest = await list({ cursor: page.nextCursor })
    expect([...page.data.items, ...rest]).toEqual(await list({}))
    const other = await addProject(shop.context, 'Other')
    const call = callOf(other, { params: { generationId: batch, path: 'x' } })
    for (const operation of ['getGeneration', 'cancelGeneration', 'getGeneratedFile'] as const)
      await expect(shop.handlers[operation](call)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
