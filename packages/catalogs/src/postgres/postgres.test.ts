import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { type Catalog, type CatalogTable, type NamePart, StagecraftError } from '@stagecraft/spec'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openExport } from '../../../../test/suites/exported.ts'
import { describeWithServer, postgresServer } from '../../../../test/servers.ts'
import { catalogSuite } from '../../../../test/suites/catalog.ts'
import type { Row } from '../warehouse/statement.ts'
import { postgres, type PostgresClient } from './index.ts'

const server = await postgresServer()
const quoted = (text: string): NamePart => ({ text, quoted: true })

async function run(connectionString: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** A database of the test's own. */
class TestDatabase {
  readonly name = `stagecraft_${crypto.randomUUID().slice(0, 8)}`
  readonly url = Object.assign(new URL(server.url), { pathname: `/${this.name}` }).href

  async create(statements: string): Promise<void> {
    await run(server.url, `create database ${this.name}`)
    await run(this.url, statements)
  }

  async drop(): Promise<void> {
    await run(server.url, `drop database if exists ${this.name} with (force)`)
  }
}

describeWithServer('PostgreSQL', server, () => {
  const shop = new TestDatabase()
  beforeAll(() =>
    shop.create(readFileSync(new URL('../../fixtures/shop/postgres.sql', import.meta.url), 'utf8')),
  )
  afterAll(() => shop.drop())

  catalogSuite('PostgreSQL', () => postgres({ connectionString: shop.url }), {
    places: { database: shop.name },
  })

  catalogSuite(
    'the exported result of PostgreSQL',
    () =>
      openExport(
        { dialect: 'postgres', database: shop.name, schemas: ['shop', 'crm', 'public'] },
        async (sql) => {
          const client = new pg.Client({ connectionString: shop.url })
          await client.connect()
          return (await client.query<Row>(sql).finally(() => client.end())).rows
        },
      ),
    { places: { database: shop.name } },
  )

  describe('what only PostgreSQL has', () => {
    const database = new TestDatabase()
    let catalog: Catalog
    let tables: ReadonlyMap<string, CatalogTable>
    beforeAll(async () => {
      await database.create(DETAILS)
      catalog = await postgres({ connectionString: database.url })
      tables = new Map((await catalog.tables({})).map((table) => [table.name, table]))
    })
    afterAll(async () => {
      await catalog.close()
      await database.drop()
    })

    const column = (table: string, name: string): CatalogTable['columns'][number] | undefined =>
      tables.get(table)?.columns.find((one) => one.name === name)

    test.each([
      ['amount', 'numeric(12,2)'],
      ['tags', 'text[]'],
      ['at', 'timestamp(3) with time zone'],
      ['note', 'character varying(20)'],
      ['price', 'numeric(10,2)'],
      ['mood', 'mood'],
      ['fee', 'numeric(10,2)'],
      ['feeling', 'mood'],
    ])('prints the type of %s', (name, type) => {
      expect(column('details', name)?.type).toBe(type)
    })

    test('reads a domain as its base type with its checks', () => {
      expect(column('details', 'price')).toEqual({
        name: 'price',
        type: 'numeric(10,2)',
        nullable: false,
        values: [1.5, 2],
      })
    })

    test('reads a domain over a domain as the type below both, with the rules of both', () => {
      expect(column('details', 'fee')).toEqual({
        name: 'fee',
        type: 'numeric(10,2)',
        nullable: false,
        values: [1.5, 2],
      })
      expect(column('details', 'feeling')).toEqual({ name: 'feeling', type: 'mood' })
    })

    test('reads the same from the result of the printed statement', async () => {
      const exported = await openExport(
        { dialect: 'postgres', database: database.name, schemas: ['public', 'other'] },
        async (sql) => {
          const client = new pg.Client({ connectionString: database.url })
          await client.connect()
          return (await client.query<Row>(sql).finally(() => client.end())).rows
        },
      )
      expect(new Map((await exported.tables({})).map((table) => [table.name, table]))).toEqual(tables)
    })

    test('reads the labels of an enum, narrowed by a check', () => {
      expect(column('details', 'mood')?.values).toEqual(['happy', "it's complicated"])
    })

    test('does not read a generated expression as a default', () => {
      expect(column('details', 'doubled')).toEqual({ name: 'doubled', type: 'numeric' })
      expect(column('details', 'note')?.default).toBe("'none'::character varying")
    })

    test('reads unique indexes on plain columns of all rows only', () => {
      expect(tables.get('details')?.uniqueKeys).toEqual([['note', 'id']])
    })

    test('leaves out unchecked constraints', () => {
      expect(column('unchecked', 'state')).toEqual({ name: 'state', type: 'text' })
      expect(tables.get('unchecked')?.foreignKeys).toBeUndefined()
    })

    test('lists a partitioned table but not its partitions', () => {
      expect(tables.get('events')).toMatchObject({ kind: 'table', primaryKey: ['id', 'day'] })
      expect(tables.has('events_2024')).toBe(false)
      expect(tables.get('event_notes')?.foreignKeys).toHaveLength(1)
    })

    test('recognizes materialized views and foreign tables', () => {
      expect(tables.get('totals')).toMatchObject({
        kind: 'view',
        uniqueKeys: [['id']],
        comment: 'of the day',
      })
      expect(tables.get('remote')?.kind).toBe('external')
    })

    test('reads a system table if it is named', async () => {
      const table = await catalog.describe({ schema: quoted('pg_catalog'), table: quoted('pg_class') })
      expect(table.columns.length).toBeGreaterThan(20)
    })

    test('suggests tables of other schemas', async () => {
      await expect(catalog.describe({ table: { text: 'hidden', quoted: false } })).rejects.toMatchObject({
        details: { suggestion: 'did you mean other.hidden?' },
      })
    })
  })

  describe('the number of queries', () => {
    const database = new TestDatabase()
    afterAll(() => database.drop())

    test('does not depend on the number of tables', async () => {
      await database.create(`${manyTables('few', 3)}; ${manyTables('many', 300)}`)
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      let asked = 0
      const counting: PostgresClient = {
        query: (text, values) => {
          asked++
          return client.query(text, values)
        },
      }
      const catalog = await postgres({ client: counting })
      const count = async (work: () => Promise<unknown>): Promise<number> => {
        asked = 0
        await work()
        return asked
      }
      const few = await count(() => catalog.tables({ schema: quoted('few') }))
      const many = await count(async () => {
        expect(await catalog.tables({ schema: quoted('many') })).toHaveLength(300)
      })
      const one = await count(() => catalog.describe({ schema: quoted('many'), table: quoted('t7') }))
      const all = await count(() => catalog.tables({}))
      await catalog.close()
      expect((await client.query('select 1')).rowCount, 'a client that was given stays open').toBe(1)
      await client.end()
      expect([few, many, one, all]).toEqual([6, 6, 7, 6])
    })
  })

  describe('failures', () => {
    const canary = 'canary-s3cret'
    const at = (
      change: Partial<Pick<URL, 'username' | 'password' | 'hostname' | 'port' | 'pathname'>>,
    ): string => Object.assign(new URL(server.url), { password: canary, ...change }).href

    test.each([
      [at({ pathname: '/no_such_db' }), 'database no_such_db does not exist'],
      [at({ port: '1' }), 'connection refused'],
      [at({ hostname: 'no-such-host.invalid' }), 'host not found'],
      [at({ username: 'no_such_user' }), 'no_such_user'],
    ])('are distinguished, without the password: %#', async (connectionString, reason) => {
      const error: unknown = await postgres({ connectionString }).catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(StagecraftError)
      expect(error).toMatchObject({
        code: 'CONNECTION_FAILED',
        message: expect.stringContaining(reason) as string,
      })
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(canary)
      const { hostname, port } = new URL(connectionString)
      expect(error).toMatchObject({ details: { host: hostname, port: Number(port) } })
    })

    test('of an idle connection are repaired, even if they were unnoticed', async () => {
      const catalog = await postgres({ connectionString: shop.url })
      // This process waits until they are gone, so that it cannot notice before it asks.
      execFileSync(process.execPath, ['--input-type=module', '--eval', TERMINATE, server.url, shop.name], {
        cwd: import.meta.dirname,
      })
      expect(await catalog.tables({ schema: quoted('shop') })).toHaveLength(11)
      await catalog.close()
    })

    test('of a query name the client', async () => {
      const client: PostgresClient = { query: () => Promise.reject(new Error('no more')) }
      await expect(postgres({ client })).rejects.toThrow(
        'cannot read PostgreSQL through the given client: no more',
      )
    })

    test('keep the reason of the signal', async () => {
      const reason = new Error('stopped')
      const signal = AbortSignal.abort(reason)
      await expect(postgres({ connectionString: shop.url, signal })).rejects.toBe(reason)
    })
  })
})

/** A program that ends the connections to a database, and itself when they are gone. */
const TERMINATE = `
  import pg from 'pg'
  const [connectionString, database] = process.argv.slice(1)
  const client = new pg.Client({ connectionString })
  await client.connect()
  const terminate = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1'
  while ((await client.query(terminate, [database])).rowCount > 0);
  await client.end()
`

function manyTables(schema: string, count: number): string {
  const tables = Array.from(
    { length: count },
    (_, index) =>
      `create table ${schema}.t${index} (id int primary key, state text check (state in ('a', 'b')))`,
  )
  return [`create schema ${schema}`, ...tables].join('; ')
}

const DETAILS = `
  create type mood as enum ('happy', 'sad', 'it''s complicated');
  create domain price as numeric(10, 2) not null check (value in (1.5, 2));
  create domain fee as price check (value < 9);
  create domain feeling as mood;
  create table details (
    id integer primary key,
    amount numeric(12, 2),
    tags text[],
    at timestamptz(3),
    note varchar(20) default 'none',
    price price,
    fee fee,
    feeling feeling,
    mood mood check (mood <> 'sad' or true) check (mood in ('happy', 'it''s complicated')),
    doubled numeric generated always as (amount * 2) stored
  );
  create unique index on details (note, id) include (amount);
  create unique index on details (lower(note));
  create unique index on details (amount) where amount > 0;
  create table unchecked (id integer, state text);
  alter table unchecked add constraint listed check (state in ('a', 'b')) not valid;
  alter table unchecked add foreign key (id) references details (id) not valid;
  create table events (id bigint, day date, primary key (id, day)) partition by range (day);
  create table events_2024 partition of events for values from ('2024-01-01') to ('2025-01-01');
  create table event_notes (id bigint, day date, foreign key (id, day) references events (id, day));
  create materialized view totals as select id, amount from details;
  comment on materialized view totals is 'of the day';
  create unique index on totals (id);
  create foreign data wrapper nothing;
  create server elsewhere foreign data wrapper nothing;
  create foreign table remote (id integer) server elsewhere;
  create schema other;
  create table other.hidden (id integer);
`
