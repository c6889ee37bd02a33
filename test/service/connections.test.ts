import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect, promisify } from 'node:util'
import { API_OPERATIONS } from '@stagecraft/spec/api'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { withCatalog } from '../../packages/service/src/catalogs/with-catalog.ts'
import {
  connectionHandlers,
  tryConnection,
} from '../../packages/service/src/connections/connection-handlers.ts'
import { findConnection } from '../../packages/service/src/connections/stored-connection.ts'
import type { ServiceContext, ServiceLogger, ServiceSettings } from '../../packages/service/src/context.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { describeWithServer, mysqlServer, postgresServer } from '../servers.ts'
import { startTrino } from '../trino-server.ts'
import { describeEachStore } from './each-store.ts'
import { addProject, callOf, openTestContext } from './open-test-context.ts'
import { PASSWORD, testWarehouse } from './warehouse.ts'

const server = await postgresServer()
const mysql = await mysqlServer()
const folder = mkdtempSync(join(tmpdir(), 'stagecraft-connections-'))
afterAll(() => rmSync(folder, { recursive: true }))

const SECRET_CATALOG = `postgres://reader:${PASSWORD}@db.example.com:6543/raw?application_name=hidden`
/** As dbt does it: in a process of its own. */
async function writeDuckdb(file: string, statement: string): Promise<void> {
  const script = `const { DuckDBInstance } = await import('@duckdb/node-api')
    const instance = await DuckDBInstance.create(${JSON.stringify(file)})
    await (await instance.connect()).run(${JSON.stringify(statement)})
    instance.closeSync()`
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
}

const schema = API_OPERATIONS.getConnection.data

