// The catalog of ClickHouse, over HTTP in front of an embedded server.
import { readFileSync } from 'node:fs'
import { checkCatalog, type CheckStep } from '@stagecraft/catalogs'
import { clickhouse as catalogOf } from '@stagecraft/catalogs/clickhouse'
import { observeIn } from '@stagecraft/core/inference'
import type { Catalog, CatalogTable } from '@stagecraft/spec'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { catalogSuite } from '../suites/catalog.ts'
import { openExport } from '../suites/exported.ts'
import { type ClickhouseHttp, serveClickhouse } from './clickhouse-http.ts'
import { clickhouse } from './clickhouse.ts'
import { describeOn, type Session } from './engine.ts'

const DETAILS = [
  'create database details',
  `create table details.events (
     id UInt64, big Int64, kind LowCardinality(Nullable(String)) comment 'which \\'kind\\'',
     state Enum8('new' = 1, 'it\\'s' = 2) default 'new', at DateTime64(3, 'UTC'), n Nested(a UInt8, b String),
     day Date materialized toDate(at), shout String alias upper(ifNull(kind, '')), raw String ephemeral,
     v Variant(UInt8, String), dy Dynamic, agg SimpleAggregateFunction(anyLast, Nullable(String)),
     pair Tuple(a Nullable(Int8), \`b c\` String), tags Map(String, Array(Nullable(String)))
   ) engine = ReplacingMergeTree partition by toYYYYMM(at) primary key id order by (id, at) comment 'All events'`,
  `insert into details.events (id, big, kind, at) values
     (1, 9007199254740993, 'a', '2024-07-01 00:30:00.250'), (2, -1, null, '2024-08-01 00:00:00')`,
  'create materialized view details.totals engine = MergeTree order by id as select id from details.events',
  'create view details.with_parameter as select id from details.events where id = {wanted:UInt64}',
  'create table details.gone (a Int8) engine = Memory',
  'create view details.broken as select a from details.gone',
  'drop table details.gone',
  'create table details.stream (a String) engine = File(CSV)',
  'create table details.orders__dbt_tmp (a Int8) engine = Memory',
  "create table details.`tab\\tle\\\\'s ? {x:String} -- /*` (`a\\\\'b` Int8, `new\\nline` String) engine = Memory",
]

