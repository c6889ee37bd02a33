import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { openCatalog } from '@stagecraft/catalogs'
import { sqlserver } from '@stagecraft/catalogs/sqlserver'
import { guardedNetwork } from '@stagecraft/webhooks'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { describeWithServer, mysqlServer, postgresServer } from '../servers.ts'

const [postgres, mysql] = await Promise.all([postgresServer(), mysqlServer()])

const NAME = 'warehouse.example.com'
const REFUSED = {
  code: 'CONNECTION_FAILED',
  details: { reason: 'this service may not connect to its address' },
}

/** The DNS of whoever owns the name: another answer each time, the last one forever. */
function network({
  leads,
  networks,
}: {
  readonly leads: readonly string[]
  readonly networks: readonly string[]
}) {
  let asked = 0
  const lookup = async () => [{ address: leads[asked++] ?? leads.at(-1) ?? '', family: 4 }]
  return guardedNetwork({ lookup, networks })
}

/** The server under a name. */
const named = (url: string, name = NAME): string => url.replace(/@[^:/]+/, `@${name}`)

describeWithServer('connections to PostgreSQL', postgres, () => {
  const leads = ['127.0.0.1']

  test('go through sockets that lead into allowed networks, and so does what stops a statement', async () => {
    const catalog = await openCatalog(named(postgres.url), network({ leads, networks: ['machine'] }))
    onTestFinished(() => catalog.close())
    expect(await catalog.query?.('select 1 as one')).toEqual([{ one: 1 }])
    const stop = new AbortController()
    const slow = catalog.query?.('select pg_sleep(60)', { signal: stop.signal })
    stop.abort(new Error('stopped'))
    await expect(slow).rejects.toThrow('stopped')
    expect(await catalog.query?.('select 2 as two')).toEqual([{ two: 2 }])
  })

  test.each([postgres.url, named(postgres.url)])('are refused elsewhere: %s', async (url) => {
    const ways = network({ leads, networks: ['public', 'private'] })
    await expect(openCatalog(url, ways)).rejects.toMatchObject(REFUSED)
    const redshift = url.replace(/^postgres(?:ql)?:/, 'redshift:').replace('@', ':x@')
    await expect(openCatalog(`${redshift}?sslmode=disable`, ways)).rejects.toMatchObject(REFUSED)
  })

  test('check a name for each connection anew', async () => {
    const ways = network({ leads: ['127.0.0.1', '169.254.169.254'], networks: ['machine'] })
    const catalog = await openCatalog(named(postgres.url), ways)
    onTestFinished(() => catalog.close())
    const both = [1, 2].map(async (n) => await catalog.query?.(`select ${n} as n, pg_sleep(0.2)`))
    const ended = await Promise.allSettled(both)
    expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(ended.find((one) => one.status === 'rejected')?.reason).toMatchObject(REFUSED)
  })
})

describeWithServer('connections to MySQL', mysql, () => {
  const url = mysql.url.replace(/[^/]*$/, 'information_schema')
  const leads = ['127.0.0.1']

  test('go through sockets that lead into allowed networks', async () => {
    const catalog = await openCatalog(named(url), network({ leads, networks: ['machine'] }))
    onTestFinished(() => catalog.close())
    expect(await catalog.query?.('select 1 as one')).toEqual([{ one: 1 }])
  })

  test('print nothing of what is read', async () => {
    await expect(openCatalog(`${url}?debug=true`)).rejects.toThrow('debug: expected an address without debug')
  })

  test.each([url, named(url)])('are refused elsewhere: %s', async (text) => {
    const ways = network({ leads, networks: ['public', 'private'] })
    await expect(openCatalog(text, ways)).rejects.toMatchObject(REFUSED)
  })
})

test('of SQL Server, a server that sends the connection on leads into allowed networks, too', async () => {
  let connections = 0
  const server = createServer(() => void (connections += 1)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const places: { host: string; port: number }[] = [
    { host: NAME, port },
    { host: '169.254.169.254', port: 80 },
  ]
  /** What the package mssql does with it. */
  class ConnectionPool {
    readonly #config
    constructor(config: { readonly options: Readonly<Record<string, unknown>> }) {
      this.#config = config
    }
    on = () => undefined
    close = async () => undefined
    request = () =>
      ({ input: () => this.request(), query: async () => ({}), cancel: () => undefined }) as never
    connect = async () => {
      const connector = this.#config.options['connector'] as (place: object) => Promise<{ destroy(): void }>
      for (const place of places) (await connector(place)).destroy()
    }
  }
  const { socket } = network({ leads: ['127.0.0.1'], networks: ['machine'] })
  const text = `sqlserver://me:secret@${NAME}:${port}/raw`
  await expect(sqlserver({ text, socket, driver: { ConnectionPool } })).rejects.toMatchObject(REFUSED)
  await expect.poll(() => connections).toBe(1)
  await expect(sqlserver({ text: `${text}?instance=X`, socket, driver: { ConnectionPool } })).rejects.toThrow(
    'instance: expected the port of the instance, got its name',
  )
})

/** The addresses that lead into this machine or to metadata services, and what the DNS says of them. */
const CLOSED: readonly (readonly [host: string, leads: readonly string[]])[] = [
  ['169.254.169.254', []],
  ['127.0.0.1', []],
  ['[::1]', []],
  ['[::ffff:169.254.169.254]', []],
  ['[::ffff:7f00:1]', []],
  ['[64:ff9b::a9fe:a9fe]', []],
  ['[fd00:ec2::254]', []],
  ['0x7f000001', ['127.0.0.1']],
  ['localhost', ['127.0.0.1']],
  [NAME, ['169.254.169.254']],
]

const OVER_HTTP: readonly (readonly [kind: string, addressOf: (place: string) => string])[] = [
  ['clickhouse', (place) => `clickhouse://me:canary@${place}/raw?secure=false`],
  ['clickhouse over TLS', (place) => `clickhouse://me:canary@${place}/raw`],
  ['trino', (place) => `trino://me@${place}/hive/raw?http_headers=x-key:canary`],
  ['bigquery', (place) => `bigquery://${place}/p/web?token=canary`],
  ['databricks', (place) => `databricks://token:canary@${place}/main/raw?http_path=/sql/1.0/warehouses/a1`],
]

describe.each(OVER_HTTP)('connections over HTTP: %s', (_, addressOf) => {
  let asked = 0
  let port = 0
  const server = createHttpServer((_request, response) => {
    asked += 1
    response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data' }).end()
  })
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => void server.close())

  test.each(CLOSED)('reach no closed address: %s', async (host, leads) => {
    const ways = network({ leads, networks: ['public'] })
    await expect(openCatalog(addressOf(`${host}:${port}`), ways)).rejects.toMatchObject(REFUSED)
    expect(asked).toBe(0)
  })

  test('follow no redirect', async () => {
    const ways = network({ leads: ['127.0.0.1'], networks: ['machine'] })
    const opening = openCatalog(addressOf(`${NAME}:${port}`), ways)
    await expect(opening).rejects.toMatchObject({ code: 'CONNECTION_FAILED' })
    await expect(opening).rejects.toMatchObject({
      details: { reason: expect.stringMatching(/status 307|does not speak TLS/) as string },
    })
  })
})
