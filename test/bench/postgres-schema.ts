import { Client } from 'pg'

const TYPES = ['bigint', 'text', 'numeric(18,2)', 'timestamptz', 'boolean']

/** Makes a schema of empty tables with keys and comments, and answers its name. */
export async function fillSchema(url: string, tables: number, columns: number): Promise<string> {
  const schema = `bench_${process.pid}`
  await run(url, [
    `create schema ${schema}`,
    ...Array.from({ length: tables }, (_, table) => {
      const list = Array.from(
        { length: columns - 1 },
        (_unused, index) => `column_${index} ${TYPES[index % 5]}`,
      )
      return `create table ${schema}.table_${table} (id bigint primary key, ${list.join(', ')})`
    }),
  ])
  return schema
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