describeOn(clickhouse, () => {
  let session: Session
  let server: ClickhouseHttp
  const open = (path = '/', options = ''): Promise<Catalog> =>
    catalogOf({ text: `clickhouse://reader:s3cret@${server.host}${path}${options}` })
  beforeAll(async () => {
    session = await clickhouse.open()
    const shop = readFileSync(repositoryPath('packages/catalogs/fixtures/shop/clickhouse.sql'), 'utf8')
    for (const statement of [...shop.split(/;\n/).filter((one) => one.trim() !== ''), ...DETAILS])
      await session.run(statement)
    server = await serveClickhouse(session)
  })
  afterAll(async () => {
    await server.close()
    await session.close()
  })

  catalogSuite('ClickHouse', () => open('/default'), {
    places: { standard: 'default' },
    gaps: [
      {
        reason: 'a primary key says how rows are sorted',
        tests: ['reads a primary key', 'reads a composite primary key in key order'],
      },
      {
        reason: 'ClickHouse has no unique and no foreign keys',
        tests: [
          'reads unique keys',
          'reads a foreign key',
          'reads a composite foreign key in key order',
          'reads a foreign key into another schema',
        ],
      },
      { reason: 'a type says whether it holds null', tests: ['gives the precision of a type'] },
      {
        reason: 'ClickHouse has no level above databases',
        tests: ['takes the name of the database into account'],
      },
      {
        reason: 'an address with a database reads that one',
        tests: ['reads the whole catalog without the tables of the system'],
      },
    ],
  })

  describe('what only ClickHouse has', () => {
    let catalog: Catalog
    let tables: ReadonlyMap<string, CatalogTable>
    beforeAll(async () => {
      catalog = await open()
      const all = await catalog.tables({ schema: { text: 'details', quoted: true } })
      tables = new Map(all.map((table) => [table.name, table]))
    })
    afterAll(() => catalog.close())

    test('reads every database but those of the engine, where the address names none', async () => {
      const schemas = new Set((await catalog.tables({})).flatMap(({ schema }) => schema ?? []))
      expect([...schemas].toSorted()).toEqual(['crm', 'default', 'details', 'shop'])
    })

    test('lists tables and views, and not what nobody can read', () => {
      expect([...tables].map(([name, { kind }]) => `${name}: ${kind}`)).toEqual([
        'broken: view',
        'events: table',
        'stream: external',
        "tab\tle\\'s ? {x:String} -- /*: table",
        'totals: view',
      ])
      expect(catalog.warnings?.map(({ message }) => message)).toEqual([
        'one temporary table of a dbt run was skipped: __dbt_tmp, __dbt_backup',
      ])
    })

    test('says which types hold null, what values they have, and what is read by name alone', () => {
      expect(tables.get('events')).toEqual({
        schema: 'details',
        name: 'events',
        kind: 'table',
        comment: 'All events',
        columns: [
          { name: 'id', type: 'UInt64', nullable: false },
          { name: 'big', type: 'Int64', nullable: false },
          { name: 'kind', type: 'LowCardinality(Nullable(String))', comment: "which 'kind'" },
          {
            name: 'state',
            type: "Enum8('new' = 1, 'it\\'s' = 2)",
            nullable: false,
            default: "'new'",
            values: ['new', "it's"],
          },
          { name: 'at', type: "DateTime64(3, 'UTC')", nullable: false },
          { name: 'n.a', type: 'Array(UInt8)', nullable: false },
          { name: 'n.b', type: 'Array(String)', nullable: false },
          { name: 'day', type: 'Date', nullable: false, hidden: true },
          { name: 'shout', type: 'String', nullable: false, hidden: true },
          { name: 'v', type: 'Variant(String, UInt8)' },
          { name: 'dy', type: 'Dynamic' },
          { name: 'agg', type: 'SimpleAggregateFunction(anyLast, Nullable(String))' },
          { name: 'pair', type: 'Tuple(a Nullable(Int8), `b c` String)', nullable: false },
          { name: 'tags', type: 'Map(String, Array(Nullable(String)))', nullable: false },
        ],
        storage: { partitionedBy: ['toYYYYMM(at)'], sortedBy: ['id', 'at'] },
      })
    })

    test('finds a table by the most awkward of names, alone as among others', async () => {
      const name = "tab\tle\\'s ? {x:String} -- /*"
      const found = await catalog.describe({
        schema: { text: 'details', quoted: true },
        table: { text: name, quoted: true },
      })
      expect(found).toEqual(tables.get(name))
      expect(found.columns.map((column) => column.name)).toEqual(["a\\'b", 'new\nline'])
    })

    test('counts rows, and knows when they changed', async () => {
      const wanted = ['events', 'totals', 'stream'].flatMap((name) => tables.get(name) ?? [])
      const sizes = async () => (await catalog.sizes?.(wanted)) ?? []
      const [before, view, file] = await sizes()
      expect(before).toMatchObject({ rows: 2, bytes: expect.any(Number) as number })
      expect([view?.version, file?.rows]).toEqual([undefined, undefined])
      expect((await sizes())[0]).toEqual(before)
      await session.run("insert into details.events (id, at) values (3, '2024-09-01 00:00:00')")
      const [after] = await sizes()
      expect(after?.rows).toBe(3)
      expect(after?.version).not.toBe(before?.version)
      expect(before?.version).toMatch(/^\d+$/)
    })

    test('profiles the rows, with numbers that JavaScript cannot hold', async () => {
      const events = tables.get('events')
      const [answer] = (await catalog.query?.('select max(big) as most from details.events')) ?? []
      expect(answer).toEqual({ most: '9007199254740993' })
      const { failures, profiles } = await observeIn(catalog, events ? [events] : [], { asked: 'profile' })
      expect(failures).toEqual([])
      expect(profiles[0]?.profile).toMatchObject({
        rows: 3,
        columns: { id: { nulls: 0, distinct: 3 }, kind: { nulls: 2, distinct: 1 } },
      })
    })

    test('is exported by one statement a database, but for the lists of CHECK constraints', async () => {
      const run = async (sql: string): Promise<readonly Record<string, unknown>[]> => {
        const { columns, rows } = await session.query(sql)
        return rows.map((cells) => Object.fromEntries(columns.map((name, at) => [name, cells[at]])))
      }
      const exported = await openExport({ dialect: 'clickhouse', schemas: ['shop', 'details'] }, run)
      for (const schema of ['shop', 'details']) {
        const selector = { schema: { text: schema, quoted: true } }
        const live = await catalog.tables(selector)
        expect(await exported.tables(selector)).toEqual(live)
        expect(live.length).toBeGreaterThan(4)
      }
      await exported.close()
    })

    test('sends each statement with its limits, and the password in a header alone', () => {
      const ids = server.asked.map(({ parameters }) => parameters.get('query_id'))
      expect(new Set(ids).size).toBe(ids.length)
      for (const { authorization, parameters } of server.asked) {
        expect(authorization).toBe(`Basic ${Buffer.from('reader:s3cret').toString('base64')}`)
        expect(parameters.get('readonly')).toBe('2')
        expect(parameters.get('max_execution_time')).toBe('60')
        expect(parameters.get('log_comment')).toBe('stagecraft')
        expect(parameters.toString()).not.toContain('s3cret')
      }
    })

    test('passes every step of the doctor, and names what may not be read', async () => {
      const steps: CheckStep[] = []
      const address = `clickhouse://reader:s3cret@${server.host}/details?max_execution_time=3`
      for await (const step of checkCatalog(address)) steps.push(step)
      // the embedded engine runs one statement at a time, so that none can be ended by another
      expect(
        steps.filter(({ name }) => name !== 'cancel').map(({ name, outcome }) => `${name}: ${outcome}`),
      ).toEqual([
        ...['address', 'host', 'port', 'driver', 'connect'].map((name) => `${name}: works`),
        ...['schemas', 'tables', 'columns'].map((name) => `statement ${name}: works`),
        ...['schemas', 'tables', 'parts'].map((name) => `statement ${name}: works`),
        'tables: works',
        'warning: warns',
        'sizes: works',
        'rights: fails',
        'rows: works',
      ])
      expect(steps.find(({ name }) => name === 'rights')).toMatchObject({
        told: expect.stringMatching(
          /^2 of 5 tables that were tried cannot be read; the first is `details`\.`broken`: /,
        ) as string,
        remedy: 'grant show columns, select on `details`.* to `reader`',
      })
      expect(JSON.stringify(steps)).not.toContain('s3cret')
    })

    test('keeps to the limits that the address sets', async () => {
      const careful = await open('/', '?max_rows_to_read=1000')
      await expect(careful.query?.('select sum(number) from numbers(1000000)')).rejects.toMatchObject({
        code: 'CONNECTION_FAILED',
        message: expect.stringMatching(/Limit for rows.*check the limits of the user/) as string,
      })
      await careful.close()
    })

    test('writes nothing, and reads as a user who may change no setting', async () => {
      await session.run('set readonly = 1')
      const bound = await open('/shop')
      const { columns } = await bound.describe({ table: { text: 'select', quoted: true } })
      expect(columns).toEqual([{ name: 'id', type: 'Int32', nullable: false }])
      expect([...(server.asked.at(-1)?.parameters.keys() ?? [])].toSorted()).toEqual([
        'database',
        'default_format',
        'query_id',
        'wait_end_of_query',
      ])
      await expect(bound.query?.('drop table details.events')).rejects.toThrow('readonly mode')
      await bound.close()
    })
  })
})
