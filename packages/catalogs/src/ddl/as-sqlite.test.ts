import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { CatalogTable } from '@stagecraft/spec'
import { expect, onTestFinished, test } from 'vitest'
import { sqlite } from '../sqlite/index.ts'
import { readSchema } from './read-schema.ts'

/** Returns the facts that both readings should share, spelled alike. */
function plain({ columns, name, primaryKey, uniqueKeys }: CatalogTable): unknown {
  return {
    name,
    primaryKey,
    uniqueKeys: uniqueKeys?.toSorted(),
    columns: columns.map((column) => ({
      name: column.name,
      type: column.type.toLowerCase(),
      nullable: column.nullable,
    })),
  }
}

test.each([
  'create virtual table notes using fts5(title, body unindexed, tokenize = "unicode61 remove_diacritics 2", content=\'\')',
  'create virtual table if not exists "my notes" using FTS4(author text not null, "a body", tokenize=porter, notindexed=author)',
  'create virtual table places using rtree(place_id, min_x, max_x, +label text, +kind)',
  'create virtual table cells using rtree_i32(cell_id, low, high)',
  'create table pairs (a text, b int, primary key (a, b)) without rowid',
  'create table single (a text primary key, b any) without rowid, strict',
  'create table firm (a text, b integer, c real, primary key (b, a), unique (c)) strict',
  'create table firm_number (a integer primary key, b text not null) strict',
  'create table loose (a text primary key, b integer)',
  'create table loose_pair (a text, b integer, primary key (a, b))',
])('reads the same columns as SQLite: %s', async (statement) => {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-as-sqlite-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'a.db')
  const database = new DatabaseSync(path)
  database.exec(statement)
  // with the tables that a virtual one keeps its data in
  const stored = database.prepare("select sql || ';' as line from sqlite_schema where sql is not null").all()
  database.close()
  const live = await sqlite({ path })
  const tables = await live.tables({}).finally(() => live.close())
  const script = stored.map(({ line }) => String(line)).join('\n')
  const read = readSchema([{ name: 'a.sql', sql: script }], { dialect: 'sqlite' })
  expect(read.faults).toEqual([])
  expect(read.tables.map(plain)).toEqual(tables.map(plain))
  expect(read.tables).toHaveLength(1)
})

test('reads virtual tables of a SQLite dump, but not their shadow tables', () => {
  const sql = `PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE b(id integer primary key);
PRAGMA writable_schema=ON;
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','it''s','it''s',0,'CREATE VIRTUAL TABLE "it''s" using fts5(title,
  body, tokenize=''porter'')');
CREATE TABLE IF NOT EXISTS 'it''s_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO "it's_data" VALUES(1,X'0102');
frob;
CREATE TABLE c(x frob(;
COMMIT;`
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'sqlite' })
  expect(tables.map(({ columns, name }) => [name, columns.map((column) => column.name)])).toEqual([
    ['b', ['id']],
    ["it's", ['title', 'body']],
  ])
  expect(faults).toMatchObject([{ line: 10 }])
})

test('skips a SQLite module with unknown columns, with a warning', () => {
  const sql = 'create virtual table log using csv(filename="log.csv"); create table a (b int);'
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'sqlite' })
  expect(tables.map(({ name }) => name)).toEqual(['a'])
  expect(faults).toMatchObject([{ expected: 'the columns of log, which the statement does not list' }])
})
