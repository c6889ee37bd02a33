// Rows of every kind that an engine has, wide tables, and rights on parts of them, beside what `observe.test.ts` reads everywhere.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openCatalog } from '@stagecraft/catalogs'
import { observeIn, type Observed } from '@stagecraft/core/inference'
import type { CatalogTable } from '@stagecraft/spec'
import { createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeWithServer, mysqlServer } from './servers.ts'

const WIDE = Array.from({ length: 1000 }, (_, at) => `c${at} integer`).join(', ')
/** The profile of a table of a thousand columns with 150 rows, in the first and the last of them. */
const LAST_OF_WIDE = {
  c500: { nulls: 150, distinct: 0 },
  c999: { nulls: 0, distinct: 150, min: 1, max: 150 },
}

async function observe(
  address: string,
): Promise<{ readonly tables: readonly CatalogTable[]; readonly observed: Observed }> {
  const catalog = await openCatalog(address)
  try {
    const tables = await catalog.tables({})
    return { tables, observed: await observeIn(catalog, tables, { asked: 'profile' }) }
  } finally {
    await catalog.close()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-types-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('SQLite', () => {
  test('a thousand columns, and values of any type in any column', async () => {
    const odd = join(folder, 'odd.sqlite')
    const database = new DatabaseSync(odd)
    database.exec(`create table very_wide (${WIDE})`)
    database.exec(
      'create table kinds (id integer, hot real, doc json, raw blob, big text, untyped, mixed integer)',
    )
    const wide = database.prepare('insert into very_wide (c0, c999) values (?, ?)')
    const kinds = database.prepare('insert into kinds values (?, ?, ?, ?, ?, ?, ?)')
    for (let at = 1; at <= 150; at++) {
      wide.run(at, at)
      const hot = [Infinity, -Infinity, null][at % 3] ?? null
      const raw = new Uint8Array([0, 255, at])
      kinds.run(
        at,
        hot,
        '{"a": 1}',
        raw,
        'x'.repeat(100_000),
        at % 2 === 0 ? 't' : at,
        at % 5 === 0 ? `n${at}` : at,
      )
    }
    database.close()
    const { observed } = await observe(`sqlite:${odd}`)
    expect(observed.failures).toEqual([])
    const profiles = new Map(observed.profiles.map(({ profile, table }) => [table.name, profile?.columns]))
    expect(profiles.get('kinds')).toEqual({
      id: { nulls: 0, distinct: 150, min: 1, max: 150 },
      hot: { nulls: 50, distinct: 2 },
      doc: { nulls: 0 },
      raw: { nulls: 0 },
      big: { nulls: 0, distinct: 1, minLength: 100_000, maxLength: 100_000 },
      untyped: { nulls: 0 },
      mixed: { nulls: 0, distinct: 150, min: 1 },
    })
    expect(profiles.get('very_wide')).toMatchObject(LAST_OF_WIDE)
    expect(observed.inference.keys.map(({ columns, table }) => [table.name, columns])).toEqual([
      ['kinds', ['id']],
      ['very_wide', ['c0']],
    ])
  })
})

const mysql = await mysqlServer()
describeWithServer('MariaDB or MySQL', mysql, () => {
  const own = `stagecraft_${crypto.randomUUID().slice(0, 8)}`
  const url = Object.assign(new URL(mysql.url), { pathname: `/${own}` }).href
  const numbers = Array.from({ length: 150 }, (_, at) => at + 1)
  const run = async (address: string, ...all: readonly string[]): Promise<void> => {
    const client = await createConnection({ uri: address })
    try {
      for (const sql of all) await client.query(sql)
    } finally {
      await client.end()
    }
  }
  beforeAll(() => run(mysql.url, `create database ${own} character set utf8mb4`))
  afterAll(() => run(mysql.url, `drop database if exists ${own}`))

  test('a thousand columns, and every kind of type', async () => {
    await run(
      url,
      `create table very_wide (${WIDE})`,
      `insert into very_wide (c0, c999) values ${Array.from({ length: 150 }, (_, at) => `(${at + 1}, ${at + 1})`).join(', ')}`,
      `create table kinds (id int, hot double, doc json, raw blob, bytes varbinary(20), big longtext, feeling enum('glad', 'sad'),
        tags set('a', 'b'), bits bit(8), day date, at datetime(6), yr year, span time, place point, huge bigint unsigned)`,
      `insert into kinds values ${Array.from(
        { length: 40 },
        (_, at) =>
          `(${at + 1}, 1e300, '{"a": 1}', x'00ff', x'00ff', repeat('x', 100000), '${at % 2 === 0 ? 'glad' : 'sad'}', 'a,b', b'101',
            '2026-01-01', '2026-01-01 10:00:00.123456', 2026, '10:00:00', point(1, ${at}), 18446744073709551000 + ${at})`,
      ).join(', ')}`,
    )
    const { observed } = await observe(url)
    expect(observed.failures).toEqual([])
    const profiles = new Map(observed.profiles.map(({ profile, table }) => [table.name, profile?.columns]))
    expect(profiles.get('kinds')).toMatchObject({
      id: { nulls: 0, distinct: 40, min: 1, max: 40 },
      hot: { nulls: 0, distinct: 1, min: 1e300, max: 1e300 },
      doc: { nulls: 0 },
      raw: { nulls: 0 },
      bytes: { nulls: 0 },
      big: { distinct: 1, maxLength: 100_000 },
      feeling: { distinct: 2, values: [{ value: 'glad' }, { value: 'sad' }] },
      tags: { distinct: 1 },
      bits: { nulls: 0 },
      day: { min: '2026-01-01', max: '2026-01-01' },
      yr: { min: 2026, max: 2026 },
      span: { nulls: 0 },
      place: { nulls: 0 },
      huge: { distinct: 40 },
    })
    expect(profiles.get('very_wide')).toMatchObject(LAST_OF_WIDE)
  })

  test('a table of which one column may be read is read by that', async () => {
    const user = `'${own}'@'%'`
    await run(
      url,
      'create table customers (customer_id integer, name varchar(20))',
      'create table orders (id integer, customer_id integer)',
      `insert into customers values ${numbers.map((at) => `(${at}, 'n${at}')`).join(', ')}`,
      `insert into orders values ${numbers.map((at) => `(${at + 1000}, ${(at % 60) + 1})`).join(', ')}`,
      `create user ${user}`,
      `grant select on ${own}.orders to ${user}`,
      `grant select (customer_id), insert (name) on ${own}.customers to ${user}`,
    )
    try {
      const address = Object.assign(new URL(url), { username: own, password: '' }).href
      const { observed, tables } = await observe(address)
      expect(tables.map(({ columns, name }) => [name, columns.length])).toEqual([
        ['customers', 2],
        ['orders', 2],
      ])
      expect(observed.failures).toMatchObject([{ code: 'COLUMNS_NOT_PROFILED', columns: ['name'] }])
      expect(observed.tables.find(({ name }) => name === 'orders')?.observed?.references).toMatchObject([
        { columns: ['customer_id'], references: { table: { name: 'customers' } }, values: 60 },
      ])
    } finally {
      await run(url, `drop user ${user}`)
    }
  })
})
