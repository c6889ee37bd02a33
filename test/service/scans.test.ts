import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tableSchema } from '@stagecraft/spec'
import { API_OPERATIONS, type ScanResource } from '@stagecraft/spec/api'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import {
  addConnection,
  connectionHandlers,
} from '../../packages/service/src/connections/connection-handlers.ts'
import { change } from '../../packages/service/src/change.ts'
import { createLease, type Lease } from '../../packages/service/src/jobs/lease.ts'
import { runJobs } from '../../packages/service/src/jobs/run-jobs.ts'
import { runScan, scanJobs } from '../../packages/service/src/scans/run-scan.ts'
import { scanHandlers } from '../../packages/service/src/scans/scan-handlers.ts'
import { sourceHandlers } from '../../packages/service/src/sources/source-handlers.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { describeWithServer, postgresServer } from '../servers.ts'
import { describeEachStore } from './each-store.ts'
import { addProject, callOf, openTestContext } from './open-test-context.ts'
import { PASSWORD, testWarehouse } from './warehouse.ts'

const server = await postgresServer()
const folder = mkdtempSync(join(tmpdir(), 'stagecraft-scans-'))
afterAll(() => rmSync(folder, { recursive: true }))

const NOTHING = {
  tablesAdded: [],
  tablesRemoved: [],
  columnsAdded: [],
  columnsRemoved: [],
  columnsRetyped: [],
}

