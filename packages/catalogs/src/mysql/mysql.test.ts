import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { type Catalog, type CatalogTable, type NamePart, StagecraftError } from '@stagecraft/spec'
import { createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openExport } from '../../../../test/suites/exported.ts'
import { describeWithServer, mysqlServer } from '../../../../test/servers.ts'
import { catalogSuite } from '../../../../test/suites/catalog.ts'
import type { Row } from '../warehouse/statement.ts'
import { mysql, type MysqlClient } from './index.ts'

const server = await mysqlServer()
const quoted = (text: string): NamePart => ({ text, quoted: true })
const suffix = crypto.randomUUID().slice(0, 8)
const places = { shop: `shop_${suffix}`, crm: `crm_${suffix}`, standard: `standard_${suffix}` }
const details = `details_${suffix}`
const inDatabase = (name: string): string => Object.assign(new URL(server.url), { pathname: `/${name}` }).href

async function run(statements: string): Promise<void> {
  const client = await createConnection({ uri: server.url, multipleStatements: true })
  await client.query(statements).finally(() => client.end())
}

describeWithServer('MySQL or MariaDB', server, () => {
  beforeAll(async () => {
    const shop = readFileSync(new URL('../../fixtures/shop/mysql.sql', import.meta.url), 'utf8')
    const databases = [...Object.values(places), details].map((name) => `create database ${name};`)
    await run(databases.join(''))
    await run(shop.replace(/\{(shop|crm|standard)\}/g, (_, place: keyof typeof places) => places[place]))
    await run(`use ${details}; ${DETAILS}`)
  })
  afterAll(() =>
    run([places.crm, places.shop, places.standard, details].map((name) => `drop database ${name};`).join('')),
  )

  catalogSuite('MariaDB', () => mysql({ connectionString: inDatabase(places.standard) }), {
    places,
    gaps: [
      {
        reason: 'MySQL has no level above schemas',
        tests: ['takes the name of the database into account'],
      },
      {
        reason: 'a connection to a database reads that one',
        tests: ['reads the whole catalog without the tables of the system'],
      },
    ],
  })

  catalogSuite(
    'the exported result of MariaDB',
    () =>
      openExport({ dialect: 'mysql', schemas: Object.values(places) }, async (sql) => {
        const client = await createConnection({ uri: server.url })
        const [rows] = await client.query(sql).finally(() => client.end())
        return rows as readonly Row[]
      }),
    {
      places,
      gaps: [
        {
          reason: 'MySQL has no level above schemas',
          tests: ['takes the name of the database into account'],
        },
      ],
    },
  )

  test.each([
    ['the database of the address alone', inDatabase(places.shop), [places.shop]],
    ['every database but those of the system', new URL('/', server.url).href, Object.values(places)],
  ])('reads %s', async (_, connectionString, expected) => {
    const catalog = await mysql({ connectionString })
    try {
      const schemas = new Set((await catalog.tables({})).map(({ schema }) => schema))
      expect([...schemas].filter((name) => expected.some((other) => other === name))).toHaveLength(
        expected.length,
      )
      expect([...schemas]).not.toContain('information_schema')
      expect(schemas.size === 1).toBe(expected.length === 1)
    } finally {
      await catalog.close()
    }
  })

  describe('what only MySQL has', () => {
    let catalog: Catalog
    let tables: ReadonlyMap<string, CatalogTable>
    beforeAll(async () => {
      catalog = await mysql({ connectionString: inDatabase(details).replace('mysql:', 'mariadb:') })
      tables = new Map(
        (await catalog.tables({ schema: quoted(details) })).map((table) => [table.name, table]),
      )
    })
    afterAll(() => catalog.close())

    const column = (name: string): CatalogTable['columns'][number] | undefined =>
      tables.get('types')?.columns.find((one) => one.name === name)

    test.each([
      ['amount', 'decimal(12,2)'],
      ['flag', 'tinyint(1)'],
      ['big', /^bigint(?:\(20\))? unsigned$/],
      ['tags', "set('x','y')"],
    ])('prints the type of %s', (name, type) => {
      expect(column(name)?.type).toMatch(type)
    })

    test('reads the labels of an enum but not those of a set', () => {
      expect(column('state')?.values).toEqual(['a,b', "c'd", 'e\\f'])
      expect(column('tags')?.values).toBeUndefined()
    })

    test('reads a check with quotes and backslashes in it', () => {
      expect(column('checked')?.values).toEqual(["b'c", 'd\\e'])
    })

    test("recognizes MariaDB's JSON by its check", () => {
      expect(column('document')?.type).toBe('json')
    })

    test('prints a default as an expression', () => {
      expect(column('note')?.default).toBe("'it''s'")
      expect(column('made')?.default).toMatch(/^current_timestamp(?:\(\))?$/i)
      expect(column('doubled')?.default).toBeUndefined()
      expect(column('amount')?.default).toBeUndefined()
    })

    test('reads the partition expression of a table', () => {
      expect(tables.get('types')?.storage).toBeUndefined()
      expect(tables.get('visits')?.storage).toEqual({ partitionedBy: ['year(`at`)'] })
    })

    test('exports enums, checks, JSON and partitions of each table', async () => {
      const client = await createConnection(inDatabase(details))
      const exported = await openExport({ dialect: 'mysql', schemas: [details] }, async (sql) => {
        const [rows] = await client.query(sql)
        return rows as readonly Record<string, unknown>[]
      })
      await client.end()
      const shown = (one: CatalogTable): unknown => [
        one.name,
        one.columns.map(({ name, type, values }) => [name, type, values]),
        one.storage,
      ]
      expect((await exported.tables({})).map(shown)).toEqual([...tables.values()].map(shown))
    })

    test('does not read the comment of a view', () => {
      expect(tables.get('some')).toMatchObject({ kind: 'view' })
      expect(tables.get('some')?.comment).toBeUndefined()
    })

    test('runs one query after the other on a given client', async () => {
      const client = await createConnection(inDatabase(details))
      let asked = 0
      const counting: MysqlClient = {
        query: (text, values) => {
          asked++
          return client.query(text, values)
        },
      }
      const given = await mysql({ client: counting })
      asked = 0
      expect(await given.tables({ schema: quoted(details) })).toEqual([...tables.values()])
      await given.close()
      expect((await client.query('select 1'))[0]).toHaveLength(1)
      await client.end()
      expect(asked).toBe(9)
    })
  })

  describe('failures', () => {
    const canary = 'canary-s3cret'
    const at = (
      change: Partial<Pick<URL, 'username' | 'password' | 'hostname' | 'port' | 'pathname'>>,
    ): string => Object.assign(new URL(server.url), change).href

    test.each([
      [at({ pathname: '/no_such_db' }), 'database no_such_db does not exist'],
      [at({ port: '1', password: canary }), 'connection refused'],
      [at({ hostname: 'no-such-host.invalid', password: canary }), 'host not found'],
      [at({ password: canary, username: 'no_such_user' }), 'for user no_such_user'],
    ])('are distinguished, without the password: %#', async (connectionString, reason) => {
      const error: unknown = await mysql({ connectionString }).catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(StagecraftError)
      expect(error).toMatchObject({
        code: 'CONNECTION_FAILED',
        message: expect.stringContaining(reason) as string,
      })
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(canary)
    })

    test('keep the reason of the signal', async () => {
      const reason = new Error('stopped')
      const signal = AbortSignal.abort(reason)
      await expect(mysql({ connectionString: server.url, signal })).rejects.toBe(reason)
    })
  })
})

const DETAILS = String.raw`
  create table types (
    id int primary key,
    amount decimal(12, 2),
    flag tinyint(1),
    big bigint unsigned,
    tags set('x', 'y'),
    state enum('a,b', 'c''d', 'e\\f'),
    checked varchar(10) check (checked in ('b''c', 'd\\e')),
    document json,
    note varchar(20) default 'it''s',
    made timestamp not null default current_timestamp,
    doubled decimal(12, 2) generated always as (amount * 2) virtual
  );
  create view some as select id from types;
  create table checks (constraint one check (a in ('x', 'y')), a varchar(5), b int, constraint two check (b in (1, 2)));
  create table others (constraint one check (a in ('y', 'z')), a varchar(5), b int);
  create table visits (at datetime not null, id int)
    partition by range (year(at)) (partition p0 values less than (2025), partition p1 values less than maxvalue);
`
