// Warehouses that stop answering while rows are looked at: a time limit, a connection that is cut, a server that falls silent, a
// locked file. Each costs the tables that are read then, and no more.
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openCatalog } from '@stagecraft/catalogs'
import { postgres } from '@stagecraft/catalogs/postgres'
import { observeIn, type Observed } from '@stagecraft/core/inference'
import type { Catalog } from '@stagecraft/spec'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownPool } from '../packages/catalogs/src/mysql/mysql.ts'
import { openWarehouse } from '../packages/catalogs/src/warehouse/warehouse-catalog.ts'
import { describeWithServer, mysqlServer, postgresServer } from './servers.ts'

const own = `stagecraft_${crypto.randomUUID().slice(0, 8)}`
const numbers = Array.from({ length: 40 }, (_, at) => `(${at + 1})`).join(', ')
const STATEMENTS = ['create table customers (id integer)', `insert into customers values ${numbers}`]

/** What was read of each table: its rows, or why there are none. */
function outcomes({ failures, profiles }: Observed): Readonly<Record<string, number | string | undefined>> {
  const reasons = new Map(failures.map(({ reason, table }) => [table.name, reason] as const))
  return Object.fromEntries(
    profiles.map(({ profile, table }) => [table.name, profile?.rows ?? reasons.get(table.name)]),
  )
}

async function observe(catalog: Catalog, onProgress?: () => void): Promise<Observed> {
  const tables = await catalog.tables({})
  return observeIn(catalog, tables, { asked: 'profile', ...(onProgress && { onProgress }) })
}

const mysql = await mysqlServer()
describeWithServer('MariaDB or MySQL', mysql, () => {
  const url = Object.assign(new URL(mysql.url), { pathname: `/${own}` }).href
  const run = async (address: string, ...all: readonly string[]): Promise<readonly { id: number }[]> => {
    const client = await createConnection({ uri: address })
    try {
      let rows: unknown = []
      for (const sql of all) [rows] = await client.query(sql)
      return Array.isArray(rows) ? (rows as { id: number }[]) : []
    } finally {
      await client.end()
    }
  }
  /** The connections to the database that run a statement with the text, or any. */
  const connections = (text = ''): Promise<readonly { id: number }[]> =>
    run(
      mysql.url,
      `select id from information_schema.processlist where db = '${own}' and id <> connection_id()` +
        (text && ` and command = 'Query' and info like '%${text}%'`),
    )
  const kill = async (text?: string): Promise<void> => {
    for (const { id } of await connections(text)) await run(mysql.url, `kill ${id}`)
  }
  beforeAll(async () => {
    await run(mysql.url, `create database ${own}`)
    await run(url, ...STATEMENTS)
    await run(url, 'create view slow_rows as select id from customers where sleep(5) = 0')
  })
  afterAll(() => run(mysql.url, `drop database if exists ${own}`))

  test('a statement over its time limit costs one table, and ends in the server', async () => {
    const catalog = await openWarehouse(await ownPool({ connectionString: url }, 1))
    try {
      expect(outcomes(await observe(catalog))).toEqual({
        customers: 40,
        slow_rows: expect.stringContaining('a query timed out') as string,
      })
      expect(await connections('slow_rows')).toEqual([])
    } finally {
      await catalog.close()
    }
  })

  test('a connection that is cut costs one table, and one that was cut while it was idle none', async () => {
    const catalog = await openCatalog(url)
    try {
      const observed = observe(catalog)
      await expect.poll(() => connections('slow_rows'), { timeout: 60_000 }).toHaveLength(1)
      await kill('slow_rows')
      const found = outcomes(await observed)
      expect(found).toEqual({ customers: 40, slow_rows: expect.any(String) as string })
      expect(found['slow_rows']).not.toContain(mysql.url)
      await kill()
      expect(await catalog.query?.('select count(*) as rows_now from customers')).toEqual([{ rows_now: 40 }])
    } finally {
      await catalog.close()
    }
  })

  test('a server that falls silent is given up, and asked again on another connection', async () => {
    const wire = await openWire(new URL(url))
    const address = Object.assign(new URL(url), { hostname: '127.0.0.1', port: `${wire.port}` }).href
    const catalog = await openWarehouse(await ownPool({ connectionString: address }, 1))
    try {
      wire.cut()
      expect(await catalog.query?.('select 1 as one')).toEqual([{ one: 1 }])
      wire.cut()
      await catalog.close()
      await expect(catalog.query?.('select 1 as one')).rejects.toMatchObject({ code: 'CONNECTION_FAILED' })
    } finally {
      wire.close()
    }
  })
})

/** Leads to a server until it is cut; then everything that is sent waits for ever. */
async function openWire({ hostname, port }: URL): Promise<{
  readonly port: number
  readonly cut: () => void
  readonly close: () => void
}> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    const target = connect({ host: hostname, port: Number(port || 3306) })
    sockets.push(
      socket.on('error', () => undefined),
      target.on('error', () => undefined),
    )
    socket.pipe(target).pipe(socket)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      for (const socket of sockets) socket.unpipe().pause()
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

const server = await postgresServer()
describeWithServer('PostgreSQL', server, () => {
  const url = Object.assign(new URL(server.url), { pathname: `/${own}` }).href
  const run = async (address: string, ...all: readonly string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    for (const sql of all) await client.query(sql)
    await client.end()
  }
  beforeAll(async () => {
    await run(server.url, `create database ${own}`)
    await run(
      url,
      ...STATEMENTS,
      'create view slow_rows as select id from customers where pg_sleep(9) is null',
    )
  })
  afterAll(() => run(server.url, `drop database if exists ${own} with (force)`))

  test('a statement over its time limit costs one table', async () => {
    const client = new pg.Client({ connectionString: url, statement_timeout: 300 })
    await client.connect()
    const catalog = await postgres({ client })
    expect(outcomes(await observe(catalog))).toEqual({
      customers: 40,
      slow_rows: expect.stringContaining('a query timed out') as string,
    })
    await client.end()
  })
})

describe('SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-lost-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  test('tables that a writer has locked are not read, and the others are', async () => {
    const path = join(folder, 'raw.sqlite')
    const writer = new DatabaseSync(path)
    for (const sql of STATEMENTS) writer.exec(sql)
    for (const name of ['a', 'b', 'c']) writer.exec(`create table ${name} as select * from customers`)
    const catalog = await openCatalog(`sqlite:${path}`)
    const observed = await observe(catalog, () => {
      if (!writer.isTransaction) writer.exec('begin exclusive')
    })
    const found = outcomes(observed)
    writer.exec('rollback')
    const read = Object.values(found).filter((one) => one === 40)
    const locked = Object.values(found).filter((one) => String(one).includes('locked'))
    expect(read.length).toBeGreaterThan(0)
    expect(locked.length).toBeGreaterThan(0)
    expect(read.length + locked.length).toBe(4)
    expect(outcomes(await observe(catalog))).toEqual({ a: 40, b: 40, c: 40, customers: 40 })
    await catalog.close()
    writer.close()
  })
})
