import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'

/** A database of its own on a PostgreSQL, for the tests of a group to read and to change. */
export interface TestWarehouse {
  /** With a password in it, which the server does not ask for. */
  readonly catalog: string
  query(text: string): Promise<void>
}

export const PASSWORD = 'canary-hunter2'

/** Made before the tests of the group, dropped after them. */
export function testWarehouse(serverUrl: string, script: string): TestWarehouse {
  const name = `warehouse_${randomBytes(6).toString('hex')}`
  const url = new URL(serverUrl)
  url.pathname = name
  url.password = PASSWORD
  const run = async (connectionString: string, texts: readonly string[]): Promise<void> => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    for (const text of texts) await client.query(text)
    await client.end()
  }
  beforeAll(async () => {
    await run(serverUrl, [`create database ${name}`])
    await run(url.href, [script])
  })
  afterAll(() => run(serverUrl, [`drop database ${name} with (force)`]))
  return { catalog: url.href, query: (text) => run(url.href, [text]) }
}
