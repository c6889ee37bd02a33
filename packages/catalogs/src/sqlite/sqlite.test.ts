import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { CatalogTable, NamePart } from '@stagecraft/spec'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogSuite } from '../../../../test/suites/catalog.ts'
import { sqlite } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-sqlite-'))
const shop = join(folder, 'raw.db')
const quoted = (text: string): NamePart => ({ text, quoted: true })

beforeAll(() => {
  const database = new DatabaseSync(shop)
  database.exec(readFileSync(new URL('../../fixtures/shop/sqlite.sql', import.meta.url), 'utf8'))
  database.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

catalogSuite('SQLite', () => sqlite({ path: shop }), {
  places: { shop: 'main', crm: 'main', standard: 'main' },
  gaps: [
    {
      reason: 'SQLite takes names that differ in case for the same',
      tables: ['Twin', 'twin'],
      tests: [
        'prefers the very same name to one in other case',
        'refuses an unquoted name that differs from two in case',
      ],
    },
    {
      reason: 'SQLite keeps no comments',
      tests: ['reads the comment of a table', 'reads the comment of a column'],
    },
    {
      reason: 'a file of SQLite has one schema and no database above it',
      tests: ['reads a foreign key into another schema', 'takes the name of the database into account'],
    },
  ],
})

describe('what only SQLite has', () => {
  test('is read as stored', async () => {
    const client = new DatabaseSync(':memory:')
    client.exec(DETAILS)
    const catalog = await sqlite({ client })
    const tables = new Map((await catalog.tables({})).map((table) => [table.name, table]))
    expect([...tables.keys()]).toEqual(['broken', 'docs', 'lines', 'sizes', 'texts', 'view'])
    expect(tables.get('texts')).toEqual<CatalogTable>({
      schema: 'main',
      name: 'texts',
      kind: 'table',
      columns: [
        { name: 'id', type: 'TEXT' },
        { name: 'anything', type: 'any' },
        { name: 'doubled', type: 'INT' },
        { name: 'state', type: 'varchar(5)', default: `'a'`, values: ['a', "b'c"] },
      ],
      primaryKey: ['id'],
      uniqueKeys: [['state', 'id']],
      foreignKeys: [
        { columns: ['state'], references: { table: { schema: 'main', name: 'sizes' }, columns: ['code'] } },
        {
          columns: ['id', 'state'],
          references: { table: { schema: 'main', name: 'lines' }, columns: ['b', 'a'] },
        },
      ],
    })
    expect(tables.get('docs')?.columns.map(({ name }) => name)).toEqual(['title', 'body'])
    expect(tables.get('broken')?.columns).toEqual([])
    expect(tables.get('view')?.columns).toHaveLength(2)
    await catalog.close()
    expect(client.isOpen).toBe(true)
    client.close()
  })

  test('is nullable in a primary key, unless that is the rowid', async () => {
    const client = new DatabaseSync(':memory:')
    client.exec(`create table numbered (id integer primary key);
      create table odd (id integer primary key desc);
      create table texts (id text primary key);
      create table pairs (a integer, b integer, primary key (a, b));
      create table rowless (id text primary key) without rowid`)
    const catalog = await sqlite({ client })
    const required = (await catalog.tables({})).filter(({ columns }) => columns[0]?.nullable === false)
    expect(required.map(({ name }) => name)).toEqual(['numbered', 'rowless'])
  })
})

describe('an SQLite file', () => {
  test('is not written to', async () => {
    const before = readFileSync(shop)
    const catalog = await sqlite({ path: shop })
    await catalog.tables({})
    await catalog.close()
    expect(readFileSync(shop).equals(before)).toBe(true)
  })

  test.each([
    ['missing.db', 'no such file or folder'],
    ['text.db', 'file is not a database'],
    ['.', 'it is a folder'],
  ])('that cannot be read is refused: %s', async (name, reason) => {
    writeFileSync(join(folder, 'text.db'), 'this is no database\n'.repeat(100))
    const path = join(folder, name)
    await expect(sqlite({ path })).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
      details: { path, reason },
    })
  })

  test('is opened without the warning that SQLite is experimental', () => {
    const script = `process.on('warning', ({ name, message }) => console.log(name, message))
      const { loadSqlite } = await import(${JSON.stringify(new URL('sqlite.ts', import.meta.url).href)})
      loadSqlite()
      process.emitWarning('another', 'ExperimentalWarning')`
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    expect(printed.trim()).toBe('ExperimentalWarning another')
  })
})

test('suggests a similar table', async () => {
  const catalog = await sqlite({ path: shop })
  await expect(catalog.describe({ table: quoted('order') })).rejects.toThrow('did you mean orders')
  await catalog.close()
})

const DETAILS = `
  create table sizes (code varchar(5) primary key) without rowid;
  create table lines (a varchar(5), b text, primary key (b, a));
  create table texts (
    id text primary key,
    anything,
    doubled int generated always as (2) virtual,
    state varchar(5) default 'a' check (state in ('a', 'b''c')) references SIZES,
    foreign key (id, state) references Lines (B, A)
  );
  create unique index plain on texts (state, id);
  create unique index some on texts (anything) where anything > 1;
  create unique index computed on texts (lower(id));
  create virtual table docs using fts5(title, body);
  create view view as select id, 1 + 1 from texts;
  create view broken as select * from gone;
`
