import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { API_OPERATIONS, type ScanResource } from '@stagecraft/spec/api'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectionHandlers } from '../../packages/service/src/connections/connection-handlers.ts'
import type { ServiceLogger, ServiceSettings } from '../../packages/service/src/context.ts'
import { runJobs } from '../../packages/service/src/jobs/run-jobs.ts'
import { scanJobs } from '../../packages/service/src/scans/run-scan.ts'
import { scanHandlers } from '../../packages/service/src/scans/scan-handlers.ts'
import { sourceHandlers } from '../../packages/service/src/sources/source-handlers.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { type FakeAnswer, FakeDatabricks } from '../warehouses/fake-databricks.ts'
import { describeEachStore } from './each-store.ts'
import { addProject, callOf, openTestContext } from './open-test-context.ts'

const S = 'STRING'
const texts = (...names: readonly string[]) => names.map((name) => [name, S] as const)
const WORKSPACE: readonly FakeAnswer[] = [
  { when: /schemata/, columns: texts('schema_name'), rows: [['raw']] },
  {
    when: /information_schema\.tables/,
    columns: texts('table_schema', 'table_name', 'table_type', 'table_comment'),
    rows: [['raw', 'orders', 'MANAGED', 'what was sold']],
  },
  {
    when: /information_schema\.columns/,
    columns: texts(
      'table_schema',
      'table_name',
      'column_name',
      'ordinal_position',
      'data_type',
      'is_nullable',
      'column_default',
      'column_comment',
    ),
    rows: [
      ['raw', 'orders', 'id', '1', 'bigint', 'NO', null, null],
      ['raw', 'orders', 'amount', '2', 'decimal(12,2)', 'YES', null, null],
    ],
    states: ['PENDING', 'SUCCEEDED'],
  },
  { when: /key_column_usage/, columns: texts('table_schema'), rows: [] },
  { when: /./, columns: texts('table_schema'), rows: [] },
]

const ORDERS = {
  Name: 'orders',
  TableType: 'EXTERNAL_TABLE',
  StorageDescriptor: {
    Columns: [
      { Name: 'id', Type: 'bigint' },
      { Name: 'amount', Type: 'decimal(12,2)' },
    ],
  },
}

