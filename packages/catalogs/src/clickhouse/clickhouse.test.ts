import { inspect } from 'node:util'
import { StagecraftError } from '@stagecraft/spec'
import { expect, onTestFinished, test } from 'vitest'
import { clickhouse } from './index.ts'

const ADDRESS = 'clickhouse://reader:s3cret@db.example.com:8443/raw'

interface Asked {
  readonly url: URL
  readonly statement: string
  readonly authorization: string | null
}

/** A server that answers with what a function returns, or with one database. */
function server(
  answer: (asked: Asked, signal?: AbortSignal | null) => Response | Promise<Response> | undefined = () =>
    undefined,
) {
  const asked: Asked[] = []
  const fetch: typeof globalThis.fetch = async (url, { body, headers, signal } = {}) => {
    const one = {
      url: new URL(url instanceof Request ? url.url : url),
      statement: typeof body === 'string' ? body : '',
      authorization: new Headers(headers).get('authorization'),
    }
    asked.push(one)
    return (await answer(one, signal)) ?? Response.json({ meta: [{ name: 'schema_name' }], data: [['raw']] })
  }
  return { asked, fetch }
}

const failure = (text: string, status = 500): Response => new Response(text, { status })

test('connects to the server of the address, with the password only in a header', async () => {
  const { asked, fetch } = server()
  await clickhouse({ text: ADDRESS, fetch })
  expect(asked).toHaveLength(1)
  const [{ authorization, url } = { url: new URL('http://x'), authorization: '' }] = asked
  expect(url.origin).toBe('https://db.example.com:8443')
  expect(url.searchParams.get('database')).toBe('raw')
  expect(url.href).not.toContain('s3cret')
  expect(authorization).toBe(`Basic ${Buffer.from('reader:s3cret').toString('base64')}`)
})

test.each([
  [
    'clickhouse://db.example.com',
    'http://db.example.com:8123',
    `Basic ${Buffer.from('default:').toString('base64')}`,
  ],
  [
    'clickhouse://db.example.com?secure=true',
    'https://db.example.com:8123',
    `Basic ${Buffer.from('default:').toString('base64')}`,
  ],
  ['clickhouse://me:token@db.example.com:443/?auth=jwt', 'https://db.example.com', 'Bearer token'],
])('%s means %s', async (text, origin, expected) => {
  const { asked, fetch } = server()
  await clickhouse({ text, fetch })
  expect([asked[0]?.url.origin, asked[0]?.authorization]).toEqual([origin, expected])
})

test('uses the password in the environment if the address has none', async () => {
  process.env['CLICKHOUSE_PASSWORD'] = 'borrowed'
  onTestFinished(() => void Reflect.deleteProperty(process.env, 'CLICKHOUSE_PASSWORD'))
  const { asked, fetch } = server()
  await clickhouse({ text: 'clickhouse://me@localhost', fetch })
  expect(asked[0]?.authorization).toBe(`Basic ${Buffer.from('me:borrowed').toString('base64')}`)
})

test('passes on limits of the address, and no other setting', async () => {
  const { asked, fetch } = server()
  const options = 'max_bytes_to_read=1000&max_execution_time=5&readonly=0&log_comment=x'
  await clickhouse({ text: `${ADDRESS}?${options}`, fetch })
  const { searchParams } = asked[0]?.url ?? new URL('http://x')
  expect(Object.fromEntries(searchParams)).toMatchObject({
    max_bytes_to_read: '1000',
    max_execution_time: '5',
    readonly: '2',
    log_comment: 'stagecraft',
  })
})

const READ_ONLY = "Code: 164. DB::Exception: Cannot modify 'log_comment' setting in readonly mode. (READONLY)"

const modeIs = (value: number): Response => Response.json({ meta: [{ name: 'value' }], data: [[`${value}`]] })

test.each([
  ['Code: 115. DB::Exception: Unknown setting log_comment. (UNKNOWN_SETTING) (version 20.10.1)', 1, 2],
  ['Code: 115, e.displayText() = DB::Exception: Unknown setting log_comment, e.what() = DB::Exception', 1, 2],
  ['Code: 452. DB::Exception: Setting max_execution_time should not be greater than 30.', 2, 1],
  [READ_ONLY, 1, 0],
])('does without settings that the server refuses: %s', async (message, times, settings) => {
  let refusals = times
  const { asked, fetch } = server(({ statement }) =>
    statement.includes('system.settings') ? modeIs(1) : refusals-- > 0 ? failure(message) : undefined,
  )
  const catalog = await clickhouse({ text: ADDRESS, fetch })
  await catalog.query?.('select 1')
  const own = new Set(['database', 'default_format', 'query_id', 'wait_end_of_query'])
  const names = [...(asked.at(-1)?.url.searchParams.keys() ?? [])].filter((name) => !own.has(name))
  expect(names).toEqual(['readonly', 'max_execution_time'].slice(0, settings))
})

