import { inspect } from 'node:util'
import { StagecraftError } from '@stagecraft/spec'
import { expect, onTestFinished, test } from 'vitest'
import {
  type Outcome,
  startTrino,
  type TrinoServer,
  type TrinoServerOptions,
} from '../../../../test/trino-server.ts'
import { parseAddress } from '../network/address.ts'
import { TRINO } from '../network/servers.ts'
import { trino } from './index.ts'
import { TrinoServer as CoordinatorOfTrino } from './server.ts'

const name = (text: string) => ({ text, quoted: true })

/** Answers of a Hive catalog, by a part of the statement. */
const ANSWERS: readonly (readonly [part: string, outcome: Outcome])[] = [
  ['.schemata', { columns: ['schema_name'], rows: [['information_schema'], ['raw'], ['crm']] }],
  [
    '.tables',
    {
      columns: ['table_schema', 'table_name', 'table_type'],
      rows: [
        ['raw', 'orders', 'BASE TABLE'],
        ['raw', 'open_orders', 'VIEW'],
        ['raw', 'events', 'BASE TABLE'],
      ],
    },
  ],
  [
    '.columns',
    {
      columns: [
        'table_schema',
        'table_name',
        'column_name',
        'ordinal_position',
        'data_type',
        'is_nullable',
        'column_default',
        'column_comment',
        'extra_info',
      ],
      rows: [
        ['raw', 'orders', 'id', 1, 'bigint', 'NO', null, null, null],
        ['raw', 'orders', 'total', 2, 'decimal(12,2)', 'YES', '0.00', 'It\'s "euros"', null],
        ['raw', 'orders', 'day', 3, 'date', 'YES', null, null, 'partition key'],
        ['raw', 'open_orders', 'id', 1, 'bigint', 'YES', null, null, null],
        ['raw', 'events', 'at', 1, 'timestamp(3) with time zone', 'YES', null, null, null],
        ['raw', 'events', 'pair', 2, 'row(a bigint, "b c" varchar(5))', 'YES', null, null, null],
        ['raw', 'events', 'tags', 3, 'map(varchar, array(varchar))', 'YES', null, null, null],
      ],
    },
  ],
  [
    'table_comments',
    { columns: ['table_schema', 'table_name', 'table_comment'], rows: [['raw', 'orders', 'All of them']] },
  ],
]

async function startWith(
  more: typeof ANSWERS = [],
  options: TrinoServerOptions = {},
): Promise<TrinoServer & { readonly text: string }> {
  const server = await startTrino((statement) => {
    const found = [...more, ...ANSWERS].find(([part]) => statement.includes(part))
    return found?.[1] ?? { columns: ['x'], rows: [[1]] }
  }, options)
  onTestFinished(() => server.close())
  return { ...server, text: `trino://reader:s3cret@127.0.0.1:${server.port}/hive` }
}

test('describes tables from pages, requested from the host of the address', async () => {
  const server = await startWith()
  const catalog = await trino({ text: server.text })
  const tables = await catalog.tables({ schema: name('raw') })
  expect(tables).toEqual([
    {
      database: 'hive',
      schema: 'raw',
      name: 'events',
      kind: 'table',
      columns: [
        { name: 'at', type: 'timestamp(3) with time zone' },
        { name: 'pair', type: 'row(a bigint, "b c" varchar(5))' },
        { name: 'tags', type: 'map(varchar, array(varchar))' },
      ],
    },
    {
      database: 'hive',
      schema: 'raw',
      name: 'open_orders',
      kind: 'view',
      columns: [{ name: 'id', type: 'bigint' }],
    },
    {
      database: 'hive',
      schema: 'raw',
      name: 'orders',
      kind: 'table',
      comment: 'All of them',
      columns: [
        { name: 'id', type: 'bigint', nullable: false },
        { name: 'total', type: 'decimal(12,2)', default: '0.00', comment: `It's "euros"` },
        { name: 'day', type: 'date' },
      ],
      storage: { partitionedBy: ['day'] },
    },
  ])
  expect(await catalog.describe({ schema: name('raw'), table: name('orders') })).toEqual(tables[2])
  expect(catalog.warnings).toEqual([])
})

