import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DuckDBInstance } from '@duckdb/node-api'
import { openCatalog } from '@stagecraft/catalogs'
import { DIALECTS } from '@stagecraft/core'
import {
  describeFailure,
  isAcceptedByAll,
  observedCatalog,
  type Observed,
  observeTables,
  suggestionsOf,
} from '@stagecraft/core/inference'
import type { CatalogTable } from '@stagecraft/spec'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeWithServer, mysqlServer, postgresServer } from './servers.ts'

/** Columns of which no value may leave the warehouse: half by their names, half by their values. */
const PERSONAL =
  'Vorname strasse prénom api_key owner e_mail telefono wachtwoord reach account paid_by machine entry day doc args markup pairs'.split(
    ' ',
  )

/** One of two texts for a column, with a mark by which they are found wherever they are printed. */
function personOf(row: number, column: number): string {
  const number = row % 2
  const [phone, account, mail] = [`+49 555 00${number}91`, `DE8937040044${number}`, `mark${number}@b.example`]
  const documents = [`{"a": "mark${number}"}`, `["mark${number}"]`, `<a>mark${number}</a>`, `a=mark${number}`]
  const texts = [phone, account, mail, `10.55.0.${number}`, `555-91${number}-77`, `1955-05-0${number + 1}`]
  const values = texts.concat(documents)
  return values[column - 8] ?? `mark${number}`
}

const DAYS = 'seen met_on heard filed due_day late_day false_iso'.split(' ')

/** Numbers and texts of one day per row, each column in its own form; the last two have a day that does not exist. */
function days(row: number): string {
  const [day, month] = [(row % 28) + 1, (row % 12) + 1]
  const [dd, mm] = [day, month].map((part) => String(part).padStart(2, '0'))
  const early = `${(row % 11) + 1}/${month}/2024`
  const [late, iso] = row === 9 ? ['31/04/2024', '2023-02-29'] : [`${dd}/${mm}/2024`, `2024-${mm}-${dd}`]
  const texts = [
    `${dd}/${mm}/2024`,
    `${month}-${day}-1999`,
    early,
    `2024${mm}${dd}`,
    `${dd}.${mm}.20${20 + (row % 5)}`,
    late,
    iso,
  ]
  return [`2024${mm}${dd}`, `2024${mm}${dd}`, ...texts.map((text) => `'${text}'`)].join(', ')
}

/** The same tables for every engine; `q` quotes a name as the engine does. */
function statements(
  q: (name: string) => string,
  types: { readonly text: string; readonly real: string },
): readonly string[] {
  const users = q('Us"er`s {{ x }}')
  const rows = Array.from({ length: 150 }, (_, at) => at + 1)
  const tickets = rows.map((at) => {
    const status = ['open', 'closed', 'on hold'][at % 3]
    const flag = at % 4 === 0 ? 'Y' : 'N'
    const details = `'{"n": ${at}}', '2026-01-${String((at % 28) + 1).padStart(2, '0')}', 'a${at}@b.example'`
    return `(${at}, '${status}', '${flag}', ${at % 2}, ${1_700_000_000 + at * 100_000}, ${at % 7}, ${details}, 'Ann${at % 5}')`
  })
  const wide = Array.from({ length: 130 }, (_, at) => `c${at} integer`).join(', ')
  return [
    `create table ${users} (id integer, ${q('e-mail')} ${types.text}, lost integer, ratio ${types.real})`,
    `insert into ${users} values ${rows.map((at) => `(${at * 7}, 'user${at}@example.com', null, ${at}.5)`).join(', ')}`,
    `create table customers (customer_id integer, name ${types.text})`,
    `insert into customers values ${rows.map((at) => `(${at}, 'n${at % 9}')`).join(', ')}`,
    `create table orders (id integer, customer_id integer, ${q('select')} ${types.text})`,
    `insert into orders values ${rows.map((at) => `(${at + 1000}, ${(at % 60) + 1}, 'x')`).join(', ')}`,
    `create table order_lines (order_id integer, line_number integer, customer_id integer)`,
    `insert into order_lines values ${rows.map((at) => `(${1001 + (at % 50)}, ${Math.ceil(at / 50)}, ${at + 20})`).join(', ')}`,
    `create table twice (id integer, note ${types.text})`,
    `insert into twice values (1, 'a'), (1, 'b'), (2, 'c')`,
    `create table tickets (id integer, status ${types.text}, paid_flag ${types.text}, is_new integer, created_at integer,
      quantity integer, details ${types.text}, due ${types.text}, contact ${types.text}, first_name ${types.text})`,
    `insert into tickets values ${tickets.join(', ')}`,
    `create table copies (id integer, note ${types.text}, day ${types.text}, updated_at timestamp)`,
    `insert into copies values ${rows.map((at) => `(${at % 100}, '${at < 100 ? 'old' : 'new'}${at % 3}', '0${at % 6}/0${at % 2}/2026', '2026-01-${String((at % 28) + 1).padStart(2, '0')} 00:00:00')`).join(', ')}`,
    `create table persons (id integer, ${PERSONAL.map((name) => `${q(name)} ${types.text}`).join(', ')}, status ${types.text}, ssn_num bigint, ward integer)`,
    `insert into persons values ${rows.map((at) => `(${at}, ${PERSONAL.map((_, column) => `'${personOf(at, column)}'`).join(', ')}, 'seen${at % 2}', 78051120${at % 2}, ${at % 3})`).join(', ')}`,
    `create table visits (id integer, booked integer, day_id integer, ${DAYS.map((name) => `${name} ${types.text}`).join(', ')})`,
    `insert into visits values ${rows.map((at) => `(${at}, ${days(at)})`).join(', ')}`,
    `create table nobody (id integer, customer_id integer)`,
    `create table wide (${wide})`,
    `create table gone (id integer)`,
    `create view broken as select id, id as customer_id from gone`,
  ]
}