await describeEachStore('scans', MIGRATIONS, (open) => {
  /** A project with a connection; its catalog is a file of CREATE TABLE statements unless another one is given. */
  async function setUp(catalog?: string) {
    const context = openTestContext(await open())
    onTestFinished(() => context.catalogs.close())
    const caller = await addProject(context)
    const file = join(folder, `${context.ids.next('req')}.sql`)
    writeFileSync(file, 'create table shop.orders (id int primary key, total numeric);')
    const { projectId } = caller
    const connection = await addConnection({ projectId, name: 'shop', catalog: catalog ?? file }, context)
    const handlers = { ...scanHandlers(context), ...sourceHandlers(context), ...connectionHandlers(context) }
    const create = async () => (await handlers.createScan(callOf(caller, {}))).data
    const get = async (scanId: string): Promise<ScanResource> =>
      API_OPERATIONS.getScan.data.parse((await handlers.getScan(callOf(caller, { params: { scanId } }))).data)
    const work = (): void => {
      const jobs = runJobs(context, [scanJobs(context)], { pollMs: 20 })
      onTestFinished(() => jobs.stop())
    }
    const ended = async (id: string): Promise<ScanResource> => {
      await expect.poll(async () => (await get(id)).state).not.toMatch(/queued|running/)
      return get(id)
    }
    const events = () => context.store.db.selectFrom('events').selectAll().execute()
    return { caller, connection, context, create, ended, events, file, get, handlers, work }
  }

  test('a scan stores tables, and says so in an event', async () => {
    const { connection, context, create, ended, events, work } = await setUp()
    const scan = await create()
    expect(scan).toEqual({
      id: scan.id,
      connectionId: connection.id,
      profile: false,
      state: 'queued',
      createdAt: scan.createdAt,
    })
    work()
    expect(await ended(scan.id)).toMatchObject({
      state: 'completed',
      progress: { done: 1, total: 1 },
      tables: 1,
      columns: 2,
      changes: { ...NOTHING, tablesAdded: ['shop.orders'] },
    })
    const [event, ...others] = await events()
    expect(others).toEqual([])
    expect(JSON.parse(event?.payload ?? '')).toMatchObject({
      event: 'scan.completed',
      data: { scan_id: scan.id, connection_id: connection.id, tables: 1, columns: 2, tables_added: 1 },
    })
    const [row] = await context.store.db.selectFrom('source_tables').selectAll().execute()
    expect(tableSchema.parse(JSON.parse(row?.definition ?? ''))).toMatchObject({
      schema: 'shop',
      name: 'orders',
      primaryKey: ['id'],
    })
  })

  test('what stayed the same keeps its row, and is seen by the newer scan', async () => {
    const { context, create, ended, file, work } = await setUp()
    work()
    await ended((await create()).id)
    writeFileSync(
      file,
      'create table shop.orders (id int primary key, total numeric); create table shop.b (c int);',
    )
    const { changes, id } = await ended((await create()).id)
    expect(changes).toEqual({ ...NOTHING, tablesAdded: ['shop.b'] })
    expect((await ended((await create()).id)).changes).toEqual(NOTHING)
    const rows = await context.store.db.selectFrom('source_tables').select('scan_id').execute()
    expect(rows).toHaveLength(2)
    expect(rows.some(({ scan_id }) => scan_id === id)).toBe(false)
  })

  test('tables of two databases stay apart', async () => {
    const { create, ended, file, work } = await setUp()
    writeFileSync(
      file,
      'create table a.shop.orders (id int); create table b.shop.orders (id int); create table b."My"."x.y" (id int);',
    )
    work()
    const { changes } = await ended((await create()).id)
    expect(changes?.tablesAdded).toEqual(['a.shop.orders', 'b.My."x.y"', 'b.shop.orders'])
  })

  test('a scan that fails says why, and changes nothing', async () => {
    const { caller, create, ended, events, handlers, work } = await setUp(
      `postgres://me:${PASSWORD}@127.0.0.1:1/x`,
    )
    work()
    const failed = await ended((await create()).id)
    expect(failed).toMatchObject({ state: 'failed', error: { code: 'CONNECTION_FAILED' } })
    expect(JSON.stringify(failed)).toContain('connection refused')
    expect(JSON.stringify(failed)).not.toContain(PASSWORD)
    expect(await events()).toEqual([])
    const { data } = await handlers.listScans(callOf(caller, { query: { limit: 50, state: 'failed' } }))
    expect(data.items).toEqual([failed])
    const none = await handlers.listScans(callOf(caller, { query: { limit: 50, state: 'completed' } }))
    expect(none.data.items).toEqual([])
  })

  test('a queued scan is cancelled at once, one that has ended stays as it is', async () => {
    const { caller, create, ended, get, handlers, work } = await setUp()
    const { id } = await create()
    const cancel = (scanId: string) => handlers.cancelScan(callOf(caller, { params: { scanId } }))
    expect((await cancel(id)).data).toMatchObject({ state: 'cancelled' })
    work()
    const other = await ended((await create()).id)
    expect(await get(id)).toMatchObject({ state: 'cancelled' })
    expect((await cancel(other.id)).data).toEqual(other)
    await expect(cancel('scan_none')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('a running scan is cancelled, and stores nothing', async () => {
    const { caller, create, ended, events, handlers, context } = await setUp()
    const { id } = await create()
    const reached = Promise.withResolvers<void>()
    const kind = scanJobs(context)
    const run: typeof kind.run = (row, held) =>
      kind.run(row, {
        ...held,
        // stops where the tables were read and nothing is stored
        progress: async (columns) => {
          await held.progress(columns)
          reached.resolve()
          await new Promise((resolve) => held.signal.addEventListener('abort', resolve))
        },
      })
    const jobs = runJobs(context, [{ ...kind, run }], { pollMs: 20 })
    onTestFinished(() => jobs.stop())
    await reached.promise
    const { data } = await handlers.cancelScan(callOf(caller, { params: { scanId: id } }))
    expect(data).toMatchObject({ state: 'running', progress: { done: 0, total: 1 } })
    expect(await ended(id)).toMatchObject({ state: 'cancelled' })
    expect(await events()).toEqual([])
    expect((await handlers.listSources(callOf(caller, {}))).data.items).toEqual([])
  })

  test('of two scans at once, the one that ends later has read again', async () => {
    const { context, create, ended, file, get, work } = await setUp()
    const [first, second] = [await create(), await create()]
    const { store } = context
    const row = await store.db
      .selectFrom('scans')
      .selectAll()
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow()
    await store.db
      .updateTable('scans')
      .set({ state: 'running', lease_until: 9e15 })
      .where('id', '=', first.id)
      .execute()
    let reads = 0
    const held: Lease<'scans'> = {
      ...createLease(context, { table: 'scans', row, signal: new AbortController().signal }),
      finish: (write) =>
        change(context, row.project_id, async (tx) => {
          const end = { state: 'completed' as const, finished_at: await tx.now() }
          const set = { ...(await write(tx)), ...end }
          await tx.db.updateTable('scans').set(set).where('id', '=', row.id).execute()
        }),
      progress: async () => {
        reads += 1
        if (reads > 1) return
        // it has read; now the other one reads something newer, and is done first
        writeFileSync(file, 'create table shop.newer (id int);')
        work()
        await ended(second.id)
      },
    }
    await runScan(context, row, held)
    expect(reads).toBe(2)
    expect((await get(second.id)).changes?.tablesAdded).toEqual(['shop.newer'])
    expect((await get(first.id)).changes).toEqual(NOTHING)
    const tables = await store.db.selectFrom('source_tables').select('name').execute()
    expect(tables).toEqual([{ name: 'shop.newer' }])
  })

  test('ten scans at once, by two workers, leave one true state', async () => {
    const { context, create, ended, events, work } = await setUp()
    const scans = await Promise.all(Array.from({ length: 10 }, create))
    work()
    work()
    const done = await Promise.all(scans.map(({ id }) => ended(id)))
    expect(new Set(done.map(({ state }) => state))).toEqual(new Set(['completed']))
    expect(done.filter(({ changes }) => changes?.tablesAdded.length === 1)).toHaveLength(1)
    expect(await events()).toHaveLength(10)
    expect(await context.store.db.selectFrom('source_tables').select('name').execute()).toHaveLength(1)
  })

  test('a connection takes its scans and tables along', async () => {
    const { caller, connection, create, ended, get, handlers, work } = await setUp()
    work()
    const { id } = await ended((await create()).id)
    await handlers.deleteConnection(callOf(caller, { params: { connectionId: connection.id } }))
    await expect(get(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await handlers.listSources(callOf(caller, {}))).data.items).toEqual([])
  })

  test('another project sees nothing of it', async () => {
    const { connection, context, create, ended, handlers, work } = await setUp()
    work()
    const { id } = await ended((await create()).id)
    const stranger = await addProject(context, 'Other')
    for (const handler of [handlers.getScan, handlers.cancelScan])
      await expect(handler(callOf(stranger, { params: { scanId: id } }))).rejects.toThrow('there is no scan')
    const body = { connectionId: connection.id }
    await expect(handlers.createScan(callOf(stranger, { body }))).rejects.toThrow('there is no connection')
    expect((await handlers.listScans(callOf(stranger, {}))).data.items).toEqual([])
    expect((await handlers.listSources(callOf(stranger, {}))).data.items).toEqual([])
  })

  test('a catalog of a thousand tables is stored whole, changed in the middle, and emptied', async () => {
    const { create, ended, file, work } = await setUp()
    const table = (index: number) => `create table shop.t${index} (a int, b text);`
    const names = Array.from({ length: 1200 }, (_, index) => index)
    writeFileSync(file, names.map(table).join('\n'))
    work()
    expect(await ended((await create()).id)).toMatchObject({ tables: 1200, columns: 2400 })
    const kept = names.filter((index) => index >= 100)
    writeFileSync(
      file,
      kept
        .map((index) => (index < 700 ? `create table shop.t${index} (a bigint, c int);` : table(index)))
        .join('\n'),
    )
    const { changes } = await ended((await create()).id)
    expect(changes?.tablesRemoved).toHaveLength(100)
    expect(changes?.columnsAdded).toHaveLength(600)
    expect(changes?.columnsRemoved).toHaveLength(600)
    expect(changes?.columnsRetyped).toHaveLength(600)
    expect(changes?.columnsRetyped[0]).toEqual({ table: 'shop.t100', column: 'a', from: 'int', to: 'bigint' })
  })

  describeWithServer('of a PostgreSQL', server, () => {
    const warehouse = testWarehouse(
      server.url,
      `create schema "Web shop"; create table "Web shop".orders (id int primary key, total numeric(10,2), old text);
       create table gone (a int); create view seen as select 1 as b; comment on table gone is 'will go'`,
    )

    test('tell what was altered in between', async () => {
      const { caller, create, ended, handlers, work } = await setUp(warehouse.catalog)
      work()
      const first = await ended((await create()).id)
      expect(first.changes).toEqual({
        ...NOTHING,
        tablesAdded: ['"Web shop".orders', 'public.gone', 'public.seen'],
      })
      await warehouse.query(
        `drop table gone; create table public.fresh (c int); alter table "Web shop".orders drop column old,
         add column note text, alter column total type numeric(12,2)`,
      )
      const second = await ended((await create()).id)
      expect(second).toMatchObject({ tables: 3, columns: 5 })
      expect(second.changes).toEqual({
        tablesAdded: ['public.fresh'],
        tablesRemoved: ['public.gone'],
        columnsAdded: [{ table: '"Web shop".orders', column: 'note', type: 'text' }],
        columnsRemoved: [{ table: '"Web shop".orders', column: 'old', type: 'text' }],
        columnsRetyped: [
          { table: '"Web shop".orders', column: 'total', from: 'numeric(10,2)', to: 'numeric(12,2)' },
        ],
      })
      const name = '"Web shop".orders'
      const { data } = await handlers.getSource(callOf(caller, { params: { name } }))
      expect(data.table.columns.map((column) => column.name)).toEqual(['id', 'total', 'note'])
      expect(data.table.primaryKey).toEqual(['id'])
    })
  })
})
