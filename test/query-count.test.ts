import { createEngine } from '@stagecraft/core'
import { postgres } from '@stagecraft/catalogs/postgres'
import pg from 'pg'
import { expect, test } from 'vitest'
import { fillSchema } from './bench/postgres-schema.ts'
import { describeWithServer, postgresServer } from './servers.ts'

const server = await postgresServer()
const database = `stagecraft_${crypto.randomUUID().slice(0, 8)}`

async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** How many queries it takes to generate for all tables of a new schema. */
async function queriesFor(tables: number): Promise<number> {
  const url = Object.assign(new URL(server.url), { pathname: `/${database}` }).href
  await withClient(server.url, (client) => client.query(`create database ${database}`))
  try {
    const schema = await fillSchema(url, tables, 5)
    return await withClient(url, async (client) => {
      let queries = 0
      const counting = {
        query: (text: string, values?: unknown[]) => {
          queries++
          return client.query<Record<string, unknown>>(text, values)
        },
      }
      const catalog = await postgres({ client: counting })
      const { models } = await createEngine({ catalog }).generateProject({
        type: 'staging',
        sources: [`${schema}.*`],
      })
      expect(models).toHaveLength(tables)
      return queries
    })
  } finally {
    await withClient(server.url, (client) => client.query(`drop database ${database} with (force)`))
  }
}

describeWithServer('generate from PostgreSQL', server, () => {
  test('makes as many queries for 200 tables as for 2', async () => {
    expect(await queriesFor(200)).toBe(await queriesFor(2))
  })
})