const BREAK = 'drop table gone'

interface Engine {
  /** Opens what was made, runs the work, and closes it. */
  readonly address: string
}

async function observe(
  { address }: Engine,
  { maxRows }: { readonly maxRows?: number } = {},
): Promise<{ tables: readonly CatalogTable[]; observed: Observed; queries: number }> {
  const catalog = await openCatalog(address)
  let observed: Observed | undefined
  let queries = 0
  try {
    const counting = {
      ...catalog,
      query: async (sql: string) => {
        queries += 1
        return (await catalog.query?.(sql)) ?? []
      },
    }
    const tables = await observedCatalog(counting, {
      asked: 'profile',
      on: '2026-02-28',
      ...(maxRows !== undefined && { maxRows }),
      onObserved: (found) => (observed = found),
    }).tables({})
    if (!observed) throw new Error('nothing was observed')
    return { tables, observed, queries }
  } finally {
    await catalog.close()
  }
}

function observedBehaviour(
  engine: () => Engine,
  { broken = true, hasDates = true }: { readonly broken?: boolean; readonly hasDates?: boolean } = {},
): void {
  test('keys and references that the rows keep', async () => {
    const { observed, queries, tables } = await observe(engine())
    const byName = new Map(tables.map((table) => [table.name, table.observed]))
    expect(byName.get('orders')).toMatchObject({
      rows: 150,
      key: { columns: ['id'] },
      references: [{ columns: ['customer_id'], references: { table: { name: 'customers' } }, values: 60 }],
    })
    expect(byName.get('order_lines')).toMatchObject({ key: { columns: ['order_id', 'line_number'] } })
    // Twenty of its customers are none.
    expect(byName.get('order_lines')?.references?.map(({ columns }) => columns)).toEqual([['order_id']])
    expect(byName.get('twice')).toEqual({ rows: 3, on: '2026-02-28' })
    expect(byName.get('nobody')).toEqual({ rows: 0, on: '2026-02-28' })
    expect(byName.get('tickets')).toEqual({
      rows: 150,
      key: { columns: ['id'], confidence: 0.97 },
      values: [
        { column: 'status', values: ['closed', 'on hold', 'open'], confidence: 0.95 },
        { column: 'paid_flag', values: ['N', 'Y'], confidence: 0.95 },
        { column: 'is_new', values: [0, 1], confidence: 0.95 },
      ],
      ranges: [{ column: 'quantity', min: 0, confidence: 0.9 }],
      on: '2026-02-28',
      forms: [
        { column: 'details', form: 'json' },
        { column: 'contact', form: 'email' },
      ],
    })
    expect(
      observed.inference.facts
        .filter(({ table }) => table.name === 'tickets')
        .map(({ column, fact }) => [column, fact.kind === 'conversion' ? fact.as : fact.kind]),
    ).toEqual([
      ['status', 'values'],
      ['paid_flag', 'boolean'],
      ['paid_flag', 'values'],
      ['is_new', 'boolean'],
      ['is_new', 'values'],
      ['created_at', 'epoch_seconds'],
      ['quantity', 'range'],
      ['details', 'form'],
      // an engine without a type for dates converts to none
      ...(hasDates ? [['due', 'date']] : []),
      ['contact', 'form'],
    ])
    // Versions of rows share their id: what tells them apart today is no key, and days are no list.
    expect(byName.get('copies')).toEqual({ rows: 150, on: '2026-02-28' })
    expect(
      observed.inference.facts
        .filter(({ table }) => table.name === 'copies')
        .map(({ column, fact }) => [column, fact.kind === 'versions' ? `versions by ${fact.by}` : fact.kind]),
    ).toEqual([
      ['updated_at', 'freshness'],
      ['id', 'versions by updated_at'],
    ])
    const tickets = observed.profiles.find(({ table }) => table.name === 'tickets')?.profile?.columns
    expect(tickets?.['status']?.values).toEqual(
      ['closed', 'on hold', 'open'].map((value) => ({ value, rows: 50, halves: [true, true] })),
    )
    // Five names only; they are those of people.
    expect(tickets?.['first_name']).toEqual({ nulls: 0, distinct: 5, minLength: 4, maxLength: 4 })
    const users = observed.profiles.find(({ table }) => table.name.startsWith('Us'))
    expect(users?.profile).toMatchObject({
      rows: 150,
      columns: {
        id: { nulls: 0, distinct: 150, min: 7, max: 1050 },
        'e-mail': { nulls: 0, distinct: 150, minLength: 17, maxLength: 19 },
        lost: { nulls: 150, distinct: 0 },
        ratio: { min: 1.5, max: 150.5 },
      },
    })
    expect(observed.failures.map(({ table }) => table.name)).toEqual(broken ? ['broken'] : [])
    expect(queries / tables.length).toBeLessThan(3)
  })

  test('days in texts and numbers are found in their order, and only if all of them exist', async () => {
    const { observed } = await observe(engine())
    expect(
      observed.inference.facts
        .filter(({ table }) => table.name === 'visits')
        .map(({ column, fact }) => [column, fact.kind === 'conversion' ? fact.as : fact.kind]),
    ).toEqual([
      ['booked', 'date_yyyymmdd'],
      ['seen', 'date_day_first'],
      ['met_on', 'date_month_first'],
      ['heard', 'day_or_month'],
      ['filed', 'date_yyyymmdd'],
      ['due_day', 'date_day_first'],
    ])
    const visits = observed.profiles.find(({ table }) => table.name === 'visits')?.profile?.columns
    expect(visits).toMatchObject({
      heard: { patterns: { parted: 150 }, dates: { date_day_first: 150, date_month_first: 150 } },
      late_day: { patterns: { parted: 150 }, dates: { date_day_first: 149 } },
      false_iso: { patterns: { date: 150 }, dates: { date: 149 } },
    })
  })

  test('columns of persons give counts and lengths, and no value', async () => {
    const { observed, tables } = await observe(engine())
    const persons = observed.profiles.find(({ table }) => table.name === 'persons')?.profile
    for (const name of PERSONAL) {
      const { patterns: _, ...counts } = persons?.columns[name] ?? {}
      expect([name, counts]).toEqual([
        name,
        { nulls: 0, distinct: 2, minLength: expect.any(Number), maxLength: expect.any(Number) },
      ])
    }
    expect(persons?.columns['ssn_num']).toEqual({ nulls: 0, distinct: 2 })
    expect(persons?.columns['status']?.values?.map(({ value }) => value)).toEqual(['seen0', 'seen1'])
    expect(persons?.columns['ward']?.values?.map(({ value }) => value)).toEqual([0, 1, 2])
    const said = JSON.stringify([tables, observed.inference, observed.profiles])
    expect(said).toContain('seen1')
    expect(said).not.toMatch(/mark\d|555|8937|78051120/)
  })

  test('tables with more rows than allowed are counted, and nothing is looked up in them', async () => {
    const { observed, tables } = await observe(engine(), { maxRows: 149 })
    const large = observed.failures.filter(({ code }) => code === 'TABLE_TOO_LARGE')
    expect(large.map(({ reason, table }) => `${table.name.slice(0, 2)} ${reason}`).toSorted()).toEqual(
      ['Us', 'co', 'cu', 'or', 'or', 'pe', 'ti', 'vi'].map((name) => `${name} it has more than 149 rows`),
    )
    for (const table of tables) {
      const isLarge = large.some((failure) => failure.table.name === table.name)
      if (isLarge) expect(table).not.toHaveProperty('observed')
    }
    expect(tables.find(({ name }) => name === 'twice')?.observed).toMatchObject({ rows: 3 })
    expect(observed.inference.references.filter(({ origin }) => origin === 'data')).toEqual([])
    const enough = await observe(engine(), { maxRows: 150 })
    expect(enough.observed.failures.filter(({ code }) => code === 'TABLE_TOO_LARGE')).toEqual([])
  })

  test('asking first which columns have texts of some form changes nothing', async () => {
    const catalog = await openCatalog(engine().address)
    try {
      const tables = await catalog.tables({})
      const dialect = DIALECTS[catalog.dialect ?? 'duckdb']
      const asked: string[] = []
      const query = async (sql: string) => {
        asked.push(sql)
        return (await catalog.query?.(sql)) ?? []
      }
      const sizes = () => Promise.resolve(tables.map(() => ({ rows: 150 })))
      const atOnce = await observeTables(tables, { dialect, query, sizes })
      const askedAtOnce = asked.splice(0)
      const apart = await observeTables(tables, { dialect, query, sizes, limits: { manyRows: 100 } })
      expect(apart).toEqual(atOnce)
      expect(apart.profiles.find(({ table }) => table.name === 'tickets')?.profile?.columns).toMatchObject({
        details: { patterns: { json: 150 } },
        due: { patterns: { date: 150 } },
        contact: { patterns: { email: 150 } },
      })
      // users, tickets, copies, persons and visits have such texts
      expect(asked.length - askedAtOnce.length).toBe(5)
    } finally {
      await catalog.close()
    }
  })

  test('reading several tables at once changes nothing', async () => {
    const catalog = await openCatalog(engine().address)
    try {
      const tables = await catalog.tables({})
      const dialect = DIALECTS[catalog.dialect ?? 'duckdb']
      const query = async (sql: string) => (await catalog.query?.(sql)) ?? []
      const heard: number[] = []
      const alone = await observeTables(tables, { dialect, query })
      const together = await observeTables(tables, {
        dialect,
        query,
        concurrency: 3,
        onProgress: (done) => void heard.push(done),
      })
      expect(together).toEqual(alone)
      expect(heard).toEqual(tables.map((_, at) => at + 1))
      const reason = new Error('stopped')
      const stop = new AbortController()
      const stopped = observeTables(tables, {
        dialect,
        query,
        concurrency: 2,
        signal: stop.signal,
        onProgress: () => stop.abort(reason),
      })
      await expect(stopped).rejects.toBe(reason)
    } finally {
      await catalog.close()
    }
  })
}

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-observe-'))
afterAll(() => rmSync(folder, { recursive: true }))
const doubled = (name: string): string => `"${name.replaceAll('"', '""')}"`
const own = `stagecraft_${crypto.randomUUID().slice(0, 8)}`

