// Every step of the doctor against each warehouse that can be had in this process, and what it says of rights that
// are missing.
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { checkCatalog, type CheckStep } from '@stagecraft/catalogs'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { describeWithServer, postgresServer } from '../servers.ts'
import { type Outcome, startTrino } from '../trino-server.ts'
import { FakeBigquery } from './fake-bigquery.ts'
import { type FakeAnswer, FakeDatabricks } from './fake-databricks.ts'
import { WEB } from './web-dataset.ts'

async function stepsOf(text: string, schema?: string): Promise<readonly CheckStep[]> {
  const steps: CheckStep[] = []
  for await (const step of checkCatalog(text, { schema })) steps.push(step)
  expect(JSON.stringify(steps)).not.toMatch(/canary|s3cret|dapi-good/)
  return steps
}

const brief = (steps: readonly CheckStep[]): readonly string[] =>
  steps.map(({ name, outcome }) => `${name}: ${outcome}`)

const find = (steps: readonly CheckStep[], name: string): CheckStep | undefined =>
  steps.find((step) => step.name === name)

const REACHED = ['address: works', 'host: works', 'port: works', 'driver: works', 'connect: works']
const READ = (...names: readonly string[]): readonly string[] =>
  ['schemas', ...names].map((name) => `statement ${name}: works`)

