import pg from 'pg'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Budget } from '@stagecraft/core/inference'
import { API_OPERATIONS, type ScanResource } from '@stagecraft/spec/api'
import { createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { connectionHandlers } from '../../packages/service/src/connections/connection-handlers.ts'
import { storedEngine } from '../../packages/service/src/generations/stored-engine.ts'
import { runJobs } from '../../packages/service/src/jobs/run-jobs.ts'
import { projectHandlers } from '../../packages/service/src/projects/project-handlers.ts'
import { scanJobs } from '../../packages/service/src/scans/run-scan.ts'
import { scanHandlers } from '../../packages/service/src/scans/scan-handlers.ts'
import { sourceHandlers, suggestionHandlers } from '../../packages/service/src/sources/source-handlers.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { makeRepository } from '../../packages/service/src/git/testing/repositories.ts'
import { runCli } from '../cli/run-cli.ts'
import { FakeBigquery } from '../warehouses/fake-bigquery.ts'
import { WEB } from '../warehouses/web-dataset.ts'
import { describeWithServer, mysqlServer, postgresServer } from '../servers.ts'
import { describeEachStore } from './each-store.ts'
import { addProject, callOf, openTestContext } from './open-test-context.ts'

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-profiled-'))
afterAll(() => rmSync(folder, { recursive: true }))
const own = `stagecraft_${crypto.randomUUID().slice(0, 8)}`

/** Tables without a declared key, and a view that no longer works. */
function statements(text: string): readonly string[] {
  const rows = Array.from({ length: 150 }, (_, at) => at + 1)
  const status = (at: number): string => ['open', 'closed', 'on hold'][at % 3] ?? ''
  return [
    `create table customers (id integer, email ${text}, city ${text})`,
    `insert into customers values ${rows.map((at) => `(${at}, 'canary${at % 5}@example.com', 'c${at}')`).join(', ')}`,
    `create table orders (id integer, customer_id integer, status ${text})`,
    `insert into orders values ${rows.map((at) => `(${at + 1000}, ${(at % 60) + 1}, '${status(at)}')`).join(', ')}`,
    'create table gone (id integer)',
    'create view broken as select id from gone',
  ]
}

const BREAK = 'drop table gone'
/** It drops no table that a view needs. */
const BREAK_POSTGRES = [
  'drop view broken',
  BREAK,
  'create view broken as select 1 / (id - id) as id from customers',
]

const LITE = join(folder, 'raw.sqlite')
const DUCK = join(folder, 'raw.duckdb')

beforeAll(async () => {
  const database = new DatabaseSync(LITE)
  for (const sql of [...statements('text'), BREAK]) database.exec(sql)
  database.close()
  const instance = await DuckDBInstance.create(DUCK)
  const connection = await instance.connect()
  for (const sql of [...statements('varchar'), BREAK]) await connection.run(sql)
  connection.closeSync()
  instance.closeSync()
})

const postgres = await postgresServer()
const mysql = await mysqlServer()
const postgresUrl = Object.assign(new URL(postgres.url), { pathname: `/${own}` }).href
const mysqlUrl = Object.assign(new URL(mysql.url), { pathname: `/${own}` }).href

async function runPostgres(connectionString: string, ...all: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  for (const sql of all) await client.query(sql)
  await client.end()
}

async function runMysql(...all: readonly string[]): Promise<void> {
  const client = await createConnection({ uri: mysql.url })
  for (const sql of all) await client.query(sql)
  await client.end()
}

beforeAll(async () => {
  if (postgres.isReachable) {
    await runPostgres(postgres.url, `create database ${own}`)
    await runPostgres(postgresUrl, ...statements('text'), ...BREAK_POSTGRES)
  }
  if (mysql.isReachable)
    await runMysql(`create database ${own}`, `use ${own}`, ...statements('varchar(60)'), BREAK)
})
afterAll(async () => {
  if (postgres.isReachable) await runPostgres(postgres.url, `drop database ${own} with (force)`)
  if (mysql.isReachable) await runMysql(`drop database ${own}`)
})

await describeEachStore('scans with profiles', MIGRATIONS, (open) => {
  async function setUp(catalog = `sqlite:${LITE}`) {
    const context = openTestContext(await open())
    onTestFinished(() => context.catalogs.close())
    const caller = await addProject(context)
    const handlers = {
      ...connectionHandlers(context),
      ...scanHandlers(context),
      ...sourceHandlers(context),
      ...suggestionHandlers(context),
      ...projectHandlers(context),
    }
    const { data: connection } = await handlers.createConnection(
      callOf(caller, { body: { name: 'shop', catalog } }),
    )
    const create = async (profile: boolean, limits: Budget = {}): Promise<ScanResource> =>
      (await handlers.createScan(callOf(caller, { body: { profile, ...limits } }))).data
    const get = async (scanId: string): Promise<ScanResource> =>
      API_OPERATIONS.getScan.data.parse((await handlers.getScan(callOf(caller, { params: { scanId } }))).data)
    const work = (): void => {
      const jobs = runJobs(context, [scanJobs(context)], { pollMs: 20 })
      onTestFinished(() => jobs.stop())
    }
    const ended = async (id: string): Promise<ScanResource> => {
      const state = async () => (await get(id)).state
      await expect.poll(state, { timeout: 60_000 }).not.toMatch(/queued|running/)
      return get(id)
    }
    const source = async (name: string) =>
      API_OPERATIONS.getSource.data.parse(
        (await handlers.getSource(callOf(caller, { params: { name } }))).data,
      )
    const suggestions = async (query: object = {}) => {
      const call = callOf(caller, { query: { limit: 200, ...query } })
      const { data, nextCursor } = await handlers.listSuggestions(call)
      return { items: API_OPERATIONS.listSuggestions.data.parse(data).items, nextCursor }
    }
    const generate = async (from: string, columns: 'live' | 'scan') => {
      const request = { type: 'staging' as const, source: from, options: { addTests: true, columns } }
      return (await storedEngine(context).generate(request, { caller, requestId: 'req_test' })).data
    }
    return {
      caller,
      connection,
      context,
      create,
      ended,
      generate,
      get,
      handlers,
      source,
      suggestions,
      work,
    }
  }

  /** What somebody gets by a scan of the tables, whatever the engine. */
  async function expectEvidence(catalog: string, schema: string): Promise<void> {
    const { create, ended, generate, source, suggestions, work } = await setUp(catalog)
    const { id } = await create(true)
    work()
    const scan = await ended(id)
    expect(scan).toMatchObject({
      state: 'completed',
      profile: true,
      progress: { done: 3, total: 3 },
      warnings: [
        { code: 'TABLE_NOT_PROFILED', message: expect.stringContaining('broken could not be read: ') },
      ],
    })
    const orders = await source(`${schema}.orders`)
    expect(orders.profile).toMatchObject({
      rows: 150,
      columns: { id: { nulls: 0, distinct: 150, min: 1001, max: 1150 } },
    })
    expect(orders.observed).toMatchObject({
      key: { columns: ['id'] },
      references: [{ columns: ['customer_id'], references: { table: { name: 'customers' } } }],
      values: [{ column: 'status', values: ['closed', 'on hold', 'open'] }],
    })
    const customers = await source(`${schema}.customers`)
    expect(JSON.stringify(customers)).not.toContain('canary')
    expect((await suggestions({ source: 'orders' })).items.map(({ kind, text }) => [kind, text])).toEqual([
      ['key', 'id'],
      ['references', 'customers.id'],
      ['values', 'closed, on hold, open'],
    ])
    for (const columns of ['live', 'scan'] as const) {
      await generate(`${schema}.customers`, columns)
      const { schema: yaml, tests } = await generate(`${schema}.orders`, columns)
      expect(tests).toEqual(['accepted_values', 'not_null', 'unique'])
      expect(yaml).toContain('on hold')
    }
  }

  test('of SQLite give evidence to what is generated', () => expectEvidence(`sqlite:${LITE}`, 'main'))
  test('of DuckDB give evidence to what is generated', () => expectEvidence(`duckdb:${DUCK}`, 'main'))

  describeWithServer('of PostgreSQL', postgres, () => {
    test('give evidence to what is generated', () => expectEvidence(postgresUrl, 'public'))
  })

  describeWithServer('of MariaDB', mysql, () => {
    test('give evidence to what is generated', () => expectEvidence(mysqlUrl, own))
  })

  test('take the joins in the repository of the project as evidence, and go on without it', async () => {
    const file = join(folder, `${crypto.randomUUID()}.sqlite`)
    const database = new DatabaseSync(file)
    const rows = Array.from({ length: 150 }, (_, at) => at + 1)
    for (const sql of [
      'create table couriers (id integer, city text)',
      `insert into couriers values ${rows.map((at) => `(${at * 3}, 'c${at}')`).join(', ')}`,
      'create table parcels (id integer, handled integer)',
      `insert into parcels values ${rows.map((at) => `(${at}, ${(at % 60) * 3 + 3})`).join(', ')}`,
    ])
      database.exec(sql)
    database.close()
    const { caller, create, ended, handlers, suggestions, work } = await setUp(`sqlite:${file}`)
    work()
    const references = async () => {
      const { warnings } = await ended((await create(true)).id)
      const { items } = await suggestions({ source: 'parcels' })
      const found = items.filter(({ kind }) => kind === 'references')
      return { warnings, found: found.map(({ text, why }) => `${text}: ${why}`) }
    }
    // no name says it
    expect(await references()).toEqual({ warnings: undefined, found: [] })
    const repository = makeRepository(onTestFinished)
    const use = async (git: object): Promise<void> => {
      await handlers.updateProject(callOf(caller, { params: caller, body: { git } }))
    }
    await use({ remote: repository.folder, branch: 'main' })
    repository.commit({ 'README.md': 'empty' })
    expect(await references()).toEqual({
      warnings: [{ code: 'JOINS_NOT_READ', message: expect.stringContaining('dbt_project.yml') }],
      found: [],
    })
    const source = (name: string): string => `{{ source('main', '${name}') }}`
    repository.commit({
      'dbt_project.yml': 'name: shop\n',
      'models/sources.yml': 'sources:\n  - name: main\n    tables: [{ name: couriers }, { name: parcels }]\n',
      'models/routes.sql': `select p.id\nfrom ${source('parcels')} as p\njoin ${source('couriers')} as c\n  on p.handled = c.id\n`,
    })
    expect(await references()).toEqual({
      warnings: undefined,
      found: ['couriers.id: join in project, 60 distinct values, joined at models/routes.sql:4'],
    })
  })

  test('of a connection without rows are refused at once', async () => {
    const file = join(folder, 'shop.sql')
    writeFileSync(file, 'create table shop.orders (id int);')
    const { connection, create, handlers, caller } = await setUp(`${file}?dialect=postgres`)
    await expect(create(true)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(connection.id),
      details: { faults: [{ path: 'profile', expected: expect.stringContaining('postgres://') }] },
    })
    expect((await handlers.listScans(callOf(caller, {}))).data.items).toEqual([])
    expect((await create(false)).profile).toBe(false)
  })

  test('with a limit count larger tables and do not read them', async () => {
    const { create, ended, source, work } = await setUp()
    await expect(create(false, { maxRows: 10 })).rejects.toMatchObject({
      details: { faults: [{ path: 'maxRows' }] },
    })
    work()
    const scan = await ended((await create(true, { maxRows: 149 })).id)
    expect(scan).toMatchObject({ state: 'completed', maxRows: 149 })
    expect(scan.warnings?.map(({ code, message }) => [code, message])).toEqual([
      ['TABLE_NOT_PROFILED', expect.stringContaining('main.broken')],
      ['TABLE_TOO_LARGE', 'main.customers is not read: it has more than 149 rows'],
      ['TABLE_TOO_LARGE', 'main.orders is not read: it has more than 149 rows'],
    ])
    expect(await source('main.orders')).not.toHaveProperty('profile')
  })

  test('of BigQuery show the bytes to read by dry runs, and leave out what reads more', async () => {
    const fake = new FakeBigquery(['web'], WEB)
    onTestFinished(() => fake.stop())
    const { create, ended, work } = await setUp(
      `bigquery://127.0.0.1:${await fake.start()}/p/web?token=canary-t0ken`,
    )
    await expect(create(false, { maxRows: 1, maxBytes: 1 })).rejects.toMatchObject({
      details: { faults: [{ path: 'maxRows' }, { path: 'maxBytes' }] },
    })
    work()
    const scan = await ended((await create(true, { maxBytes: 1_000_000_000 })).id)
    expect(scan).toMatchObject({
      state: 'completed',
      maxBytes: 1_000_000_000,
      progress: { done: 4, total: 4, bytesToRead: 1800 },
    })
    expect(scan.warnings?.map(({ code, message }) => [code, message])).toEqual([
      ['TABLE_NOT_PROFILED', expect.stringContaining('web.secrets could not be read: ')],
      ['TABLE_TOO_LARGE', 'web.totals is not read: its profile reads 2.5 GB, more than 1 GB'],
    ])
    expect(fake.ran.filter((sql) => sql.includes('totals'))).toEqual([])
  })

  test.each([false, true])('end their statement when they are cancelled (profile: %s)', async (profile) => {
    const slow = { when: /\nfrom \S+\.COLUMNS`? c/, isEndless: true as const }
    const fake = new FakeBigquery(['web'], [slow, ...WEB])
    onTestFinished(() => fake.stop())
    const { caller, create, ended, handlers, work } = await setUp(
      `bigquery://127.0.0.1:${await fake.start()}/p/web?token=canary-t0ken`,
    )
    work()
    const { id } = await create(profile)
    await expect.poll(() => fake.ran.some((sql) => slow.when.test(sql)), { timeout: 60_000 }).toBe(true)
    const started = fake.ran.length
    await handlers.cancelScan(callOf(caller, { params: { scanId: id } }))
    expect((await ended(id)).state).toBe('cancelled')
    await expect.poll(() => fake.cancelled, { timeout: 60_000 }).toEqual([`j${started}`])
    expect(fake.ran).toHaveLength(started)
  })

  test('show the bytes before a row is read', async () => {
    const endless = WEB.map((answer) =>
      answer.bytes === 300 ? { when: answer.when, bytes: 300, isEndless: true as const } : answer,
    )
    const fake = new FakeBigquery(['web'], endless)
    onTestFinished(() => fake.stop())
    const { caller, create, ended, get, handlers, work } = await setUp(
      `bigquery://127.0.0.1:${await fake.start()}/p/web?token=canary-t0ken`,
    )
    work()
    const { id } = await create(true)
    await expect.poll(() => fake.ran.some((sql) => sql.includes('`users`')), { timeout: 60_000 }).toBe(true)
    expect((await get(id)).progress).toMatchObject({ total: 4, bytesToRead: 2_500_001_800 })
    await handlers.cancelScan(callOf(caller, { params: { scanId: id } }))
    expect((await ended(id)).state).toBe('cancelled')
    await expect.poll(() => fake.cancelled.length, { timeout: 60_000 }).toBeGreaterThan(0)
  })

  test('are kept by scans without, as long as the columns stay', async () => {
    const file = join(folder, `${crypto.randomUUID()}.sqlite`)
    const run = (...all: readonly string[]): void => {
      const database = new DatabaseSync(file)
      for (const sql of all) database.exec(sql)
      database.close()
    }
    run(...statements('text'), 'drop view broken', BREAK)
    const { create, ended, generate, source, work } = await setUp(`sqlite:${file}`)
    work()
    const first = await ended((await create(true)).id)
    expect(first.warnings).toBeUndefined()
    await ended((await create(false)).id)
    expect((await source('main.orders')).observed).toMatchObject({ key: { columns: ['id'] } })
    run('alter table orders add column note text')
    expect((await generate('main.orders', 'scan')).tests).toContain('accepted_values')
    // the columns are others than those whose rows were looked at: names alone say what the key is
    expect((await generate('main.orders', 'live')).tests).toEqual(['not_null', 'unique'])
    await ended((await create(false)).id)
    expect(await source('main.orders')).not.toHaveProperty('observed')
    expect((await source('main.customers')).profiledAt).toMatch(/Z$/)
    run('drop table customers')
    await ended((await create(false)).id)
    await ended((await create(true)).id)
    expect((await source('main.orders')).observed).not.toHaveProperty('references')
  })

  test('suggest what the command prints', async () => {
    const { create, ended, suggestions, work } = await setUp()
    const { id } = await create(true)
    work()
    await ended(id)
    const { stdout } = await runCli(['suggest', '--profile', '--json', '--catalog', `sqlite:${LITE}`])
    const printed = JSON.parse(stdout) as readonly { readonly table: { readonly name: string } }[]
    const read = printed.filter(({ table }) => table.name !== 'broken')
    expect(read.length).toBeGreaterThan(2)
    expect((await suggestions()).items).toEqual(read)
  })

  test('suggest, page by page, what the configuration does not say', async () => {
    const { caller, create, ended, handlers, suggestions, work } = await setUp()
    await expect(suggestions()).rejects.toThrow('a connection that was scanned')
    work()
    await ended((await create(false)).id)
    expect((await suggestions()).items).toEqual([])
    await ended((await create(true)).id)
    const all = (await suggestions()).items
    const seen: unknown[] = []
    let cursor: string | undefined
    do {
      const page = await suggestions({ limit: 1, ...(cursor !== undefined && { cursor }) })
      seen.push(...page.items)
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(seen).toEqual(all)
    const { items } = await suggestions({ source: 'orders' })
    expect(items.map(({ id }) => id)).toEqual([
      'main.orders:key',
      'main.orders.customer_id:references',
      'main.orders.status:values',
    ])
    await expect(suggestions({ source: 'ordres' })).rejects.toMatchObject({ code: 'INVALID_SOURCE' })
    await expect(suggestions({ cursor: 'nonsense' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    const config = { sources: { main: { tables: { orders: { key: ['id'] } } } } }
    await handlers.updateProject(callOf(caller, { params: caller, body: { config } }))
    expect((await suggestions({ source: 'orders' })).items.map(({ kind }) => kind)).toEqual([
      'references',
      'values',
    ])
  })

  test('of one connection are forgotten when it leads elsewhere, and seen by nobody else', async () => {
    const { caller, connection, context, create, ended, handlers, suggestions, work } = await setUp()
    work()
    await ended((await create(true)).id)
    const stranger = await addProject(context, 'Other')
    const query = { limit: 50, connectionId: connection.id }
    await expect(handlers.listSuggestions(callOf(stranger, { query }))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect((await suggestions()).items.length).toBeGreaterThan(0)
    const params = { connectionId: connection.id }
    await handlers.updateConnection(callOf(caller, { params, body: { name: 'renamed' } }))
    expect((await suggestions()).items.length).toBeGreaterThan(0)
    await handlers.updateConnection(callOf(caller, { params, body: { catalog: `duckdb:${DUCK}` } }))
    expect((await suggestions()).items).toEqual([])
    await handlers.deleteConnection(callOf(caller, { params }))
    expect(await context.store.db.selectFrom('source_profiles').selectAll().execute()).toEqual([])
  })

  test('that are cancelled between two tables store nothing', async () => {
    const { caller, context, create, ended, handlers, get } = await setUp()
    const { id } = await create(true)
    const reached = Promise.withResolvers<void>()
    const kind = scanJobs(context)
    const run: typeof kind.run = (row, held) =>
      kind.run(row, {
        ...held,
        progress: async (columns) => {
          await held.progress(columns)
          reached.resolve()
          await new Promise((resolve) => held.signal.addEventListener('abort', resolve))
        },
      })
    const jobs = runJobs(context, [{ ...kind, run }], { pollMs: 20 })
    onTestFinished(() => jobs.stop())
    await reached.promise
    expect(await get(id)).toMatchObject({ state: 'running', progress: { done: 1, total: 3 } })
    await handlers.cancelScan(callOf(caller, { params: { scanId: id } }))
    expect(await ended(id)).toMatchObject({ state: 'cancelled' })
    expect((await handlers.listSources(callOf(caller, {}))).data.items).toEqual([])
  })
})