/** Glue, as far as a scan asks it, behind the variable of AWS's tools. */
async function startGlue(refusal?: object): Promise<void> {
  const answers: Readonly<Record<string, object>> = {
    GetDatabases: { DatabaseList: [{ Name: 'raw' }] },
    GetTables: { TableList: [ORDERS] },
    GetTable: { Table: ORDERS },
  }
  const server = createServer((request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? ''
    request.resume()
    response.writeHead(refusal ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' })
    response.end(JSON.stringify(refusal ?? answers[operation] ?? {}))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    server.closeAllConnections()
    server.close()
  })
}

async function startWorkspace(): Promise<FakeDatabricks> {
  const fake = new FakeDatabricks(WORKSPACE)
  await fake.start()
  vi.stubGlobal('fetch', fake.fetch)
  onTestFinished(() => {
    vi.unstubAllGlobals()
    fake.stop()
  })
  return fake
}

const DATABRICKS = 'databricks://adb-1.azuredatabricks.net/main/raw?http_path=/sql/1.0/warehouses/1a2b'
const ATHENA = 'athena://AKIA1:canary-s3cret@eu-west-1/awsdatacatalog/raw?session_token=canary-t0ken'
/** As a service of many people has it. */
const SHARED = { allowLocalFiles: false, connectionNetworks: ['machine'] }

await describeEachStore('scans of warehouses', MIGRATIONS, (open) => {
  async function setUp(catalog: string, settings: Partial<ServiceSettings> = {}) {
    const logged = vi.fn<ServiceLogger['info']>()
    const logger = { debug: logged, info: logged, warn: logged, error: logged }
    const context = openTestContext(await open(), { settings, logger })
    onTestFinished(() => context.catalogs.close())
    const caller = await addProject(context)
    const handlers = { ...connectionHandlers(context), ...scanHandlers(context), ...sourceHandlers(context) }
    const body = { name: 'warehouse', catalog }
    const { data: connection } = await handlers.createConnection(callOf(caller, { body }))
    const scan = async (): Promise<ScanResource> => {
      const { id } = (await handlers.createScan(callOf(caller, {}))).data
      const jobs = runJobs(context, [scanJobs(context)], { pollMs: 20 })
      onTestFinished(() => jobs.stop())
      const get = async () => (await handlers.getScan(callOf(caller, { params: { scanId: id } }))).data
      await expect.poll(async () => (await get()).state).not.toMatch(/queued|running/)
      return API_OPERATIONS.getScan.data.parse(await get())
    }
    /** All that is kept, logged and answered. */
    const traces = async (...answers: readonly unknown[]): Promise<string> => {
      const { db } = context.store
      const rows = [
        await db.selectFrom('connections').selectAll().execute(),
        await db.selectFrom('scans').selectAll().execute(),
        await db.selectFrom('source_tables').selectAll().execute(),
        await db.selectFrom('events').selectAll().execute(),
      ]
      return inspect([rows, logged.mock.calls, answers], {
        depth: 12,
        showHidden: true,
        maxStringLength: null,
      })
    }
    return { caller, connection, context, handlers, scan, traces }
  }

  async function expectScanned({ connection, context, scan, traces }: Awaited<ReturnType<typeof setUp>>) {
    const done = await scan()
    expect(done.error).toBeUndefined()
    expect(done).toMatchObject({
      state: 'completed',
      progress: { done: 1, total: 1 },
      tables: 1,
      columns: 2,
      changes: { tablesAdded: [expect.stringMatching(/raw\.orders$/) as string] },
    })
    const events = await context.store.db.selectFrom('events').selectAll().execute()
    expect(events.map(({ payload }) => JSON.parse(payload) as unknown)).toMatchObject([
      {
        event: 'scan.completed',
        data: { scan_id: done.id, connection_id: connection.id, tables: 1, columns: 2 },
      },
    ])
    const kept = await traces(connection, done)
    expect(kept).toContain('orders')
    expect(kept).not.toMatch(/canary|dapi-good|dose-good/)
  }

  test.each([
    ['a token', DATABRICKS.replace('//', '//token:dapi-good@')],
    ['a service principal', `${DATABRICKS}&client_id=client-1&client_secret=dose-good`],
  ])('Databricks is scanned in the background with %s, which shows nowhere', async (_, catalog) => {
    const fake = await startWorkspace()
    const set = await setUp(catalog)
    expect(set.connection).toMatchObject({
      kind: 'databricks',
      target: 'adb-1.azuredatabricks.net:443/main/raw',
    })
    await expectScanned(set)
    expect(fake.requests.length).toBeGreaterThan(3)
  })

  test('a workspace that refuses the token says so, in the scan and in the test of the connection', async () => {
    await startWorkspace()
    const { caller, connection, handlers, scan, traces } = await setUp(
      DATABRICKS.replace('//', '//token:dapi-canary@'),
    )
    const failed = await scan()
    expect(failed).toMatchObject({ state: 'failed', error: { code: 'CONNECTION_FAILED' } })
    const call = callOf(caller, { params: { connectionId: connection.id } })
    const error: unknown = await handlers.testConnection(call).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED' })
    expect((await handlers.getConnection(call)).data.lastTest).toMatchObject({ ok: false })
    expect(await traces(failed, error)).not.toContain('canary')
  })

  test('a closed network refuses a workspace that leads there', async () => {
    const catalog = DATABRICKS.replace('adb-1.azuredatabricks.net', '127.0.0.1:9443').replace(
      '//',
      '//token:dapi-canary@',
    )
    const { scan, traces } = await setUp(catalog, { allowLocalFiles: false, connectionNetworks: ['public'] })
    const failed = await scan()
    expect(failed.error?.message).toContain('this service may not connect to its address')
    expect(await traces(failed)).not.toContain('canary')
  })

  test('Athena is scanned in the background with keys, which show nowhere', async () => {
    await startGlue()
    const set = await setUp(ATHENA, SHARED)
    expect(set.connection).toMatchObject({ kind: 'athena', target: 'eu-west-1:443/awsdatacatalog/raw' })
    await expectScanned(set)
  })

  test('AWS that refuses the keys names the rights, and no key', async () => {
    await startGlue({ __type: 'AccessDeniedException', Message: 'not allowed for canary-t0ken' })
    const { caller, connection, handlers, scan, traces } = await setUp(ATHENA, SHARED)
    const failed = await scan()
    expect(failed).toMatchObject({
      state: 'failed',
      error: {
        code: 'CONNECTION_FAILED',
        message: expect.stringContaining('GetDatabases failed with AccessDenied') as string,
      },
    })
    const call = callOf(caller, { params: { connectionId: connection.id } })
    const error: unknown = await handlers.testConnection(call).catch((caught: unknown) => caught)
    expect(error).toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('check glue:GetDatabases, glue:GetTables') as string,
    })
    expect(await traces(failed, error)).not.toContain('canary')
  })

  test('a service of many people lends nobody its keys of AWS', async () => {
    const catalogs = [
      'athena://eu-west-1/awsdatacatalog/raw',
      'athena://eu-west-1/awsdatacatalog/raw?session_token=x',
      'redshift://me@shop.a1.eu-west-1.redshift.amazonaws.com/raw?method=iam',
    ]
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIA-operator')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'canary')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { caller, handlers, scan } = await setUp(catalogs[1] ?? '', SHARED)
    expect(await scan()).toMatchObject({ state: 'failed' })
    for (const catalog of [catalogs[0], catalogs[2]])
      await expect(
        handlers.createConnection(callOf(caller, { body: { name: 'x', catalog } })),
      ).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })
})
