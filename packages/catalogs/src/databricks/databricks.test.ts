import { inspect } from 'node:util'
import { type Catalog, StagecraftError } from '@stagecraft/spec'
import { expect, onTestFinished, test } from 'vitest'
import { type FakeAnswer, FakeDatabricks } from '../../../../test/warehouses/fake-databricks.ts'
import { databricks, type DatabricksOptions } from './index.ts'
import { readPlace } from './place.ts'

const HOST = 'adb-1.azuredatabricks.net'
const HTTP_PATH = 'http_path=/sql/1.0/warehouses/1a2b'
const WITH_TOKEN = `databricks://token:dapi-good@${HOST}/main/raw?${HTTP_PATH}`

const S = 'STRING'
const SCHEMAS: FakeAnswer = {
  when: /schemata/,
  columns: [['schema_name', S]],
  rows: [['information_schema'], ['raw'], ['crm']],
}
const TABLES: FakeAnswer = {
  when: /from `main`\.information_schema\.tables/,
  columns: ['table_schema', 'table_name', 'table_type', 'table_comment'].map((name) => [name, S] as const),
  rows: [
    ['raw', 'orders', 'MANAGED', 'what was sold'],
    ['raw', 'events', 'EXTERNAL', null],
    ['raw', 'totals', 'MATERIALIZED_VIEW', null],
    ['raw', 'crm_leads', 'FOREIGN', null],
  ],
}
const COLUMNS: FakeAnswer = {
  when: /information_schema\.columns/,
  columns: [
    ...['table_schema', 'table_name', 'column_name'].map((name) => [name, S] as const),
    ['ordinal_position', 'INT'],
    ...['data_type', 'is_nullable', 'column_default', 'column_comment'].map((name) => [name, S] as const),
  ],
  rows: [
    ['raw', 'orders', 'lines', '3', 'array<struct<sku:string,qty:int>>', 'YES', null, null],
    ['raw', 'orders', 'id', '1', 'bigint', 'NO', null, 'the number'],
    ['raw', 'orders', 'amount', '2', 'decimal(12,2)', 'YES', '0.00', null],
    ['raw', 'orders', 'customer_id', '4', 'bigint', 'YES', null, null],
    ['raw', 'events', 'tags', '1', 'map<string,string>', 'YES', null, null],
    ['raw', 'totals', 'total', '1', 'double', 'YES', null, null],
    ['raw', 'crm_leads', 'id', '1', 'int', 'YES', null, null],
  ],
  chunk: 2,
  states: ['PENDING', 'RUNNING', 'SUCCEEDED'],
}
const KEYS: FakeAnswer = {
  when: /key_column_usage/,
  columns: [
    'table_schema',
    'table_name',
    'constraint_name',
    'constraint_type',
    'column_name',
    'ordinal_position',
    'referenced_schema',
    'referenced_table',
    'referenced_column',
  ].map((name) => [name, S] as const),
  rows: [
    ['raw', 'orders', 'orders_pk', 'PRIMARY KEY', 'id', '1', null, null, null],
    ['raw', 'orders', 'orders_customer', 'FOREIGN KEY', 'customer_id', '1', 'crm', 'customers', 'id'],
    ['raw', 'orders', 'orders_other', 'FOREIGN KEY', 'id', '1', null, null, null],
  ],
}
const ALL = [SCHEMAS, TABLES, COLUMNS, KEYS]

const failing = (change: Partial<FakeAnswer>): readonly FakeAnswer[] => [{ ...SCHEMAS, ...change }]

async function start(answers: readonly FakeAnswer[] = ALL): Promise<FakeDatabricks> {
  const fake = new FakeDatabricks(answers)
  await fake.start()
  onTestFinished(() => fake.stop())
  return fake
}

function open(fake: FakeDatabricks, options: Partial<DatabricksOptions> = {}): Promise<Catalog> {
  return databricks({ text: WITH_TOKEN, fetch: fake.fetch, ...options })
}