test.each([
  [
    'a statement that writes',
    'Code: 164. DB::Exception: Cannot execute query in readonly mode. (READONLY)',
    1,
  ],
  [
    'a statement that writes, of an old server',
    'Code: 164, e.displayText() = DB::Exception: Cannot create table in readonly mode, e.what() = DB::Exception',
    1,
  ],
  ['a setting to a user who may write', READ_ONLY, 0],
])('keeps the read-only setting if a server refuses %s', async (_, message, mode) => {
  const { asked, fetch } = server(({ statement, url }) => {
    if (statement.includes('system.settings')) return modeIs(mode)
    return statement === 'drop table t' && url.searchParams.has('readonly') ? failure(message) : undefined
  })
  const catalog = await clickhouse({ text: ADDRESS, fetch })
  await expect(catalog.query?.('drop table t')).rejects.toThrow('readonly mode')
  const writes = asked.filter(({ statement }) => statement === 'drop table t')
  expect(writes.map(({ url }) => url.searchParams.get('readonly'))).toEqual(['2'])
})

test.each([
  [
    'Code: 516. DB::Exception: reader: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED) (version 26.7.2.1 (official build))',
    'password authentication failed for user reader; check user and password',
  ],
  [
    'Code: 81. DB::Exception: Database raw does not exist. (UNKNOWN_DATABASE) (version 26.7.2.1)',
    'database raw does not exist; check the name after the last /',
  ],
  [
    'Code: 497. DB::Exception: reader: Not enough privileges. To execute this query, it is necessary to have the grant SELECT(a) ON raw.t. (ACCESS_DENIED) (version 26.7.2.1)',
    'reader: Not enough privileges. To execute this query, it is necessary to have the grant SELECT(a) ON raw.t. (ACCESS_DENIED); check the grants of user reader',
  ],
  [
    'Code: 159. DB::Exception: Timeout exceeded: elapsed 60.1 seconds, maximum: 60. (TIMEOUT_EXCEEDED) (version 26.7.2.1)',
    'Timeout exceeded: elapsed 60.1 seconds, maximum: 60. (TIMEOUT_EXCEEDED); check the load of the server, or read one schema at a time',
  ],
  [
    'Port 9000 is for clickhouse-client program\r\nYou must use port 8123 for HTTP.',
    'Port 9000 is for clickhouse-client program',
  ],
  ['<html>', 'it answered with status 500; check the connection string and the log of the server'],
  [
    'Code: 60, e.displayText() = DB::Exception: the password is s3cret (version 20.10.1)',
    'the driver gave no reason',
  ],
])('reports why a server refuses: %s', async (message, reason) => {
  const { fetch } = server(() => failure(message))
  const error: unknown = await clickhouse({ text: ADDRESS, fetch }).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(StagecraftError)
  expect(error).toMatchObject({ code: 'CONNECTION_FAILED' })
  expect((error as Error).message).toContain(`cannot read ClickHouse at db.example.com:8443: ${reason}`)
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('s3cret')
})

test.each([
  [401, 'password authentication failed for user reader; check user and password'],
  [403, 'it answered with status 403; check the grants of user reader'],
  [503, 'the server is busy, or its gateway has no server; check its state, and try again'],
])('reads the status of a gateway, which has no code of ClickHouse: %s', async (status, reason) => {
  const { fetch } = server(() => failure('<html>', status))
  await expect(clickhouse({ text: ADDRESS, fetch })).rejects.toThrow(reason)
})

test('refuses a server whose system tables lack columns, and says from which version they have them', async () => {
  const old =
    'Code: 47, e.displayText() = DB::Exception: Unknown identifier: total_rows, e.what() = DB::Exception'
  const { fetch } = server(({ statement }) =>
    /total_rows|from t$/.test(statement) ? failure(old) : undefined,
  )
  const catalog = await clickhouse({ text: ADDRESS, fetch })
  await expect(catalog.tables({})).rejects.toThrow(
    'its system tables lack columns that ClickHouse has since version 20.10; check its version with "select version()"',
  )
  await expect(catalog.query?.('select total_rows from t')).rejects.toThrow('Unknown identifier: total_rows')
})

test('refuses an answer of another server', async () => {
  const { fetch } = server(() => new Response('Ok.\n'))
  await expect(clickhouse({ text: ADDRESS, fetch })).rejects.toThrow('it answered with status 200')
})

test('cancels a statement in the server, and waits for this on close', async () => {
  const { asked, fetch } = server(({ statement }, signal) =>
    statement === 'select sleep(3)'
      ? new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error))
        })
      : undefined,
  )
  const catalog = await clickhouse({ text: ADDRESS, fetch })
  const caller = new AbortController()
  const asking = catalog.query?.('select sleep(3)', { signal: caller.signal })
  await expect.poll(() => asked.length).toBe(2)
  const id = asked[1]?.url.searchParams.get('query_id')
  caller.abort(new Error('enough'))
  await expect(asking).rejects.toThrow('enough')
  await catalog.close()
  expect(asked[2]?.statement).toBe(`kill query where query_id = '${id}' async`)
  expect(asked[2]?.url.searchParams.has('readonly')).toBe(false)
})
