import type { Column } from '@stagecraft/spec'
import { Client } from 'pg'
import { makeTables } from './tables.ts'

/** Makes a schema of empty tables with keys and comments, and answers its name. */
export async function fillSchema(url: string, tables: number, columns: number): Promise<string> {
  const schema = `bench_${process.pid}`
  await run(url, [
    `create schema ${schema}`,
    ...makeTables(tables, columns).flatMap(({ request, table }) =>
      createTable(`${schema}.${request.source.split('.').at(-1)}`, table.columns),
    ),
  ])
  return schema
}

function createTable(table: string, columns: readonly Column[]): readonly string[] {
  const list = columns.map(({ name, nullable, type }) => `"${name}" ${type}${nullable ? '' : ' not null'}`)
  const comments = columns.flatMap(({ comment, name }) =>
    comment === undefined ? [] : `comment on column ${table}."${name}" is ${quoteText(comment)}`,
  )
  return [`create table ${table} (${list.join(', ')}, primary key (id))`, ...comments]
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

export async function dropSchema(url: string, schema: string): Promise<void> {
  await run(url, [`drop schema ${schema} cascade`])
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
