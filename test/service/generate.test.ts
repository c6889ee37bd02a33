import { createEngine } from '@stagecraft/core'
import { openCatalog } from '@stagecraft/catalogs'
import type { Backend } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { storedEngine } from '../../packages/service/src/generations/stored-engine.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { describeEachStore } from './each-store.ts'
import { openShop, type Shop } from './open-shop.ts'
import { callOf } from './open-test-context.ts'

/** A backend that answers when it is told to. */
function slowBackend() {
  const asked: (() => void)[] = []
  const backend: Backend = {
    id: 'test:slow',
    complete: ({ signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
        for (const resolve of asked.splice(0)) resolve()
      }),
  }
  return { backend, isAsked: () => new Promise<void>((resolve) => asked.push(resolve)) }
}

async function rowsOf({ context: { store } }: Shop) {
  return await store.db.selectFrom('generations').selectAll().orderBy('id').execute()
}

await describeEachStore('POST /generate of a service', MIGRATIONS, (open) => {
  test('a try with other options is kept, and is not what the archive has', async () => {
    const shop = await openShop(open)
    const options = { addTests: true }
    await shop.generate('main.orders', { options })
    const newest = async () => (await shop.handlers.listUnits(callOf(shop.caller, {}))).data.items[0]
    const before = await newest()
    await shop.generate('main.orders')
    expect(await newest()).toEqual(before)
    await shop.generate('main.orders', { options })
    expect((await newest())?.lastGenerationId).not.toBe(before?.lastGenerationId)
  })

  test('answers as the engine does, and keeps what it made', async () => {
    const shop = await openShop(open)
    const request = { type: 'staging', source: 'main.orders', options: { addTests: true } } as const
    const catalog = await openCatalog(`sqlite:${shop.warehouse}`)
    const expected = await createEngine({ catalog }).generate(request)
    await catalog.close()
    const answer = await shop.generate('main.orders', { options: { addTests: true, columns: 'live' } })
    expect(answer.data).toEqual(expected.data)
    expect(answer.meta).toEqual({
      requestId: 'req_test',
      timestamp: expect.stringMatching(/Z$/),
      tokensUsed: 0,
    })
    const units = await shop.handlers.listUnits(callOf(shop.caller, {}))
    const [unit] = units.data.items
    expect(unit).toMatchObject({ name: 'stg_main__orders', options: { addTests: true } })
    const generationId = unit?.lastGenerationId ?? ''
    const { data } = await shop.handlers.getGeneration(callOf(shop.caller, { params: { generationId } }))
    expect(data).toMatchObject({
      kind: 'unit',
      state: 'completed',
      unitId: unit?.id,
      tests: expected.data.tests,
      warnings: expected.data.warnings,
      tokensUsed: 0,
      files: expected.data.files.map(({ path }) => ({ path, lines: expect.any(Number) })),
    })
    for (const { content, path } of expected.data.files) {
      const file = await shop.handlers.getGeneratedFile(
        callOf(shop.caller, { params: { generationId, path } }),
      )
      expect(new TextDecoder().decode(file.bytes)).toBe(content)
    }
    const missing = callOf(shop.caller, { params: { generationId, path: 'models/none.sql' } })
    await expect(shop.handlers.getGeneratedFile(missing)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('tells of a new unit, the begin and the end, in this order', async () => {
    const shop = await openShop(open)
    const { data } = await shop.generate('main.orders')
    await shop.generate('main.orders', { options: { addDocs: true } })
    const [unit] = (await shop.handlers.listUnits(callOf(shop.caller, {}))).data.items
    const [first, second] = await rowsOf(shop)
    const fields = { unit_id: unit?.id, unit_name: 'stg_main__orders', unit_type: 'staging' }
    const files_generated = data.files.map(({ content, path }) => ({
      path,
      lines: content.split('\n').length - 1,
    }))
    const events = (await shop.events()).map(({ data, event }) => [event, data])
    expect(events).toEqual([
      ['unit.created', { ...fields, source: 'main.orders', options: {} }],
      ['generation.started', { ...fields, generation_id: first?.id }],
      ['generation.completed', { ...fields, files_generated, duration_ms: expect.any(Number) }],
      ['generation.started', { ...fields, generation_id: second?.id }],
      [
        'generation.completed',
        { ...fields, files_generated: expect.any(Array), duration_ms: expect.any(Number) },
      ],
    ])
    expect(unit?.options).toEqual({})
    expect(unit?.lastGenerationId).toBe(first?.id)
  })

  test('what is refused leaves nothing behind', async () => {
    const shop = await openShop(open)
    const { caller } = shop
    await expect(shop.engine.generate({ type: 'mart', source: 1 }, { caller })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: { faults: [{ path: 'type' }, { path: 'source' }] },
    })
    await expect(shop.generate('main.order')).rejects.toMatchObject({
      code: 'INVALID_SOURCE',
      details: { suggestion: expect.stringContaining('orders') },
    })
    await expect(shop.generate('main.orders', { options: { loader: 'none-such' } })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    })
    await expect(shop.generate('main.orders', { options: { columns: 'scan' } })).rejects.toThrow(/scan/)
    await expect(shop.engine.generate({ type: 'staging', source: 'main.orders' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    expect(await shop.events()).toEqual([])
    expect(await rowsOf(shop)).toEqual([])
    expect((await shop.handlers.listUnits(callOf(caller, {}))).data.items).toEqual([])
  })

  test('requests for one source at once make one unit', async () => {
    const shop = await openShop(open)
    await Promise.all(Array.from({ length: 4 }, () => shop.generate('main.orders')))
    const events = (await shop.events()).map(({ event }) => event)
    expect(events.filter((event) => event === 'unit.created')).toHaveLength(1)
    expect(events.filter((event) => event === 'generation.completed')).toHaveLength(4)
  })

  test('reads the newest scan where that is asked for', async () => {
    const shop = await openShop(open)
    shop.work()
    const { caller, handlers } = shop
    const { data } = await handlers.createScan(callOf(caller, { body: {} }))
    const scanId = data.id
    await expect
      .poll(async () => (await handlers.getScan(callOf(caller, { params: { scanId } }))).data.state)
      .toBe('completed')
    const live = await shop.generate('main.orders', { options: { addTests: true } })
    const scanned = await shop.generate('main.orders', { options: { addTests: true, columns: 'scan' } })
    expect(scanned.data).toEqual(live.data)
    const columns = (await rowsOf(shop)).map((row) => row.columns)
    expect(columns).toEqual(['live', 'scan'])
  })

  test('a client that goes away leaves a generation that was cancelled', async () => {
    const { backend, isAsked } = slowBackend()
    const shop = await openShop(open, { settings: { llm: { backend } } })
    const gone = new AbortController()
    const asked = isAsked()
    const answer = shop.engine.generate(
      { type: 'staging', source: 'main.orders' },
      { caller: shop.caller, signal: gone.signal },
    )
    await asked
    gone.abort(new Error('gone'))
    await expect(answer).rejects.toThrow('gone')
    const [row] = await rowsOf(shop)
    expect(row).toMatchObject({ state: 'cancelled', lease_owner: null })
    expect((await shop.events()).map(({ event }) => event)).toEqual([
      'unit.created',
      'generation.started',
      'generation.failed',
    ])
  })

  test('one that is cancelled answers nothing, and ends once', async () => {
    const { backend, isAsked } = slowBackend()
    const shop = await openShop(open, { settings: { llm: { backend } } })
    const gone = new AbortController()
    const asked = isAsked()
    const answer = shop.engine.generate(
      { type: 'staging', source: 'main.orders' },
      { caller: shop.caller, signal: gone.signal },
    )
    await asked
    const [row] = await rowsOf(shop)
    const call = callOf(shop.caller, { params: { generationId: row?.id } })
    expect((await shop.handlers.cancelGeneration(call)).data.state).toBe('cancelled')
    gone.abort(new Error('gone'))
    await expect(answer).rejects.toThrow('gone')
    expect((await shop.events()).filter(({ event }) => event === 'generation.failed')).toMatchObject([
      { data: { generation_id: row?.id, error: { message: 'the job was cancelled' } } },
    ])
  })

  test('one whose backend fails says so, without a file', async () => {
    const backend: Backend = { id: 'test:broken', complete: () => Promise.reject(new Error('hunter2')) }
    const shop = await openShop(open, { settings: { llm: { backend } } })
    await expect(shop.generate('main.orders')).rejects.toThrow()
    const [row] = await rowsOf(shop)
    expect(row?.state).toBe('failed')
    expect(row?.error).not.toContain('hunter2')
    expect((await shop.events()).at(-1)).toMatchObject({
      event: 'generation.failed',
      data: { generation_id: row?.id, error: { code: 'GENERATION_FAILED' }, duration_ms: expect.any(Number) },
    })
  })

  test('one whose process is no more has failed once its lease is over', async () => {
    const { backend, isAsked } = slowBackend()
    const shop = await openShop(open, { settings: { llm: { backend } } })
    const asked = isAsked()
    const gone = new AbortController()
    const answer = shop.engine.generate(
      { type: 'staging', source: 'main.orders' },
      { caller: shop.caller, signal: gone.signal },
    )
    await asked
    await shop.context.store.db.updateTable('generations').set({ lease_until: 1 }).execute()
    shop.work()
    await expect.poll(async () => (await rowsOf(shop))[0]?.state).toBe('failed')
    gone.abort(new Error('gone'))
    await expect(answer).rejects.toThrow('gone')
    expect((await shop.events()).filter(({ event }) => event === 'generation.failed')).toHaveLength(1)
    expect(await rowsOf(shop)).toHaveLength(1)
  })

  test('a request keeps its lease while it works, and stops when somebody ended it', async () => {
    const { backend, isAsked } = slowBackend()
    const shop = await openShop(open, { settings: { llm: { backend } } })
    const asked = isAsked()
    const answer = storedEngine(shop.context, { renewMs: 20 }).generate(
      { type: 'staging', source: 'main.orders' },
      { caller: shop.caller },
    )
    answer.catch(() => undefined)
    await asked
    const [row] = await rowsOf(shop)
    await expect.poll(async () => (await rowsOf(shop))[0]?.lease_until).toBeGreaterThan(row?.lease_until ?? 0)
    await shop.handlers.cancelGeneration(callOf(shop.caller, { params: { generationId: row?.id } }))
    await expect(answer).rejects.toMatchObject({
      code: 'GENERATION_FAILED',
      details: { reason: 'the job was cancelled, or its unit was deleted' },
    })
  })
})