await describeEachStore('connections', MIGRATIONS, (open, place) => {
  async function setUp(settings: Partial<ServiceSettings> = {}) {
    const logged = vi.fn<ServiceLogger['info']>()
    const logger = { debug: logged, info: logged, warn: logged, error: logged }
    const context = openTestContext(await open(), { settings, logger })
    onTestFinished(() => context.catalogs.close())
    const caller = await addProject(context)
    const handlers = connectionHandlers(context)
    const create = async (catalog: string, body: object = {}) => {
      const call = callOf(caller, { body: { name: 'warehouse', catalog, ...body } })
      return (await handlers.createConnection(call)).data
    }
    const get = async (connectionId: string) =>
      (await handlers.getConnection(callOf(caller, { params: { connectionId } }))).data
    return { caller, context, create, get, handlers, logged }
  }

  test('a connection shows where it leads, and no secret', async () => {
    const { create, get } = await setUp()
    const made = await create(SECRET_CATALOG)
    expect(made).toMatchObject({
      name: 'warehouse',
      kind: 'postgres',
      target: 'db.example.com:6543/raw',
      isDefault: true,
      version: 1,
    })
    expect(await get(made.id)).toEqual(schema.parse(made))
  })

  test('nothing that the store keeps holds a password', async () => {
    const { context, create } = await setUp()
    const { id } = await create(SECRET_CATALOG)
    const kept = await keptBytes(context)
    expect(kept).toContain(id)
    expect(kept).not.toContain(PASSWORD)
  })

  /** The bytes of an embedded store; the rows of a shared one. */
  async function keptBytes({ store }: ServiceContext): Promise<string> {
    if (!('file' in place))
      return JSON.stringify(await store.db.selectFrom('connections').selectAll().execute())
    const directory = join(place.file, '..')
    return readdirSync(directory)
      .map((name) => readFileSync(join(directory, name), 'latin1'))
      .join('')
  }

  test('the first one is the default, unless it is not to be; later ones when they are to be', async () => {
    const { caller, context, create, get, handlers } = await setUp()
    const none = await create('postgres://h/a', { isDefault: false })
    const first = await create('postgres://h/b')
    const second = await create('postgres://h/c')
    const third = await create('postgres://h/d', { isDefault: true })
    expect([none, first, second, third].map(({ isDefault }) => isDefault)).toEqual([false, true, false, true])
    expect((await get(first.id)).isDefault).toBe(false)
    const { projectId } = caller
    expect((await findConnection(context, { projectId })).id).toBe(third.id)
    const { data, nextCursor } = await handlers.listConnections(callOf(caller, { query: { limit: 3 } }))
    expect(data.items.map(({ id, isDefault }) => [id, isDefault])).toEqual([
      [third.id, true],
      [second.id, false],
      [first.id, false],
    ])
    const rest = await handlers.listConnections(callOf(caller, { query: { limit: 3, cursor: nextCursor } }))
    expect(rest.data.items).toEqual([none])
    expect(rest.nextCursor).toBeUndefined()
  })

  test('of many that are made at once, one is the default', async () => {
    const { create, get } = await setUp()
    const made = await Promise.all(Array.from({ length: 8 }, () => create('postgres://h/a')))
    const shown = await Promise.all(made.map(({ id }) => get(id)))
    expect(made).toEqual(shown)
    expect(made.filter(({ isDefault }) => isDefault)).toHaveLength(1)
  })

  test('a change is told apart by its version', async () => {
    const { caller, create, get, handlers } = await setUp()
    const { id } = await create(SECRET_CATALOG)
    const patch = (body: object, ifVersion?: number) =>
      handlers.updateConnection(callOf(caller, { params: { connectionId: id }, body, ifVersion }))
    expect((await patch({ name: 'other' }, 1)).data).toMatchObject({ name: 'other', version: 2 })
    await expect(patch({ name: 'late' }, 1)).rejects.toMatchObject({ details: { reason: 'version' } })
    expect((await patch({})).data.version).toBe(2)
    expect((await patch({ isDefault: false })).data).toMatchObject({ isDefault: false, version: 3 })
    expect((await patch({ catalog: 'mysql://h/shop', isDefault: true })).data).toMatchObject({
      name: 'other',
      kind: 'mysql',
      target: 'h:3306/shop',
      isDefault: true,
      version: 4,
    })
    expect(await get(id)).toMatchObject({ version: 4 })
  })

  test('a refused catalog is not repeated, and leaves nothing behind', async () => {
    const { caller, create, handlers } = await setUp()
    for (const catalog of [
      'env:WAREHOUSE_URL',
      `oracle://me:${PASSWORD}@h/d`,
      `postgres://me:${PASSWORD}#@h/d`,
    ]) {
      const error: unknown = await create(catalog).catch((caught: unknown) => caught)
      expect(error).toMatchObject({ code: 'INVALID_REQUEST', details: { faults: [{ path: 'catalog' }] } })
      expect(inspect(error)).not.toContain(PASSWORD)
    }
    expect((await handlers.listConnections(callOf(caller, {}))).data.items).toEqual([])
  })

  test('does not open a file any more when that is forbidden later', async () => {
    const { caller, context, create } = await setUp()
    writeFileSync(join(folder, 'later.sql'), 'create table a (b int)')
    await create(join(folder, 'later.sql'))
    const strict = { ...context, settings: { ...context.settings, allowLocalFiles: false } }
    await expect(withCatalog(strict, caller, (catalog) => catalog.tables({}))).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
    })
  })

  test('over HTTP leads to no address of this network that is not allowed', async () => {
    const trino = await startTrino(() => ({ columns: ['schema_name'], rows: [['raw']] }))
    onTestFinished(() => trino.close())
    const address = `trino://reader@127.0.0.1:${trino.port}/hive`
    const networks = [['public', 'private'], ['machine']]
    const answers = networks.map(async (connectionNetworks) => {
      const { caller, context, create } = await setUp({ allowLocalFiles: false, connectionNetworks })
      await create(address)
      return withCatalog(context, caller, ({ dialect }) => Promise.resolve(dialect))
    })
    await expect(answers[0]).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('this service may not connect to its address') as string,
    })
    expect(await answers[1]).toBe('trino')
    expect(trino.requests.length).toBeGreaterThan(1)
  })

  test('of another project there is none', async () => {
    const { context, create, handlers } = await setUp()
    const { id } = await create(SECRET_CATALOG)
    const stranger = await addProject(context, 'Other')
    const call = callOf(stranger, { params: { connectionId: id }, body: { name: 'mine' } })
    const calls = [handlers.getConnection, handlers.updateConnection, handlers.deleteConnection]
    for (const handler of [...calls, handlers.testConnection])
      await expect(handler(call)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await handlers.listConnections(callOf(stranger, {}))).data.items).toEqual([])
    const { projectId } = stranger
    await expect(findConnection(context, { projectId, connectionId: id })).rejects.toThrow('no connection')
    await expect(findConnection(context, { projectId })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: {
        suggestion: expect.stringContaining(`POST /v1/projects/${projectId}/connections`) as string,
      },
    })
  })

  test('what is deleted is gone, and the default with it', async () => {
    const { caller, context, create, handlers } = await setUp()
    const { id } = await create(SECRET_CATALOG)
    const call = callOf(caller, { params: { connectionId: id } })
    const unit = {
      id: 'unit_1',
      project_id: caller.projectId,
      name: 'x',
      type: 'staging' as const,
      source: 'a.b',
    }
    const columns = { options: '{}', connection_id: id, last_generation_id: null, version: 1, created_at: 1 }
    const units = context.store.db.insertInto('units').values({ ...unit, ...columns, updated_at: 1 })
    await units.execute()
    await expect(handlers.deleteConnection(call)).rejects.toThrow(
      'connectionId: expected a connection that no unit uses, got unit_1',
    )
    await context.store.db.deleteFrom('units').execute()
    expect((await handlers.deleteConnection(call)).data).toEqual({ id, deleted: true })
    await expect(handlers.getConnection(call)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(handlers.deleteConnection(call)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(findConnection(context, caller)).rejects.toThrow('no default')
  })

  test('a failing test says why, is recorded, and tells no secret', async () => {
    const { caller, create, get, handlers, logged } = await setUp()
    const { id } = await create(`postgres://reader:${PASSWORD}@127.0.0.1:1/raw`)
    const error: unknown = await handlers
      .testConnection(callOf(caller, { params: { connectionId: id } }))
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', details: { reason: 'connection refused' } })
    const shown = schema.parse(await get(id))
    expect(shown).toMatchObject({ lastTest: { ok: false, reason: 'connection refused' }, version: 1 })
    expect(inspect([error, shown, logged.mock.calls], { depth: 9 })).not.toContain(PASSWORD)
  })

  test('a file that is wrong fails the test, and not the request', async () => {
    const { caller, create, handlers } = await setUp()
    writeFileSync(join(folder, 'wrong.yml'), '- { name: 1 }')
    const { id } = await create(join(folder, 'wrong.yml'))
    await expect(
      handlers.testConnection(callOf(caller, { params: { connectionId: id } })),
    ).rejects.toMatchObject({ code: 'CONNECTION_FAILED' })
  })

  test('a server that says nothing is given up at the deadline', async () => {
    const { caller, context, create, get } = await setUp()
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const { id } = await create(`postgres://reader:${PASSWORD}@127.0.0.1:${port}/raw`)
    const row = await findConnection(context, { ...caller, connectionId: id })
    const { signal } = new AbortController()
    await expect(tryConnection(context, row, { signal, deadlineMs: 100 })).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
      details: { reason: 'no response within 0.1 s' },
    })
    expect((await get(id)).lastTest).toMatchObject({ ok: false, reason: 'no response within 0.1 s' })
  })

  test('a file that changed is read again', async () => {
    const { caller, context, create } = await setUp()
    const file = join(folder, 'changing.sql')
    writeFileSync(file, 'create table a (b int)')
    await create(file)
    const names = () =>
      withCatalog(context, caller, async (catalog) => {
        const tables = await catalog.tables({})
        return { catalog, names: tables.map(({ name }) => name) }
      })
    const first = await names()
    expect((await names()).catalog).toBe(first.catalog)
    writeFileSync(file, 'create table z (b int)')
    utimesSync(file, 1, 1)
    expect((await names()).names).toEqual(['z'])
  })

  test('a script that does not tell its dialect is read in that of the project', async () => {
    const { caller, context, create } = await setUp()
    const file = join(folder, 'bare.sql')
    writeFileSync(file, 'create table Orders (OrderId int)')
    await create(file)
    const names = () =>
      withCatalog(context, caller, async (catalog) =>
        (await catalog.tables({})).map(({ columns, name }) => `${name}.${columns[0]?.name}`),
      )
    expect(await names()).toEqual(['Orders.OrderId'])
    for (const [dialect, expected] of [
      ['snowflake', 'ORDERS.ORDERID'],
      ['postgres', 'orders.orderid'],
    ] as const) {
      await context.store.db
        .updateTable('projects')
        .set({ dialect })
        .where('id', '=', caller.projectId)
        .execute()
      expect(await names()).toEqual([expected])
    }
  })

  test('a DuckDB file is soon free for those who write to it', async () => {
    const { caller, context, create } = await setUp()
    const file = join(folder, `${'file' in place ? 'embedded' : 'shared'}.duckdb`)
    await writeDuckdb(file, 'create table a (b int)')
    await create(file)
    const count = () =>
      withCatalog(context, caller, async (catalog) => {
        await expect(writeDuckdb(file, 'create table blocked (c int)')).rejects.toThrow('lock')
        return (await catalog.tables({})).length
      })
    expect(await count()).toBe(1)
    await expect
      .poll(() => writeDuckdb(file, 'create or replace table c (d int)').then(() => 'written', String))
      .toBe('written')
    expect(await count()).toBe(2)
  })

  test('who goes away does not wait, and takes nobody along', async () => {
    const { caller, context, create } = await setUp()
    writeFileSync(join(folder, 'shared.sql'), 'create table a (b int)')
    await create(join(folder, 'shared.sql'))
    const stop = new AbortController()
    const slow = Promise.withResolvers<number>()
    const gone = withCatalog(context, { ...caller, signal: stop.signal }, () => {
      stop.abort(new Error('gone'))
      return slow.promise
    })
    await expect(gone).rejects.toThrow('gone')
    expect(await withCatalog(context, caller, (catalog) => catalog.tables({}))).toHaveLength(1)
    slow.resolve(1)
  })

  describeWithServer('with a PostgreSQL to connect to', server, () => {
    const warehouse = testWarehouse(server.url, 'create table a (b int); create view c as select 1 as d')

    test('a test counts the tables, and is recorded until the catalog changes', async () => {
      const { caller, create, get, handlers } = await setUp()
      const { id } = await create(warehouse.catalog)
      const params = { connectionId: id }
      const { data } = await handlers.testConnection(callOf(caller, { params }))
      expect(API_OPERATIONS.testConnection.data.parse(data)).toMatchObject({ dialect: 'postgres', tables: 2 })
      expect((await get(id)).lastTest).toMatchObject({ ok: true })
      await handlers.updateConnection(callOf(caller, { params, body: { catalog: 'postgres://h/d' } }))
      expect(await get(id)).not.toHaveProperty('lastTest')
    })

    test('a connection that the server ended is made anew', async () => {
      const { caller, context, create } = await setUp()
      await create(warehouse.catalog)
      const read = () => withCatalog(context, caller, (catalog) => catalog.tables({}))
      expect(await read()).toHaveLength(2)
      await warehouse.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      expect(await Promise.all([read(), read(), read()])).toHaveLength(3)
    })

    test('a changed connection leads elsewhere at once', async () => {
      const { caller, context, create, handlers } = await setUp()
      const { id } = await create(warehouse.catalog)
      const read = () => withCatalog(context, caller, (catalog) => catalog.tables({}))
      expect(await read()).toHaveLength(2)
      const body = { catalog: 'postgres://127.0.0.1:1/x' }
      await handlers.updateConnection(callOf(caller, { params: { connectionId: id }, body }))
      await expect(read()).rejects.toThrow('connection refused')
    })
  })

  describeWithServer('with a MySQL to connect to', mysql, () => {
    test('a test counts the tables', async () => {
      const { caller, create, handlers } = await setUp()
      const { id } = await create(mysql.url.replace(/[^/]*$/, 'information_schema'))
      const { data } = await handlers.testConnection(callOf(caller, { params: { connectionId: id } }))
      expect(data).toMatchObject({ ok: true, dialect: 'mysql' })
      expect(data.tables).toBeGreaterThan(5)
    })
  })
})
