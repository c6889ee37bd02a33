import { DIALECTS } from '@stagecraft/core'
import type { CatalogTable, Column, ColumnValue } from '@stagecraft/spec'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Client } from 'pg'
import { quoteIdentifier } from '../../packages/core/src/sql/identifiers.ts'
import { parseType } from '../../packages/core/src/sql/types.ts'

const quote = (name: string): string => quoteIdentifier(name, DIALECTS.postgres)
const literal = (text: ColumnValue): string =>
  typeof text === 'string' ? `'${text.replaceAll("'", "''")}'` : String(text)

/** Rows that go to PostgreSQL in one statement. */
const BATCH = 2000

/** Copies tables of a DuckDB file into a PostgreSQL database, with their keys, lists of values and comments. */
export async function copyToPostgres(
  path: string,
  tables: readonly CatalogTable[],
  client: Client,
): Promise<void> {
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  try {
    for (const schema of new Set(tables.map((table) => table.schema ?? '')))
      await client.query(`create schema if not exists ${quote(schema)}`)
    for (const table of tables) {
      await client.query(createTable(table))
      const reader = await connection.runAndReadAll(`select ${rowAsJson(table)} from ${nameOf(table)}`)
      const rows = reader.getRows().map(([row]) => String(row))
      for (let start = 0; start < rows.length; start += BATCH)
        await insert(table, rows.slice(start, start + BATCH), client)
    }
    for (const table of tables) for (const statement of constraints(table)) await client.query(statement)
    for (const table of tables) for (const statement of comments(table)) await client.query(statement)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

function nameOf({ name, schema }: CatalogTable): string {
  return `${quote(schema ?? 'public')}.${quote(name)}`
}

function createTable(table: CatalogTable): string {
  const columns = table.columns.map((column) => {
    const check = column.values
      ? ` check (${quote(column.name)} in (${column.values.map(literal).join(', ')}))`
      : ''
    return `${quote(column.name)} ${postgresType(column)}${column.nullable === false ? ' not null' : ''}${check}`
  })
  return `create table ${nameOf(table)} (${columns.join(', ')})`
}

const TYPES: Readonly<Record<string, string>> = {
  tinyint: 'smallint',
  utinyint: 'smallint',
  usmallint: 'integer',
  uinteger: 'bigint',
  ubigint: 'numeric(20, 0)',
  hugeint: 'numeric(38, 0)',
  double: 'double precision',
  float: 'real',
  varchar: 'text',
  enum: 'text',
  blob: 'bytea',
}

function postgresType({ type }: Column): string {
  const { base, family, text } = parseType(type, DIALECTS.duckdb)
  if (family === 'json' || family === 'struct' || family === 'map' || family === 'array') return 'jsonb'
  return TYPES[base] ?? text
}

/** A row as JSON that PostgreSQL reads back: bytes as hexadecimal digits. */
function rowAsJson({ columns }: CatalogTable): string {
  const members = columns.map(({ name, type }) => {
    const value =
      parseType(type, DIALECTS.duckdb).family === 'binary' ? `'\\x' || hex(${quote(name)})` : quote(name)
    return `${literal(name)}, ${value}`
  })
  return `json_object(${members.join(', ')})`
}

async function insert(table: CatalogTable, rows: readonly string[], client: Client): Promise<void> {
  const name = nameOf(table)
  await client.query(`insert into ${name} select * from json_populate_recordset(null::${name}, $1::json)`, [
    `[${rows.join(',')}]`,
  ])
}

function constraints(table: CatalogTable): readonly string[] {
  const alter = `alter table ${nameOf(table)} add`
  const list = (columns: readonly string[]): string => `(${columns.map(quote).join(', ')})`
  return [
    ...(table.primaryKey ? [`${alter} primary key ${list(table.primaryKey)}`] : []),
    ...(table.uniqueKeys ?? []).map((key) => `${alter} unique ${list(key)}`),
  ]
}

/** Foreign keys come last, because the keys that they point to have to be there. */
function foreignKeyStatements(table: CatalogTable): readonly string[] {
  const list = (columns: readonly string[]): string => `(${columns.map(quote).join(', ')})`
  return (table.foreignKeys ?? []).map(({ columns, references }) => {
    const parent = `${quote(references.table.schema ?? table.schema ?? '')}.${quote(references.table.name)}`
    return `alter table ${nameOf(table)} add foreign key ${list(columns)} references ${parent} ${list(references.columns)}`
  })
}

function comments(table: CatalogTable): readonly string[] {
  return [
    ...foreignKeyStatements(table),
    ...(table.comment === undefined
      ? []
      : [`comment on table ${nameOf(table)} is ${literal(table.comment)}`]),
    ...table.columns.flatMap(({ comment, name }) =>
      comment === undefined
        ? []
        : [`comment on column ${nameOf(table)}.${quote(name)} is ${literal(comment)}`],
    ),
  ]
}