test('describes a schema of Unity Catalog in three statements with bound values', async () => {
  const fake = await start()
  const catalog = await open(fake)
  const tables = await catalog.tables({})
  expect(tables.map(({ kind, name }) => [name, kind])).toEqual([
    ['crm_leads', 'external'],
    ['events', 'table'],
    ['orders', 'table'],
    ['totals', 'view'],
  ])
  expect(tables[2]).toEqual({
    database: 'main',
    schema: 'raw',
    name: 'orders',
    kind: 'table',
    comment: 'what was sold',
    columns: [
      { name: 'id', type: 'bigint', nullable: false, comment: 'the number' },
      { name: 'amount', type: 'decimal(12,2)', default: '0.00' },
      { name: 'lines', type: 'array<struct<sku:string,qty:int>>' },
      { name: 'customer_id', type: 'bigint' },
    ],
    primaryKey: ['id'],
    foreignKeys: [
      {
        columns: ['customer_id'],
        references: { table: { schema: 'crm', name: 'customers' }, columns: ['id'] },
      },
    ],
  })
  const sent = fake.requests.flatMap(({ body, path }) => (path.endsWith('/statements') ? [body] : []))
  expect(sent).toHaveLength(5) // the schemas once to open and once to look a schema up
  expect(sent[2]).toMatchObject({
    warehouse_id: '1a2b',
    catalog: 'main',
    statement: expect.stringMatching(/^\/\* stagecraft tables \*\/ [^?]*lower\(:p1\)$/) as string,
    parameters: [{ name: 'p1', value: 'raw', type: 'STRING' }],
    disposition: 'INLINE',
    format: 'JSON_ARRAY',
  })
  expect(fake.cancelled).toEqual([])
})

test('reads one table by its name', async () => {
  const fake = await start()
  const catalog = await open(fake)
  const table = await catalog.describe({ table: { text: 'ORDERS', quoted: false } })
  expect(table.primaryKey).toEqual(['id'])
  const named = fake.requests.flatMap(
    ({ body }) => (body?.['parameters'] as { value: string }[] | undefined) ?? [],
  )
  expect(named.map(({ value }) => value)).toContain('orders')
})

test('reads sizes of analyzed tables and columns of liquid clustering, or works without them if they are refused', async () => {
  const properties = `Table Properties: [a=[x],clusteringColumns=[["id"],["place","zip \\"code\\""]],delta.feature.clustering=supported]`
  const information = `Type: MANAGED\n${properties}\nStatistics: 2048 bytes, 17 rows\n`
  const sizes: FakeAnswer = {
    when: /show table extended in `main`\.`raw` like 'orders(?:\|events)?'$/,
    columns: [
      ['database', S],
      ['tableName', S],
      ['isTemporary', 'BOOLEAN'],
      ['information', S],
    ],
    rows: [
      ['raw', 'orders', 'false', information],
      ['raw', 'events', 'false', 'Type: EXTERNAL\nStatistics: 4096 bytes\n'],
    ],
  }
  const wanted = ['orders', 'events'].map((name) => ({ schema: 'raw', name, columns: [] }))
  const catalog = await open(await start([...ALL, sizes]))
  expect(await catalog.sizes?.(wanted)).toEqual([{ rows: 17, bytes: 2048 }, { bytes: 4096 }])
  expect((await catalog.describe({ table: { text: 'orders', quoted: false } })).storage).toEqual({
    clusteredBy: ['id', 'place."zip ""code"""'],
  })
  const without = await open(await start())
  expect(await without.sizes?.(wanted)).toEqual([{}, {}])
})

test('reads cells by their types, and does not change the text of a query', async () => {
  const columns = [
    ['n', 'LONG'],
    ['big', 'LONG'],
    ['ratio', 'DOUBLE'],
    ['price', 'DECIMAL'],
    ['ok', 'BOOLEAN'],
    ['nothing', 'STRING'],
  ] as const
  const rows = [['12', '9007199254740993', '0.5', '1.50', 'true', null]]
  const fake = await start([...ALL, { when: /'really\?'/, columns, rows }])
  const catalog = await open(fake)
  expect(await catalog.query?.("select 'really?' as n")).toEqual([
    { n: 12, big: '9007199254740993', ratio: 0.5, price: '1.50', ok: true, nothing: null },
  ])
  expect(fake.requests.findLast(({ body }) => body?.['statement'])?.body?.['parameters']).toEqual([])
})

test('signs in as a service principal, and keeps the token', async () => {
  const fake = await start()
  const text = `databricks://${HOST}/main/raw?${HTTP_PATH}%3Fo=77&client_id=client-1&client_secret=dose-good`
  const catalog = await open(fake, { text })
  await catalog.tables({})
  expect(fake.requests.filter(({ path }) => path === '/oidc/v1/token')).toHaveLength(1)
  expect(fake.requests.at(-1)?.headers).toMatchObject({
    authorization: 'Bearer issued-1',
    'x-databricks-org-id': '77',
  })
})