test('sends its user, time limit and capabilities', async () => {
  const server = await startWith()
  const options = new URLSearchParams({
    client_tags: 'a,b',
    roles: 'system:reader;hive:ALL',
    session_properties: 'query_max_scan_physical_bytes:10GB;hive.x:a%3Bb',
    http_headers: 'x-gateway:k%3Ay',
    impersonation_user: 'somebody',
    timezone: 'Europe/Rome',
  })
  await trino({ text: `${server.text}?${options.toString()}` })
  for (const { headers } of server.requests)
    expect(headers).toMatchObject({
      authorization: `Basic ${Buffer.from('reader:s3cret').toString('base64')}`,
      'x-trino-user': 'somebody',
      'x-trino-source': 'stagecraft',
      'x-trino-client-tags': 'stagecraft,a,b',
      'x-trino-client-capabilities': 'PARAMETRIC_DATETIME',
      'x-trino-time-zone': 'Europe/Rome',
      'x-trino-session': 'query_max_run_time=60s,query_max_scan_physical_bytes=10GB,hive.x=a%3Bb',
      'x-trino-role': 'system=ROLE%7Breader%7D,hive=ALL',
      'x-gateway': 'k:y',
    })
  expect(server.requests.length).toBeGreaterThan(2)
})

test.each([
  ['trino://127.0.0.1/hive', undefined, 'stagecraft'],
  ['trino://me@127.0.0.1/hive', undefined, 'me'],
  ['trino://:token@127.0.0.1/hive?auth=jwt', 'Bearer token', undefined],
  ['trino://me:token@127.0.0.1/hive?auth=jwt', 'Bearer token', 'me'],
])('%s signs in with %s as %s', async (text, authorization, user) => {
  const server = await startWith()
  await trino({ text: text.replace('127.0.0.1', `127.0.0.1:${server.port}`) })
  expect(server.requests[0]?.headers.authorization).toBe(authorization)
  expect(server.requests[0]?.headers['x-trino-user']).toBe(user)
})

test.each([
  ['trino://me:s3cret@db.example.com:8080/hive', 'expected HTTPS (secure=true), because a password is sent'],
  ['trino://me:s3cret@db.example.com:8443', 'an address without a catalog'],
  ['trino://m%C3%BC@db.example.com:8443/hive', 'X-Trino-User: expected only ASCII characters'],
  ['trino://me@db.example.com:8443/hive?sslrootcert=/no/such/file', 'sslrootcert: expected a PEM file'],
])('refuses %s', async (text, message) => {
  const error: unknown = await trino({ text }).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(StagecraftError)
  expect((error as Error).message).toContain(message)
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('s3cret')
})

test('retries any request if a gateway is busy', async () => {
  const server = await startWith()
  server.before.push([503], [429], [502])
  const catalog = await trino({ text: server.text })
  server.before.push([504])
  expect(await catalog.query?.('select 1')).toEqual([{ x: 1 }])
})

test.each([
  [
    { error: { message: "line 1:8: Column 'x' cannot be resolved", errorName: 'COLUMN_NOT_FOUND' } },
    "line 1:8: Column 'x' cannot be resolved",
  ],
  [
    {
      error: {
        message: 'Access Denied: Cannot select from columns [a] in table hive.raw.t',
        errorName: 'PERMISSION_DENIED',
      },
    },
    'Access Denied: Cannot select from columns [a] in table hive.raw.t; check the grants of user reader',
  ],
  [
    {
      error: {
        message: 'Query exceeded the maximum run time limit of 1.00m',
        errorName: 'EXCEEDED_TIME_LIMIT',
      },
    },
    'Query exceeded the maximum run time limit of 1.00m; check the load of the server',
  ],
  [
    { error: { message: 'the password was s3cret', errorName: 'GENERIC_INTERNAL_ERROR' } },
    'the driver gave no reason',
  ],
] as const)('reports an error with the status 200: %j', async (outcome, reason) => {
  const server = await startWith([['select 1', outcome]])
  const catalog = await trino({ text: server.text })
  const error: unknown = await catalog.query?.('select 1').catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'CONNECTION_FAILED' })
  expect((error as Error).message).toContain(`cannot read Trino at 127.0.0.1:${server.port}: ${reason}`)
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('s3cret')
})