describe('DuckDB', () => {
  const path = join(folder, 'raw.duckdb')
  beforeAll(async () => {
    const instance = await DuckDBInstance.create(path)
    const connection = await instance.connect()
    for (const sql of [...statements(doubled, { text: 'varchar', real: 'double' }), BREAK])
      await connection.run(sql)
    await connection.run(
      "create table odd (id uuid, doc json, tags integer[], pair struct(a integer), raw blob, hot double, kind enum ('a', 'b'))",
    )
    await connection.run(
      "insert into odd select gen_random_uuid(), '{}', [1], {'a': 1}, 'x'::blob, unnest(['nan'::double, 'infinity'::double]), 'a'",
    )
    connection.closeSync()
    instance.closeSync()
  })
  observedBehaviour(() => ({ address: `duckdb:${path}` }))

  test('types that are not compared are only counted', async () => {
    const { observed } = await observe({ address: `duckdb:${path}` })
    expect(observed.profiles.find(({ table }) => table.name === 'odd')?.profile?.columns).toEqual({
      id: { nulls: 0, distinct: 2 },
      doc: { nulls: 0 },
      tags: { nulls: 0 },
      pair: { nulls: 0 },
      raw: { nulls: 0 },
      hot: { nulls: 0, distinct: 2 },
      kind: { nulls: 0, distinct: 1, minLength: 1, maxLength: 1 },
    })
  })
})