test('retries after the pause that a busy workspace requests', async () => {
  const fake = await start(failing({ states: ['PENDING', 'RUNNING', 'SUCCEEDED'] }))
  fake.failures.push(
    { status: 429, body: { error_code: 'REQUEST_LIMIT_EXCEEDED' }, retryAfter: '0' },
    { status: 503, body: { error_code: 'TEMPORARILY_UNAVAILABLE' }, retryAfter: '0' },
  )
  await open(fake)
  expect(fake.requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'GET', 'GET'])
})

test.each([
  [
    {
      states: ['FAILED'],
      error: { error_code: 'BAD_REQUEST', message: '[PARSE_SYNTAX_ERROR] near x\nat y' },
    },
    'ended as BAD_REQUEST: [PARSE_SYNTAX_ERROR] near x; check the query history',
  ],
  [{ states: ['PENDING', 'CANCELED'] }, 'the statement ended as CANCELED: no reason given'],
  [{ states: ['RUNNING', 'CLOSED'] }, 'the statement ended as CLOSED: no reason given'],
  [
    {
      states: ['FAILED'],
      error: {
        error_code: 'BAD_REQUEST',
        message:
          'Inline byte limit exceeded. Statements executed with disposition=INLINE can have a result size of at most 26214400 bytes.',
      },
    },
    'check the number of tables: name them, or read one schema at a time',
  ],
  [
    {
      states: ['FAILED'],
      error: {
        error_code: 'BAD_REQUEST',
        message: '[SCHEMA_NOT_FOUND] The schema `mian`.`information_schema` cannot be found.',
      },
    },
    'check the catalog in the address; tables outside Unity Catalog are in hive_metastore',
  ],
  [
    {
      states: ['FAILED'],
      error: {
        error_code: 'BAD_REQUEST',
        message: '[NO_SUCH_CATALOG_EXCEPTION] Catalog mian was not found.',
      },
    },
    'check the catalog in the address; tables outside Unity Catalog are in hive_metastore',
  ],
  [{ manifest: { truncated: true } }, 'the result is incomplete: it was cut at a limit'],
  [{ manifest: { total_row_count: 9 } }, 'the result is incomplete: only 3 of 9 rows arrived'],
  [
    { chunk: 1, link: 'https://elsewhere.example/x' },
    'the result is incomplete: a link leads to another host',
  ],
  [
    { chunk: 1, link: '//elsewhere.example/api/2.0/sql/statements/1/result/chunks/1' },
    'a link leads to another host',
  ],
] as const)('reports why there is no result: %#', async (change, reason) => {
  const fake = await start(failing(change))
  await expect(open(fake)).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
    message: expect.stringContaining(reason) as string,
  })
})

test.each([
  [
    401,
    { error_code: 'UNAUTHENTICATED', message: 'Invalid access token.' },
    'the workspace rejects the token (HTTP 401: Invalid access token.)',
  ],
  [
    403,
    { error_code: 'PERMISSION_DENIED', message: 'no CAN USE' },
    'access refused (HTTP 403: no CAN USE); check CAN USE on the SQL warehouse',
  ],
  [
    404,
    { error_code: 'RESOURCE_DOES_NOT_EXIST', message: 'dapi-good is not known' },
    'not found (HTTP 404); check the host',
  ],
  [200, 'a page of somebody else', 'the answer has no statement id; check the host of the workspace'],
])('reports a refusal with HTTP %s', async (status, body, reason) => {
  const fake = await start()
  fake.failures.push({ status, body })
  await expect(open(fake)).rejects.toThrow(`cannot read Databricks at ${HOST}:443: ${reason}`)
})

test('names the remedy if a service principal gets no token, without a secret', async () => {
  const fake = await start()
  const text = `databricks://${HOST}/main?${HTTP_PATH}&client_id=client-1&client_secret=canary-s3cret`
  const error: unknown = await open(fake, { text }).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'CONNECTION_FAILED' })
  expect(inspect(error, { depth: 10, showHidden: true })).toMatch(
    /HTTP 401.*client_id and client_secret.*azure_client_secret/,
  )
  expect(inspect([error, readPlace(text)], { depth: 10, showHidden: true })).not.toContain('canary-s3cret')
})

test.each([
  [
    'start',
    { startSeconds: 0.05 },
    'PENDING',
    'the SQL warehouse has not started within 0.05 s; check its state',
  ],
  ['end', { runSeconds: 0.05 }, 'RUNNING', 'a query timed out after 0.05 s'],
] as const)('cancels a statement that does not %s', async (_, limits, state, reason) => {
  const fake = await start(failing({ states: [state] }))
  await expect(open(fake, { limits })).rejects.toThrow(reason)
  expect(fake.cancelled).toEqual(['01ef-1'])
})