test.each([
  [[401, 'Invalid credentials'], 'password authentication failed for user reader'],
  [[403, 'Forbidden'], 'it answered with status 403: Forbidden; check the grants of user reader'],
  [[404, '<html>'], 'it answered with status 404;'],
  [[200, 'Ok.'], 'it answered with status 200: Ok'],
] as const)('reports the answer %j', async (answer, reason) => {
  const server = await startWith()
  server.before.push(answer)
  await expect(trino({ text: server.text })).rejects.toThrow(reason)
})

test('cancels a statement in the server, and waits for this on close', async () => {
  const server = await startWith([['select 1', 'never ends']])
  const catalog = await trino({ text: server.text })
  const caller = new AbortController()
  const asking = catalog.query?.('select 1', { signal: caller.signal })
  await expect
    .poll(() => server.requests.filter(({ path }) => path.includes('/executing/1/')).length)
    .toBeGreaterThan(2)
  caller.abort(new Error('enough'))
  await expect(asking).rejects.toThrow('enough')
  await catalog.close()
  expect(server.requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual([
    expect.stringMatching(/^\/v1\/statement\/executing\/1\/slug\/\d+$/),
  ])
})

test('works without comments of tables that it may not read', async () => {
  const denied: Outcome = {
    error: { message: 'Access Denied: Cannot access catalog system', errorName: 'PERMISSION_DENIED' },
  }
  const server = await startWith([['table_comments', denied]])
  const catalog = await trino({ text: `${server.text}/raw` })
  expect((await catalog.tables({})).map(({ comment }) => comment)).toEqual([undefined, undefined, undefined])
  expect(catalog.warnings?.map(({ message }) => message)).toEqual([
    'the statement "comments" was skipped: Access Denied: Cannot access catalog system',
  ])
})

test('works without a time limit that it may not set, and keeps the limit of the address', async () => {
  const server = await startTrino((_, headers) =>
    String(headers['x-trino-session']).includes('query_max_run_time')
      ? {
          error: {
            message: 'Access Denied: Cannot set system session property query_max_run_time',
            errorName: 'PERMISSION_DENIED',
          },
        }
      : { columns: ['schema_name'], rows: [['raw']] },
  )
  onTestFinished(() => server.close())
  await trino({ text: `trino://me@127.0.0.1:${server.port}/hive?session_properties=a:b` })
  const sessions = server.requests.map(({ headers }) => headers['x-trino-session'])
  expect([...new Set(sessions)]).toEqual(['query_max_run_time=60s,a=b', 'a=b'])
})

test.each([
  [{ mostRows: 3 }, 'ERR_TOO_LARGE', { columns: ['x'], rows: [[1], [2], [3], [4], [5], [6], [7]] }],
  [{ seconds: 1 }, 'ERR_NO_ANSWER', 'never ends'],
] as const)('cancels a statement that exceeds %j', async (limits, code, outcome) => {
  const server = await startTrino(() => outcome)
  onTestFinished(() => server.close())
  const address = parseAddress(`trino://me@127.0.0.1:${server.port}/hive`, TRINO)
  const asking = new CoordinatorOfTrino(address, { limits })
  await expect(asking.query('select 1', new AbortController().signal)).rejects.toMatchObject({ code })
  await asking.close()
  expect(server.requests.at(-1)?.method).toBe('DELETE')
})
