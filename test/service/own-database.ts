import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** A database of its own on a PostgreSQL, until it is dropped. */
export interface OwnDatabase {
  readonly url: string
  drop(): Promise<void>
}

export async function createDatabase(serverUrl: string): Promise<OwnDatabase> {
  const name = `stagecraft_${randomBytes(6).toString('hex')}`
  await query(serverUrl, `create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => query(serverUrl, `drop database if exists ${name} with (force)`) }
}

async function query(serverUrl: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