describe('SQLite', () => {
  const path = join(folder, 'raw.sqlite')
  beforeAll(() => {
    const database = new DatabaseSync(path)
    for (const sql of [...statements(doubled, { text: 'text', real: 'real' }), BREAK]) database.exec(sql)
    database.close()
  })
  observedBehaviour(() => ({ address: `sqlite:${path}` }), { hasDates: false })
})

const postgres = await postgresServer()
describeWithServer('PostgreSQL', postgres, () => {
  const url = Object.assign(new URL(postgres.url), { pathname: `/${own}` }).href
  const run = async (address: string, ...all: readonly string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    try {
      for (const sql of all) await client.query(sql)
    } finally {
      await client.end()
    }
  }
  beforeAll(async () => {
    await run(postgres.url, `create database ${own}`)
    await run(url, ...statements(doubled, { text: 'text', real: 'double precision' }))
    await run(url, 'drop view broken', 'create view broken as select 1 / (random() * 0)::integer as id')
  })
  afterAll(() => run(postgres.url, `drop database if exists ${own} with (force)`))
  observedBehaviour(() => ({ address: url }))

  test('a table that may not be read is a failure of its own', async () => {
    await run(
      url,
      `create role ${own} login`,
      `grant select on all tables in schema public to ${own}`,
      `revoke select on customers from ${own}`,
    )
    try {
      const { observed } = await observe({ address: Object.assign(new URL(url), { username: own }).href })
      expect(observed.failures.map(({ table }) => table.name)).toEqual(['broken', 'customers'])
      const orders = observed.tables.find(({ name }) => name === 'orders')
      expect(orders?.observed).toEqual({
        rows: 150,
        key: { columns: ['id'], confidence: 0.97 },
        on: '2026-02-28',
      })
    } finally {
      await run(url, `drop owned by ${own}`, `drop role ${own}`)
    }
  })

  test('a column that may not be read leaves the others as they are, and only names speak of it', async () => {
    const reader = `${own}_reader`
    await run(
      url,
      'create table staff (id integer, badge_id bigint, customer_id integer, salary numeric, kind text)',
      "insert into staff select n, n * 7, n % 60 + 1, n * 3.5, 'k' || n % 2 from generate_series(1, 200) n",
      `create role ${reader} login`,
      `grant select on customers to ${reader}`,
      `grant select (id, customer_id, kind) on staff to ${reader}`,
    )
    try {
      const { observed } = await observe({ address: Object.assign(new URL(url), { username: reader }).href })
      const failure = observed.failures.find(({ table }) => table.name === 'staff')
      expect(failure).toMatchObject({ code: 'COLUMNS_NOT_PROFILED', columns: ['badge_id', 'salary'] })
      expect(failure && describeFailure(failure).message).toMatch(
        /^staff\.badge_id, staff\.salary could not be read, but the other columns were: /,
      )
      const profile = observed.profiles.find(({ table }) => table.name === 'staff')?.profile
      expect(Object.keys(profile?.columns ?? {})).toEqual(['id', 'customer_id', 'kind'])
      expect(observed.tables.find(({ name }) => name === 'staff')?.observed).toMatchObject({
        rows: 200,
        key: { columns: ['id'] },
        references: [{ columns: ['customer_id'], references: { table: { name: 'customers' } } }],
      })
    } finally {
      await run(url, 'drop table staff', `drop owned by ${reader}`, `drop role ${reader}`)
    }
  })

  test('ids of bytes are keys and references, and types of their own are read', async () => {
    await run(
      url,
      "create type mood as enum ('glad', 'sad', 'other')",
      'create table gadgets (id bytea, picture bytea, mood mood)',
      `insert into gadgets select decode(md5(n::text), 'hex'), '\\x00', (enum_range(null::mood))[1 + n % 2]
        from generate_series(1, 200) n`,
      'create table signals (gadget_id bytea, at date)',
      "insert into signals select decode(md5((n % 90 + 1)::text), 'hex'), '2026-01-01' from generate_series(1, 200) n",
    )
    try {
      const { observed } = await observe({ address: url })
      const gadgets = observed.profiles.find(({ table }) => table.name === 'gadgets')
      expect(gadgets?.profile?.columns).toMatchObject({
        id: { nulls: 0, distinct: 200 },
        mood: { nulls: 0, distinct: 2, values: [{ value: 'glad' }, { value: 'sad' }] },
      })
      expect(gadgets?.profile?.columns['picture']).toEqual({ nulls: 0 })
      const suggested = suggestionsOf(observed.inference, {}).map(({ id, text }) => `${id} ${text}`)
      expect(suggested).toContain('public.gadgets:key id')
      expect(suggested).toContain('public.signals.gadget_id:references gadgets.id')
      // the rows lack a label
      expect(suggested.filter((one) => one.startsWith('public.gadgets.mood'))).toEqual([])
    } finally {
      await run(url, 'drop table gadgets, signals', 'drop type mood')
    }
  })

  test('types that cannot be compared leave the other columns as they are', async () => {
    await run(url, 'create table papers (id integer, doc xml, mac macaddr, query tsquery)')
    await run(
      url,
      "insert into papers select n, '<a/>', '08:00:2b:01:02:03', 'a' from generate_series(1, 200) n",
    )
    const { observed } = await observe({ address: url })
    await run(url, 'drop table papers')
    expect(observed.profiles.find(({ table }) => table.name === 'papers')?.profile?.columns).toEqual({
      id: { nulls: 0, distinct: 200, min: 1, max: 200 },
      doc: { nulls: 0 },
      mac: { nulls: 0, distinct: 1, minLength: 17, maxLength: 17 },
      query: { nulls: 0 },
    })
    expect(observed.tables.find(({ name }) => name === 'papers')?.observed).toMatchObject({
      key: { columns: ['id'] },
    })
  })

  test('types without text functions do not hide the key, and times do not become one', async () => {
    await run(
      url,
      'create domain address as inet',
      'create extension if not exists citext',
      `create table devices (id uuid, serial_code text, ip inet, net cidr, mac macaddr8, home address, doc xml, facts json,
        spot point, words tsvector, bits bit(3), paid money, span int4range, tags text[], name citext, at timestamptz)`,
      `insert into devices select gen_random_uuid(), 'S' || n, '10.0.0.1'::inet + n, '10.0.0.0/8',
        '08:00:2b:01:02:03:04:05', '10.0.0.1', '<a/>', '{}', '(1,2)', 'a b', B'101', n, int4range(n, n + 1), '{a}',
        'x' || n, now() from generate_series(1, 300) n`,
      'create table blobs (id json, serial_code text, note text)',
      "insert into blobs select '{}', 'S' || n, 'n' || n % 7 from generate_series(1, 300) n",
      'create table customer_history (customer_id integer, valid_from timestamp, valid_to timestamp, updated_at timestamp)',
      `insert into customer_history select n % 60, timestamp '2024-01-01' + n * interval '7 hours', 'infinity',
        case when n = 7 then 'infinity' else timestamp '2024-01-01' + n * interval '1 hour' end from generate_series(1, 240) n`,
    )
    const asked: string[] = []
    const catalog = await openCatalog(url)
    const tables = await catalog.tables({})
    const observed = await observeTables(tables, {
      dialect: DIALECTS.postgres,
      query: (sql) => {
        asked.push(sql)
        return catalog.query?.(sql) ?? Promise.resolve([])
      },
    })
    await catalog.close()
    await run(url, 'drop table devices, blobs, customer_history', 'drop domain address')
    const profiles = new Map(observed.profiles.map(({ profile, table }) => [table.name, profile?.columns]))
    expect(profiles.get('devices')).toMatchObject({
      id: { distinct: 300 },
      ip: { distinct: 300, minLength: 11, maxLength: 13 },
      net: { distinct: 1 },
      mac: { distinct: 1, minLength: 23 },
      home: { distinct: 1 },
      name: { distinct: 300 },
    })
    // The first statement was enough: nothing is asked a second time.
    expect(
      asked.filter(
        (sql) => sql.includes('from "') && sql.includes('."devices"') && sql.includes('row_count'),
      ),
    ).toHaveLength(1)
    const keyOf = (name: string): unknown => {
      const key = observed.inference.keys.find(({ table }) => table.name === name)
      return key && [key.columns, key.origin]
    }
    expect(keyOf('devices')).toEqual([['id'], 'data'])
    // its id cannot be compared, so the code that is unique today is no key
    expect(keyOf('blobs')).toBeUndefined()
    expect(keyOf('customer_history')).toEqual([['customer_id', 'valid_from'], 'data'])
    expect(keyOf('nobody')).toEqual([['id'], 'name'])
    const fresh = observed.inference.facts.filter(({ fact }) => fact.kind === 'freshness')
    expect(fresh.filter(({ table }) => table.name === 'customer_history')).toEqual([])
    const byAll = suggestionsOf(observed.inference, {}).filter(isAcceptedByAll)
    expect(byAll.map(({ id }) => id)).not.toContain('public.nobody:key')
    expect(byAll.map(({ id }) => id)).toContain('public.devices:key')
  })

  test('parts, foreign tables and every kind of type are read', async () => {
    const wide = Array.from({ length: 1000 }, (_, at) => `c${at} integer`).join(', ')
    const { port, username } = new URL(url)
    await run(
      url,
      'create extension if not exists postgres_fdw',
      `create server itself foreign data wrapper postgres_fdw options (host '127.0.0.1', port '${port || 5432}', dbname '${own}')`,
      `create user mapping for current_user server itself options (user '${username}')`,
      "create foreign table far_orders (id integer, customer_id integer) server itself options (table_name 'orders')",
      'create table days (id integer, day date) partition by range (day)',
      "create table days_1 partition of days for values from ('2026-01-01') to ('2026-02-01')",
      "create table days_2 partition of days for values from ('2026-02-01') to ('2026-03-01')",
      "insert into days select n, date '2026-01-01' + n % 59 from generate_series(1, 200) n",
      "create type mood as enum ('glad', 'sad')",
      `create table kinds (id integer, feeling mood, doc json, docb jsonb, tags text[], raw bytea, hot double precision,
        amount numeric, big text, ip inet, span interval, at timestamptz)`,
      `insert into kinds select n, (case when n % 2 = 0 then 'glad' else 'sad' end)::mood, '{"a": 1}', '[]', '{a,b}', '\\x00ff',
        case when n % 3 = 0 then 'NaN' when n % 3 = 1 then 'Infinity' else '-Infinity' end::float8, 'NaN', repeat('x', 1000000),
        '10.0.0.1', '1 day', '2026-01-01T00:00:00Z' from generate_series(1, 20) n`,
      `create table very_wide (${wide})`,
      'insert into very_wide (c0, c999) select n, n from generate_series(1, 150) n',
    )
    const { observed, tables } = await observe({ address: url })
    await run(url, 'drop table days, kinds, very_wide', 'drop type mood', 'drop server itself cascade')
    const profiles = new Map(observed.profiles.map(({ profile, table }) => [table.name, profile]))
    expect(observed.failures.map(({ table }) => table.name)).toEqual(['broken'])
    expect(profiles.get('far_orders')).toMatchObject({ rows: 150, columns: { id: { distinct: 150 } } })
    expect(profiles.get('days')).toMatchObject({ rows: 200, columns: { day: { min: '2026-01-01' } } })
    expect([...profiles.keys()]).not.toContain('days_1')
    expect(tables.find(({ name }) => name === 'far_orders')?.observed?.references).toMatchObject([
      { columns: ['customer_id'], references: { table: { name: 'customers' } } },
    ])
    expect(profiles.get('kinds')).toMatchObject({
      rows: 20,
      columns: {
        feeling: { nulls: 0 },
        doc: { nulls: 0 },
        docb: { nulls: 0 },
        tags: { nulls: 0 },
        raw: { nulls: 0 },
        hot: { nulls: 0, distinct: 3 },
        amount: { nulls: 0, distinct: 1 },
        big: { distinct: 1, maxLength: 1_000_000 },
      },
    })
    for (const name of ['hot', 'amount']) {
      expect(profiles.get('kinds')?.columns[name]).not.toHaveProperty('min')
      expect(profiles.get('kinds')?.columns[name]).not.toHaveProperty('max')
    }
    const last = profiles.get('very_wide')?.columns
    expect(Object.keys(last ?? {})).toHaveLength(1000)
    expect(last?.['c999']).toMatchObject({ nulls: 0, distinct: 150 })
    expect(last?.['c500']).toEqual({ nulls: 150, distinct: 0 })
  })

  test('a connection that is cut costs one table', async () => {
    await run(
      url,
      'create view cuts as select customer_id from customers where pg_terminate_backend(pg_backend_pid())',
    )
    const { observed } = await observe({ address: url })
    await run(url, 'drop view cuts')
    expect(observed.failures.map(({ code, table }) => [table.name, code])).toEqual([
      ['broken', 'TABLE_NOT_PROFILED'],
      ['cuts', 'TABLE_NOT_PROFILED'],
    ])
    expect(observed.tables.find(({ name }) => name === 'orders')?.observed).toMatchObject({ rows: 150 })
  })

  test('what a message cites of a row is left out', async () => {
    await run(url, "create view casts as select ('mark' || customer_id)::integer as id from customers")
    const { observed } = await observe({ address: url })
    await run(url, 'drop view casts')
    const reason = observed.failures.find(({ table }) => table.name === 'casts')?.reason
    expect(reason).toContain('invalid input syntax for type integer: …')
    expect(reason).not.toContain('mark')
  })

  test('a statement that writes is refused', async () => {
    const catalog = await openCatalog(url)
    await expect(catalog.query?.('delete from orders')).rejects.toMatchObject({ code: 'CONNECTION_FAILED' })
    await catalog.close()
  })
})

