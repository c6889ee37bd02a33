import { readdirSync, readFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { Client } from 'pg'
import { repositoryPath } from '../paths.ts'
import { postgresUrl } from '../servers.ts'

/** Runs statements in a DuckDB file, one after the other. */
export async function inDuckDb(path: string, statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  try {
    for (const statement of statements) await connection.run(statement)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
