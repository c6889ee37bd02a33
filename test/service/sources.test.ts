import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine } from '@stagecraft/core'
import { tableSchema } from '@stagecraft/spec'
import { API_OPERATIONS } from '@stagecraft/spec/api'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { addConnection } from '../../packages/service/src/connections/connection-handlers.ts'
import { findConnection, openConnection } from '../../packages/service/src/connections/stored-connection.ts'
import { runJobs } from '../../packages/service/src/jobs/run-jobs.ts'
import { scanHandlers } from '../../packages/service/src/scans/scan-handlers.ts'
import { scanJobs } from '../../packages/service/src/scans/run-scan.ts'
import { scannedCatalog } from '../../packages/service/src/sources/scanned-catalog.ts'
import { sourceHandlers } from '../../packages/service/src/sources/source-handlers.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { describeEachStore } from './each-store.ts'
import { addProject, callOf, openTestContext } from './open-test-context.ts'

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-sources-'))
afterAll(() => rmSync(folder, { recursive: true }))

const SHOP = `
  create table shop.orders (id int primary key, total numeric, customer_id int references shop.customers (id));
  create table shop.customers (id int primary key, name text not null);
  create table shop."Größe_100%" (id int);
  create table shop.grosse_1000 (id int);
  create table web.visits (id int);
  comment on table web.visits is 'of the site';
`

await describeEachStore('sources', MIGRATIONS, (open) => {
  async function setUp(scripts: readonly string[] = [SHOP]) {
    const context = openTestContext(await open())
    onTestFinished(() => context.catalogs.close())
    const caller = await addProject(context)
    const handlers = { ...scanHandlers(context), ...sourceHandlers(context) }
    const jobs = runJobs(context, [scanJobs(context)], { pollMs: 20 })
    onTestFinished(() => jobs.stop())
    const connections: string[] = []
    for (const script of scripts) {
      const file = join(folder, `${context.ids.next('req')}.sql`)
      writeFileSync(file, script)
      const catalog = `${file}?dialect=postgres`
      const { id } = await addConnection({ projectId: caller.projectId, name: 'shop', catalog }, context)
      connections.push(id)
      const scan = await handlers.createScan(callOf(caller, { body: { connectionId: id } }))
      const params = { scanId: scan.data.id }
      const state = async () => (await handlers.getScan(callOf(caller, { params }))).data.state
      await expect.poll(state).toBe('completed')
    }
    const list = async (query: object = {}) => {
      const { data, nextCursor } = await handlers.listSources(
        callOf(caller, { query: { limit: 50, ...query } }),
      )
      return { names: API_OPERATIONS.listSources.data.parse(data).items.map(({ name }) => name), nextCursor }
    }
    const get = async (name: string, query: object = {}) =>
      (await handlers.getSource(callOf(caller, { params: { name }, query }))).data
    return { caller, connections, context, get, handlers, list }
  }

  test('are listed by name, page by page', async () => {
    const { list } = await setUp([SHOP, 'create table shop.orders (id int)'])
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await list({ limit: 2, ...(cursor !== undefined && { cursor }) })
      expect(page.names.length).toBeLessThanOrEqual(2)
      seen.push(...page.names)
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(seen).toHaveLength(6)
    expect(seen).toEqual((await list()).names)
    expect(seen.filter((name) => name === 'shop.orders')).toHaveLength(2)
  })

  test('are found by connection, schema and part of the name', async () => {
    const { connections, list } = await setUp([SHOP, 'create table other.orders (id int)'])
    expect((await list({ connectionId: connections[1] })).names).toEqual(['other.orders'])
    expect((await list({ schema: 'web' })).names).toEqual(['web.visits'])
    expect((await list({ search: 'ORD' })).names.toSorted()).toEqual(['other.orders', 'shop.orders'])
    expect((await list({ search: 'GRÖSSE', schema: 'shop' })).names).toEqual([])
    expect((await list({ search: 'GRÖ' })).names).toEqual(['shop."Größe_100%"'])
    expect((await list({ search: '100%' })).names).toEqual(['shop."Größe_100%"'])
    expect((await list({ search: 'e_1' })).names.toSorted()).toEqual([
      'shop."Größe_100%"',
      'shop.grosse_1000',
    ])
    expect((await list({ search: '\\' })).names).toEqual([])
    expect((await list({ search: 'a\0' })).names).toEqual([])
  })

  test.each(['nonsense', 'WyJhIl0', Buffer.from('["a\\u0000","b"]').toString('base64url')])(
    'refuse the cursor %s',
    async (cursor) => {
      const { list } = await setUp([])
      await expect(list({ cursor })).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        details: { faults: [{ path: 'query.cursor' }] },
      })
    },
  )

  test('are got by name as stored, and as one would type it', async () => {
    const { connections, get } = await setUp()
    const source = await get('shop.orders')
    expect(API_OPERATIONS.getSource.data.parse(source)).toEqual(source)
    expect(source).toMatchObject({
      name: 'shop.orders',
      connectionId: connections[0],
      columns: 3,
      kind: 'table',
    })
    expect(tableSchema.parse(source.table).foreignKeys).toHaveLength(1)
    expect(await get('SHOP.Orders')).toEqual(source)
    expect((await get('"shop"."Größe_100%"')).name).toBe('shop."Größe_100%"')
    expect((await get('visits')).comment).toBe('of the site')
  })

  test('that are not there are answered with near ones', async () => {
    const { caller, context, get, connections } = await setUp()
    await expect(get('shop.ordres')).rejects.toMatchObject({
      code: 'INVALID_SOURCE',
      details: { suggestion: 'did you mean orders?' },
    })
    await expect(get('shop."ORDERS"')).rejects.toMatchObject({ code: 'INVALID_SOURCE' })
    await expect(get('shop..orders')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    await expect(get('"a\0"')).rejects.toMatchObject({ code: 'INVALID_SOURCE' })
    await expect(get('shop.orders', { connectionId: 'conn_none' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    const stranger = await addProject(context, 'Other')
    const call = callOf(stranger, {
      params: { name: 'shop.orders' },
      query: { connectionId: connections[0] },
    })
    await expect(sourceHandlers(context).getSource(call)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(caller.projectId).not.toBe(stranger.projectId)
  })

  test('of a connection that was not scanned: one is told to scan it', async () => {
    const { caller, context, get } = await setUp([])
    const { projectId } = caller
    await addConnection({ projectId, name: 'new', catalog: 'postgres://h/d' }, context)
    for (const ask of [() => get('a.b'), () => scannedCatalog(context, { projectId })]) {
      await expect(ask()).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        details: { suggestion: `scan it with POST /v1/projects/${projectId}/scans` },
      })
    }
  })

  test('make a catalog that generates what the warehouse itself would', async () => {
    const { caller, context } = await setUp()
    const scanned = await scannedCatalog(context, caller)
    const live = await openConnection(context, await findConnection(context, caller))
    expect(scanned.dialect).toBe(live.dialect)
    expect(scanned.statesDatabase).toBe(live.statesDatabase)
    expect(await scanned.tables({})).toEqual(await live.tables({}))
    expect(await scanned.tables({ schema: { text: 'SHOP', quoted: false } })).toHaveLength(4)
    const request = { type: 'staging', source: 'shop.orders', options: { addTests: true } } as const
    const answers = [scanned, live].map((catalog) => createEngine({ catalog }).generate(request))
    const [one, other] = await Promise.all(answers)
    expect(one?.data).toEqual(other?.data)
    await expect(
      createEngine({ catalog: scanned }).generate({ type: 'staging', source: 'shop.ordres' }),
    ).rejects.toThrow('did you mean orders?')
  })
})
