// What the answers of the documentation do not show: SQL that runs, its values, pages, faults and rows of profiles.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { bigquery } from '@stagecraft/catalogs/bigquery'
import type { Catalog } from '@stagecraft/spec'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { freePort, isListening } from '../servers.ts'

const folder = repositoryPath('.venvs/bqemulator')
const isInstalled = existsSync(`${folder}/done`)
const isRequired = Boolean(process.env['STAGECRAFT_REQUIRE_ALL'])

const VIEW = /`p`\.`shop`\.INFORMATION_SCHEMA\./.source

/** What the emulator lacks: definitions, defaults, fields of structs, and keys. */
const REWRITES: readonly (readonly [lacking: RegExp, instead: string])[] = [
  [/regexp_extract\(t\.ddl, [^\n]*\) as partition_key/, 'cast(null as string) as partition_key'],
  [/c\.column_default/, "'NULL' as column_default"],
  [
    new RegExp(`${VIEW}COLUMN_FIELD_PATHS f`),
    '(select table_name, column_name, column_name as field_path, data_type, cast(null as string) as description from `p`.`shop`.INFORMATION_SCHEMA.COLUMNS) f',
  ],
  [new RegExp(`^select k\\.[^]*${VIEW}KEY_COLUMN_USAGE k[^]*$`), "select 'none' as table_name limit 0"],
]

const DATA = [
  `insert into shop.orders (id, amount, placed_at, day, is_open, tags, address)
   values (1, 12.5, timestamp '2024-02-29 12:34:56.250000+00', date '2024-02-29', true, ['a', 'b'], struct('Rome')),
     (2, -0.01, null, null, false, [], null)`,
  'insert into shop.many (id) select n from unnest(generate_array(1, 25000)) as n',
]

const TABLES = {
  orders: [
    { name: 'id', type: 'INTEGER', mode: 'REQUIRED' },
    { name: 'amount', type: 'NUMERIC' },
    { name: 'placed_at', type: 'TIMESTAMP' },
    { name: 'day', type: 'DATE' },
    { name: 'is_open', type: 'BOOLEAN' },
    { name: 'tags', type: 'STRING', mode: 'REPEATED' },
    { name: 'address', type: 'RECORD', fields: [{ name: 'city', type: 'STRING' }] },
  ],
  many: [{ name: 'id', type: 'INTEGER' }],
  events_20260130: [{ name: 'id', type: 'INTEGER' }],
  events_20260131: [
    { name: 'id', type: 'INTEGER' },
    { name: 'name', type: 'STRING' },
  ],
}

describe.skipIf(!isInstalled && !isRequired)(
  'BigQuery, emulated (test/engines/install.sh)',
  { meta: { needs: 'bqemulator, which test/engines/install.sh installs' } },
  () => {
    let port = 0
    let stop = (): Promise<void> => Promise.resolve()
    let catalog: Catalog | undefined
    const asked: string[] = []
    const post = async (path: string, body: object): Promise<void> => {
      const answer = await fetch(`http://127.0.0.1:${port}/bigquery/v2/projects/p${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const text = await answer.text()
      if (!answer.ok || text.includes('"errors"')) throw new Error(text)
    }
    const rewriting: typeof globalThis.fetch = (input, init = {}) => {
      asked.push(`${init.method ?? 'GET'} ${new URL(input instanceof Request ? input.url : input).pathname}`)
      const body = typeof init.body === 'string' ? (JSON.parse(init.body) as { query?: string }) : undefined
      if (body?.query === undefined) return fetch(input, init)
      const query = REWRITES.reduce((text, [lacking, instead]) => text.replace(lacking, instead), body.query)
      return fetch(input, { ...init, body: JSON.stringify({ ...body, query }) })
    }

    beforeAll(async () => {
      port = await freePort()
      const ports = [port, await freePort()].map(String)
      const child = spawn(
        `${folder}/bin/python`,
        [repositoryPath('test/engines/bigquery_emulator.py'), ...ports],
        {
          stdio: 'ignore',
        },
      )
      stop = async () => {
        child.kill()
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      }
      while (!(await isListening('127.0.0.1', port))) {
        if (child.exitCode !== null) throw new Error(`the emulator ended with ${child.exitCode}`)
        await sleep(200)
      }
      await post('/datasets', { datasetReference: { datasetId: 'shop' } })
      for (const [tableId, fields] of Object.entries(TABLES))
        await post('/datasets/shop/tables', {
          tableReference: { tableId },
          description: `All ${tableId}`,
          schema: { fields },
        })
      for (const query of DATA) await post('/queries', { query, useLegacySql: false })
      catalog = await bigquery({ text: `bigquery://127.0.0.1:${port}/p/shop?token=s3cret`, fetch: rewriting })
    }, 120_000)
    afterAll(async () => {
      await catalog?.close()
      await stop()
    })

    test('reads tables and columns, and folds shards', async () => {
      const tables = (await catalog?.tables({})) ?? []
      expect(tables.map(({ comment, name }) => [name, comment])).toEqual([
        ['events_*', 'All events_20260131'],
        ['many', 'All many'],
        ['orders', 'All orders'],
      ])
      expect(tables[0]?.columns.map(({ name }) => name)).toEqual(['id', 'name'])
      expect(tables[2]?.columns).toEqual([
        { name: 'id', type: 'INT64', nullable: false },
        { name: 'amount', type: 'NUMERIC' },
        { name: 'placed_at', type: 'TIMESTAMP' },
        { name: 'day', type: 'DATE' },
        { name: 'is_open', type: 'BOOL' },
        { name: 'tags', type: 'ARRAY<STRING>' },
        { name: 'address', type: 'STRUCT<city STRING>' },
      ])
    })

    test('goes on without sizes', async () => {
      expect(await catalog?.sizes?.(await catalog.tables({}))).toEqual([{}, {}, {}])
    })

    test('reads values', async () => {
      expect(await catalog?.query?.('select * from `p`.`shop`.`orders` order by id')).toEqual([
        {
          id: 1,
          amount: '12.500000000', // the emulator writes all decimals of the type
          placed_at: new Date('2024-02-29T12:34:56.250Z'),
          day: '2024-02-29',
          is_open: true,
          tags: ['a', 'b'],
          address: { city: 'Rome' },
        },
        {
          id: 2,
          amount: '-0.010000000',
          placed_at: null,
          day: null,
          is_open: false,
          tags: [],
          address: null,
        },
      ])
    })

    test('reads every page', async () => {
      const before = asked.length
      const rows = (await catalog?.query?.('select id from `p`.`shop`.`many` order by id')) ?? []
      expect([rows.length, rows[0], rows.at(-1)]).toEqual([25_000, { id: 1 }, { id: 25_000 }])
      expect(asked.slice(before).length).toBeGreaterThan(1)
    })

    test.each([
      ['select nothing from `p`.`shop`.`orders`', /nothing/],
      ['select id from `p`.`shop`.`missing`', /Not found: Table p\.shop\.missing/],
      ['selec 1', /./],
    ])('says why a statement is refused: %s', async (statement, reason) => {
      const failure: unknown = await catalog?.query?.(statement).catch((error: unknown) => error)
      expect(failure).toMatchObject({ code: 'CONNECTION_FAILED' })
      expect(String(failure)).toMatch(reason)
      expect(String(failure)).not.toContain('s3cret')
    })
  },
)