test('BigQuery: rights are tried by dry runs, which cost nothing', async () => {
  const fake = new FakeBigquery(['web'], WEB)
  const port = await fake.start()
  onTestFinished(() => fake.stop())
  const steps = await stepsOf(`bigquery://127.0.0.1:${port}/p/web?token=canary-t0ken`)
  expect(brief(steps)).toEqual([
    ...REACHED,
    ...READ('tables', 'columns', 'keys'),
    ...READ('tables', 'storage'),
    'tables: works',
    'sizes: works',
    'rights: fails',
    'dry run: works',
    'rows: works',
    'cancel: works',
  ])
  expect(find(steps, 'rights')).toMatchObject({
    told: expect.stringContaining(
      '1 of 4 tables that were tried cannot be read; the first is `p`.`web`.`secrets`: Access Denied',
    ) as string,
    remedy: expect.stringContaining('`roles/bigquery.dataViewer`') as string,
  })
  expect(find(steps, 'dry run')?.told).toBe('a query of all rows of `p`.`web`.`events_*` reads 1500 bytes')
  expect(find(steps, 'rows')?.told).toBe('1 row of `p`.`web`.`events_*`')
  expect(fake.ran.filter((sql) => /1 = 0|totals`/.test(sql))).toEqual([])
  expect(fake.cancelled).toHaveLength(1)
})

/** Steps until a signal stops them, which it does as soon as the warehouse has the statement. */
async function stopAt(
  text: string,
  isAsked: () => boolean | Promise<boolean>,
  schema?: string,
): Promise<void> {
  const stop = new AbortController()
  const reason = new Error('stopped by a person')
  const told: CheckStep[] = []
  const checking = (async () => {
    for await (const step of checkCatalog(text, { schema, signal: stop.signal })) told.push(step)
  })()
  const ended = checking.catch((error: unknown) => error)
  await expect.poll(isAsked, { timeout: 60_000 }).toBe(true)
  stop.abort(reason)
  expect(await ended).toBe(reason)
  expect(JSON.stringify(told)).not.toMatch(/stopped|cancelled/)
}

test.each([
  ['while tables are read', /\nfrom \S+\.COLUMNS`? c/],
  ['while sizes are read', /__TABLES__/],
  ['while rows are read', /select \* from \S+events/],
  ['while it tries to stop a statement', /generate_array/],
])('BigQuery: stopped %s, the statement ends in the warehouse and nothing else begins', async (_, when) => {
  const fake = new FakeBigquery(['web'], [{ when, isEndless: true }, ...WEB])
  const port = await fake.start()
  onTestFinished(() => fake.stop())
  const isAsked = (): boolean => fake.ran.some((sql) => when.test(sql))
  await stopAt(`bigquery://127.0.0.1:${port}/p/web?token=canary-t0ken`, isAsked)
  expect(fake.cancelled).toEqual([`j${fake.ran.length}`])
})

test('Trino: stopped while tables are read, the statement is deleted', async () => {
  const server = await startTrino((statement) =>
    statement.includes('.columns')
      ? 'never ends'
      : (OF_TRINO.find(([part]) => part.test(statement))?.[1] ?? 'never ends'),
  )
  onTestFinished(() => server.close())
  const isAsked = (): boolean => server.requests.some(({ statement }) => statement.includes('.columns'))
  await stopAt(`trino://reader@127.0.0.1:${server.port}/hive/raw`, isAsked)
  expect(server.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
})

const OF_TRINO: readonly (readonly [part: RegExp, outcome: Outcome])[] = [
  [/\.schemata/, { columns: ['schema_name'], rows: [['information_schema'], ['raw']] }],
  [
    /\.tables/,
    {
      columns: ['table_schema', 'table_name', 'table_type'],
      rows: [
        ['raw', 'orders', 'BASE TABLE'],
        ['raw', 'secrets', 'BASE TABLE'],
      ],
    },
  ],
  [
    /\.columns/,
    {
      columns: ['table_schema', 'table_name', 'column_name', 'ordinal_position', 'data_type'],
      rows: [
        ['raw', 'orders', 'id', 1, 'bigint'],
        ['raw', 'secrets', 'id', 1, 'bigint'],
      ],
    },
  ],
  [
    /table_comments/,
    {
      error: { message: 'Access Denied: Cannot select from table_comments', errorName: 'PERMISSION_DENIED' },
    },
  ],
  [/sequence\(/, 'never ends'],
  [
    /"secrets"/,
    {
      error: {
        message: 'Access Denied: Cannot select from hive.raw.secrets',
        errorName: 'PERMISSION_DENIED',
      },
    },
  ],
]

test('Trino: comments that may not be read are named and warned of, and others go on', async () => {
  const server = await startTrino(
    (statement) => OF_TRINO.find(([part]) => part.test(statement))?.[1] ?? { columns: ['x'], rows: [[1]] },
  )
  onTestFinished(() => server.close())
  const steps = await stepsOf(`trino://reader@127.0.0.1:${server.port}/hive/raw?http_headers=x-key:s3cret`)
  expect(brief(steps)).toEqual([
    ...REACHED,
    ...READ('tables', 'columns'),
    'statement comments: fails',
    ...READ('tables'),
    'tables: works',
    'warning: warns',
    'sizes: works',
    'rights: fails',
    'rows: skipped',
    'cancel: works',
  ])
  expect(find(steps, 'rights')).toMatchObject({
    told: expect.stringContaining(
      '1 of 2 tables that were tried cannot be read; the first is "hive"."raw"."secrets"',
    ) as string,
    remedy: 'grant select on schema "hive"."raw" to user "reader"',
  })
  expect(find(steps, 'statement comments')?.remedy).toBe(
    'allow "reader" to select from system.metadata.table_comments, in the access control of Trino',
  )
  expect(server.requests.some(({ method }) => method === 'DELETE')).toBe(true)
})

const texts = (...names: readonly string[]) => names.map((name) => [name, 'STRING'] as const)
const OF_DATABRICKS: readonly FakeAnswer[] = [
  { when: /schemata/, columns: texts('schema_name'), rows: [['raw']] },
  {
    when: /information_schema\.tables/,
    columns: texts('table_schema', 'table_name', 'table_type'),
    rows: [
      ['raw', 'orders', 'MANAGED'],
      ['raw', 'secrets', 'MANAGED'],
    ],
  },
  {
    when: /information_schema\.columns/,
    columns: texts('table_schema', 'table_name', 'column_name', 'ordinal_position', 'data_type'),
    rows: [
      ['raw', 'orders', 'id', '1', 'bigint'],
      ['raw', 'secrets', 'id', '1', 'bigint'],
    ],
  },
  { when: /key_column_usage/ },
  {
    when: /show table extended/,
    columns: texts('database', 'tableName', 'isTemporary', 'information'),
    rows: [['raw', 'orders', 'false', 'Type: MANAGED\nStatistics: 2048 bytes, 2 rows']],
  },
  { when: /range\(/, states: ['RUNNING'] },
  {
    when: /`secrets`/,
    states: ['FAILED'],
    error: {
      error_code: 'BAD_REQUEST',
      message: '[INSUFFICIENT_PERMISSIONS] User does not have SELECT on Table main.raw.secrets',
    },
  },
  { when: /`orders`/, columns: texts('id'), rows: [['1'], ['2']] },
  { when: /select 1/, columns: texts('one'), rows: [['1']] },
]

test('Databricks: statements are polled, refused and cancelled, and the grants are filled in', async () => {
  const fake = new FakeDatabricks(OF_DATABRICKS)
  const port = await fake.start()
  onTestFinished(() => fake.stop())
  vi.stubGlobal('fetch', fake.fetch)
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  const steps = await stepsOf(
    `databricks://token:dapi-good@127.0.0.1:${port}/main/raw?http_path=/sql/1.0/warehouses/1a2b`,
  )
  expect(brief(steps)).toEqual([
    ...REACHED,
    ...READ('tables', 'columns', 'keys'),
    ...READ('tables', 'details'),
    'tables: works',
    'sizes: works',
    'rights: fails',
    'rows: works',
    'cancel: works',
  ])
  expect(find(steps, 'sizes')?.told).toBe('row counts of 1 table')
  expect(find(steps, 'rights')).toMatchObject({
    told: expect.stringContaining(
      'the first is `main`.`raw`.`secrets`: the statement ended as BAD_REQUEST',
    ) as string,
    remedy:
      'grant use catalog on catalog `main` to `token`; grant use schema, select on schema `main`.`raw` to `token`',
  })
  expect(find(steps, 'rows')?.told).toBe('2 rows of `main`.`raw`.`orders`')
  expect(fake.cancelled).toHaveLength(2)
})

/** A stand-in for the package, which is not installed: its interface, and rows of the views of sys. */
vi.mock('mssql', () => {
  class ConnectionPool {
    async connect(): Promise<void> {}
    on(): void {}
    async close(): Promise<void> {}
    request() {
      const stop = Promise.withResolvers<never>()
      return {
        input: () => undefined,
        query: (text: string) => (text.includes('waitfor') ? stop.promise : answerOfSqlServer(text)),
        cancel: () => stop.reject(new Error('Canceled.')),
      }
    }
  }
  return { default: { ConnectionPool } }
})

async function answerOfSqlServer(text: string): Promise<{ readonly recordset: readonly object[] }> {
  if (text.includes('"Secrets"'))
    throw Object.assign(new Error("The SELECT permission was denied on the object 'Secrets'"), {
      code: 'EREQUEST',
    })
  const tables = ['Orders', 'Secrets'].map((name) => ({ table_schema: 'dbo', table_name: name }))
  const found: readonly (readonly [RegExp, readonly object[]])[] = [
    [/select s\.name as schema_name/, [{ schema_name: 'dbo' }]],
    [
      /c\.column_id as ordinal_position/,
      tables.map((one) => ({ ...one, column_name: 'Id', ordinal_position: 1, data_type: 'int' })),
    ],
    [/as table_type/, tables.map((one) => ({ ...one, table_type: 'BASE TABLE', row_count: '2' }))],
    [/from "shop"\."dbo"\."Orders";/, [{ Id: 1 }, { Id: 2 }]],
  ]
  return { recordset: found.find(([part]) => part.test(text))?.[1] ?? [] }
}

test('SQL Server: every statement is reported, and the grants are filled in', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const steps = await stepsOf(`sqlserver://me:canary-s3cret@127.0.0.1:${port}/shop/dbo`)
  expect(brief(steps)).toEqual([
    ...REACHED,
    ...READ('tables', 'columns', 'keys', 'foreign_keys', 'checks', 'storage'),
    ...READ('tables'),
    'tables: works',
    'sizes: works',
    'rights: fails',
    'rows: works',
    'cancel: works',
  ])
  expect(find(steps, 'rights')).toMatchObject({
    told: expect.stringContaining(
      '1 of 2 tables that were tried cannot be read; the first is "shop"."dbo"."Secrets"',
    ) as string,
    remedy: 'grant select, view definition on schema::"dbo" to "me"',
  })
  expect(find(steps, 'rows')?.told).toBe('2 rows of "shop"."dbo"."Orders"')
})

const POSTGRES = await postgresServer()
describeWithServer('Redshift, as PostgreSQL with its views', POSTGRES, () => {
  const name = `stagecraft_doctor_${crypto.randomUUID().slice(0, 8)}`
  const own = Object.assign(new URL(POSTGRES.url), { pathname: `/${name}` }).href
  const run = async (connectionString: string, statements: string): Promise<void> => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    await client.query(statements)
    await client.end()
  }
  beforeAll(async () => {
    await run(POSTGRES.url, `create database ${name}`)
    await run(own, readFileSync(repositoryPath('packages/catalogs/fixtures/redshift-views.sql'), 'utf8'))
    await run(
      own,
      `create role ${name} login; grant usage on schema web to ${name}; grant select on web.events to ${name};
      grant select on svv_external_tables, svv_external_columns, svv_redshift_columns to ${name}`,
    )
  })
  afterAll(async () => {
    await run(own, `drop owned by ${name}; drop role ${name}`)
    await run(POSTGRES.url, `drop database if exists ${name} with (force)`)
  })

  test('names the views and tables that are not granted, and ends a statement in the cluster', async () => {
    const address = own.replace(/^\w+:\/\/[^@]*@/, `redshift://${name}:canary@`)
    const steps = await stepsOf(`${address}/web?sslmode=disable`)
    expect(brief(steps)).toEqual([
      ...REACHED,
      ...READ('tables', 'columns', 'constraints', 'late_binding', 'external_columns', 'distribution'),
      ...READ('tables'),
      'statement table_info: fails',
      'tables: works',
      'sizes: works',
      'rights: fails',
      'rows: skipped',
      'cancel: works',
    ])
    expect(find(steps, 'statement table_info')).toMatchObject({
      told: `user ${name} may not read the requested tables`,
      remedy: expect.stringContaining(`grant select on svv_table_info to "${name}"`) as string,
    })
    expect(find(steps, 'rights')).toMatchObject({
      told: expect.stringContaining(`cannot be read; the first is "${name}"."web"."bound"`) as string,
      remedy: expect.stringContaining(`grant select on svv_table_info to "${name}"`) as string,
    })
  })
})

describeWithServer('PostgreSQL', POSTGRES, () => {
  test('stopped while a table is locked, the statement ends in the server', async () => {
    const name = `stagecraft_locked_${crypto.randomUUID().slice(0, 8)}`
    const client = new pg.Client({ connectionString: POSTGRES.url })
    await client.connect()
    onTestFinished(async () => {
      await client.query(`rollback; drop schema ${name} cascade`)
      await client.end()
    })
    await client.query(`create schema ${name}; create table ${name}.orders (id int)`)
    await client.query(`begin; lock table ${name}.orders in access exclusive mode`)
    const waiting = async (): Promise<number> => {
      const other = new pg.Client({ connectionString: POSTGRES.url })
      await other.connect()
      const { rowCount } = await other.query(
        `select 1 from pg_locks where not granted and relation = '${name}.orders'::regclass`,
      )
      await other.end()
      return rowCount ?? 0
    }
    const start = performance.now()
    await stopAt(POSTGRES.url, async () => (await waiting()) === 1, name)
    expect(performance.now() - start, 'it would wait for 60 s').toBeLessThan(50_000)
    expect(await waiting()).toBe(0)
  })
})
