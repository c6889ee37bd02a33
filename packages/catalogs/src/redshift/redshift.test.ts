import { readFileSync } from 'node:fs'
import type { Catalog, CatalogTable, NamePart } from '@stagecraft/spec'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeWithServer, postgresServer } from '../../../../test/servers.ts'
import { catalogSuite } from '../../../../test/suites/catalog.ts'
import { redshift } from './index.ts'

const server = await postgresServer()
const quoted = (text: string): NamePart => ({ text, quoted: true })
const fixture = (name: string): string =>
  readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8')

async function run(connectionString: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(statements)
  } finally {
    await client.end()
  }
}

// PostgreSQL stands in for the leader node, which descends from it: what only Redshift has are tables and a function.
describeWithServer('Redshift, as PostgreSQL with its views', server, () => {
  const name = `stagecraft_${crypto.randomUUID().slice(0, 8)}`
  const own = Object.assign(new URL(server.url), { pathname: `/${name}` }).href
  const text = (path = ''): string => `${own.replace(/^\w+:/, 'redshift:')}${path}?sslmode=disable`
  beforeAll(async () => {
    await run(server.url, `create database ${name}`)
    await run(own, fixture('shop/postgres.sql'))
    await run(own, fixture('redshift-views.sql'))
  })
  afterAll(() => run(server.url, `drop database if exists ${name} with (force)`))

  catalogSuite('Redshift', () => redshift({ text: text() }), {
    places: { database: name },
    gaps: [
      {
        reason: 'Redshift has no checks',
        tests: ['reads the values of a text', 'reads the values of a number'],
      },
      {
        reason: 'the address names the default schema',
        tests: ['looks a name without a schema up in the default schema'],
      },
    ],
  })

  describe('what only Redshift has', () => {
    let catalog: Catalog
    let tables: ReadonlyMap<string, CatalogTable>
    beforeAll(async () => {
      catalog = await redshift({ text: text() })
      const found = await Promise.all(
        ['web', 'lake'].map((schema) => catalog.tables({ schema: quoted(schema) })),
      )
      tables = new Map(found.flat().map((table) => [table.name, table]))
    })
    afterAll(() => catalog.close())

    test('is read with types, keys on unusual column names, and comments', () => {
      expect(tables.get('events')).toEqual({
        database: name,
        schema: 'web',
        name: 'events',
        kind: 'table',
        comment: 'Once per visit',
        columns: [
          { name: 'id', type: 'bigint', nullable: false },
          { name: 'name', type: 'character varying(256)', default: "'none'::character varying" },
          { name: 'amount', type: 'numeric(12,2)' },
          { name: 'at', type: 'timestamp with time zone' },
          { name: 'payload', type: 'super', comment: 'As sent' },
          { name: 'of, (the) "day"', type: 'date', nullable: false },
        ],
        primaryKey: ['id', 'of, (the) "day"'],
        storage: { sortedBy: ['at', 'id'], distributedBy: ['id'] },
      })
      expect(tables.get('clicks')).toMatchObject({
        uniqueKeys: [['id']],
        foreignKeys: [
          {
            columns: ['event', 'on'],
            references: { table: { schema: 'web', name: 'events' }, columns: ['id', 'of, (the) "day"'] },
          },
        ],
      })
    })

    test('has late-binding views and Spectrum tables, but no storage of materialized views', () => {
      expect([...tables.keys()]).toEqual(['bound', 'clicks', 'events', 'late', 'logs'])
      expect(tables.get('late')).toMatchObject({
        kind: 'view',
        columns: [
          { name: 'id', type: 'integer' },
          { name: 'payload', type: 'super' },
        ],
      })
      expect(tables.get('logs')).toMatchObject({
        kind: 'external',
        columns: [
          { name: 'line', type: 'varchar(65535)' },
          { name: 'day', type: 'date' },
        ],
        storage: { partitionedBy: ['day'] },
      })
    })

    test('reads row counts if they are granted, and tables without that grant', async () => {
      const [events, clicks] = [tables.get('events'), tables.get('clicks')]
      if (!events || !clicks) throw new Error('no tables')
      expect(await catalog.sizes?.([events, clicks])).toEqual([{ rows: 1200, bytes: 3_145_728 }, {}])
      const user = `${name}_reader`
      await run(
        own,
        `create role ${user} login; grant usage on schema web to ${user};
        grant select on svv_external_tables, svv_external_columns, svv_redshift_columns to ${user}`,
      )
      const limited = await redshift({ text: text().replace(/\/\/[^@]*@/, `//${user}@`) })
      try {
        expect(await limited.tables({ schema: quoted('web'), tables: [quoted('events')] })).toEqual([events])
        expect(await limited.sizes?.([events])).toEqual([{}])
      } finally {
        await limited.close()
        await run(own, `drop owned by ${user}; drop role ${user}`)
      }
    })

    test('cancels a statement in the database', async () => {
      const stop = new AbortController()
      const asked = catalog.query?.('select pg_sleep(60)', { signal: stop.signal })
      setTimeout(() => stop.abort(new Error('enough')), 300)
      await expect(asked).rejects.toThrow('enough')
      const left = `select count(*)::int as n from pg_stat_activity
        where datname = '${name}' and state = 'active' and query = 'select pg_sleep(60)'`
      await expect.poll(() => catalog.query?.(left)).toEqual([{ n: 0 }])
    })

    test('makes sessions read-only', async () => {
      await expect(catalog.query?.('create table web.more (id integer)')).rejects.toThrow(
        'read-only transaction',
      )
    })
  })

  test('refuses an unknown TLS mode without showing the password', async () => {
    const faulty = text().replace('=disable', '=maybe').replace('//', '//me:canary-s3cret@')
    const error: unknown = await redshift({ text: faulty }).catch((caught: unknown) => caught)
    expect(error).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('verify-full') as string,
    })
    expect(String(error)).not.toContain('canary')
  })
})