test('cancels the statement in the warehouse if the signal aborts or the catalog is closed', async () => {
  const slow: FakeAnswer = { when: /slow/, states: ['RUNNING'] }
  const fake = await start([...ALL, slow])
  const catalog = await open(fake)
  const stop = new AbortController()
  const reason = new Error('stopped')
  const asked = catalog.query?.('select slow', { signal: stop.signal })
  await expect
    .poll(() => fake.requests.filter(({ path }) => path.endsWith('/01ef-2')).length)
    .toBeGreaterThan(0)
  stop.abort(reason)
  await expect(asked).rejects.toBe(reason)
  expect(fake.cancelled).toEqual(['01ef-2'])
  const left = catalog.query?.('select slow')
  left?.catch(() => undefined)
  await expect
    .poll(() => fake.requests.filter(({ path }) => path.endsWith('/01ef-3')).length)
    .toBeGreaterThan(0)
  await catalog.close()
  await expect(left).rejects.toThrow('the catalog was closed')
  expect(fake.cancelled).toEqual(['01ef-2', '01ef-3'])
})

test('cancels opening and its statement', async () => {
  const fake = await start(failing({ states: ['PENDING'] }))
  const stop = new AbortController()
  const opening = open(fake, { signal: stop.signal })
  await expect.poll(() => fake.requests.length).toBeGreaterThan(1)
  const reason = new Error('stopped')
  stop.abort(reason)
  await expect(opening).rejects.toBe(reason)
  await expect.poll(() => fake.cancelled).toEqual(['01ef-1'])
})

test('reads the Hive metastore with one statement for each schema', async () => {
  const information = [
    'Catalog: hive_metastore',
    'Database: raw',
    'Table: orders',
    'Comment: what was sold',
    'Type: MANAGED',
    'Statistics: 2048 bytes, 17 rows',
    'Schema: root',
    ' |-- id: long (nullable = false)',
    '',
  ].join('\n')
  const fake = await start([
    {
      when: /show schemas in `hive_metastore`/,
      columns: [['databaseName', S]],
      rows: [['default'], ['raw']],
    },
    {
      when: /show table extended in `hive_metastore`\.`raw` like '\*'/,
      columns: [
        ['database', S],
        ['tableName', S],
        ['isTemporary', 'BOOLEAN'],
        ['information', S],
      ],
      rows: [
        ['raw', 'orders', 'false', information],
        ['', 'scratch', 'true', information],
      ],
    },
  ])
  const catalog = await open(fake, { text: WITH_TOKEN.replace('/main/', '/hive_metastore/') })
  const [table, ...others] = await catalog.tables({})
  expect(others).toEqual([])
  expect(table).toEqual({
    database: 'hive_metastore',
    schema: 'raw',
    name: 'orders',
    kind: 'table',
    comment: 'what was sold',
    columns: [{ name: 'id', type: 'bigint', nullable: false }],
  })
  expect(await catalog.sizes?.([table ?? { name: '', columns: [] }])).toEqual([{ rows: 17, bytes: 2048 }])
})

test.each([
  [
    `databricks://token:x@${HOST}/?${HTTP_PATH}`,
    'databricks://…/catalog or databricks://…/catalog/schema, got 0 names',
  ],
  [`databricks://token:x@${HOST}/a/b/c?${HTTP_PATH}`, 'got 3 names'],
  [`databricks://token:x@${HOST}/main`, 'http_path=/sql/1.0/warehouses/… of a SQL warehouse, got nothing'],
  [`databricks://token:x@${HOST}/main?http_path=sql/protocolv1/o/1/0923-1`, 'got the path of a cluster'],
  [`databricks://${HOST}/main?${HTTP_PATH}`, 'got neither'],
  [`databricks://${HOST}/main?${HTTP_PATH}&client_id=me`, 'got only client_id'],
  [`databricks://token:x@a%2Fb/main?${HTTP_PATH}`, 'expected the name of a host'],
  [`databricks://token:x@${HOST}/main?${HTTP_PATH}&host=evil.example%2F`, 'expected the name of a host'],
])('refuses %s', (text, reason) => {
  expect(() => readPlace(text)).toThrow(reason)
  expect(() => readPlace(text)).toThrow(StagecraftError)
})