const mysql = await mysqlServer()
describeWithServer('MariaDB or MySQL', mysql, () => {
  const url = Object.assign(new URL(mysql.url), { pathname: `/${own}` }).href
  const run = async (address: string, ...all: readonly string[]): Promise<void> => {
    const client = await createConnection({ uri: address })
    try {
      for (const sql of all) await client.query(sql)
    } finally {
      await client.end()
    }
  }
  beforeAll(async () => {
    await run(mysql.url, `create database ${own} character set utf8mb4`)
    const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``
    await run(url, ...statements(quoted, { text: 'varchar(80)', real: 'double' }), BREAK)
  })
  afterAll(() => run(mysql.url, `drop database if exists ${own}`))
  observedBehaviour(() => ({ address: url }))
})

test('a list of columns has no rows', async () => {
  const path = new URL('./cli/columns.yml', import.meta.url).pathname
  const catalog = await openCatalog(path)
  expect(() => observedCatalog(catalog, { asked: '--profile' })).toThrow(
    '--profile: expected a catalog whose rows can be read, such as a database (duckdb:, postgres://, mysql://, sqlite:), got a catalog without rows',
  )
})

test('a signal stops between two statements', async () => {
  const catalog = await openCatalog(`sqlite:${join(folder, 'raw.sqlite')}`)
  const controller = new AbortController()
  const tables = observedCatalog(catalog, {
    asked: 'profile',
    signal: controller.signal,
    onProgress: () => controller.abort(new Error('stopped')),
  }).tables({})
  await expect(tables).rejects.toThrow('stopped')
  await catalog.close()
})
