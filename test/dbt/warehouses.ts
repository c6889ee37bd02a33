import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openCatalog } from '@stagecraft/catalogs'
import type { CatalogTable, Config } from '@stagecraft/spec'
import { DuckDBInstance } from '@duckdb/node-api'
import { Client } from 'pg'
import { buildWarehouse } from '@stagecraft/demo'
import { awfulStatements } from './awful.ts'
import { copyToPostgres } from './copy-to-postgres.ts'
import type { Target } from './dbt.ts'
import { declareKeys, truthStatements, withTruth } from './truth.ts'

/** A raw warehouse: how to build it in each engine. */
export interface Warehouse {
  readonly name: string
  readonly config?: Config
  inDuckDb(path: string): Promise<void>
  inPostgres(client: Client, folder: string): Promise<void>
}

async function runInDuckDb(path: string, statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  try {
    for (const statement of statements) await connection.run(statement)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

async function readAll(path: string): Promise<readonly CatalogTable[]> {
  const catalog = await openCatalog(`duckdb:${path}`)
  try {
    return (await catalog.tables({})).filter(({ kind }) => kind !== 'view')
  } finally {
    await catalog.close()
  }
}

/** The warehouse of the demo. */
export const demo: Warehouse = {
  name: 'demo',
  inDuckDb: async (path) => {
    await buildWarehouse(path)
  },
  inPostgres: async (client, folder) => {
    const path = join(folder, 'raw.duckdb')
    await buildWarehouse(path)
    await copyToPostgres(path, await readAll(path), client)
  },
}

export const WAREHOUSES: readonly Warehouse[] = [
  demo,
  {
    name: 'awful names',
    inDuckDb: (path) => runInDuckDb(path, awfulStatements('duckdb')),
    inPostgres: async (client) => {
      for (const statement of awfulStatements('postgres')) await client.query(statement)
    },
  },
  {
    name: 'seven databases',
    config: {
      sources: {
        shopify: {
          // Rows that live on point to deleted ones: a warning where they are left out.
          options: { deletedRows: 'flag' },
          tables: {
            // The data at hand keeps no key of these two.
            inventory_level: { options: { addTests: false } },
            inventory_quantity: { options: { addTests: false } },
          },
        },
      },
    },
    inDuckDb: async (path) => {
      await runInDuckDb(path, truthStatements())
      await runInDuckDb(path, declareKeys(await readAll(path)))
    },
    inPostgres: async (client, folder) => {
      const path = join(folder, 'raw.duckdb')
      await runInDuckDb(path, truthStatements())
      await copyToPostgres(path, withTruth(await readAll(path)), client)
    },
  },
]

/** The seven databases without any declared key, so that names decide. */
export const undeclared: Warehouse = {
  name: 'seven databases without keys',
  inDuckDb: (path) => runInDuckDb(path, truthStatements()),
  inPostgres: async (client, folder) => {
    const path = join(folder, 'raw.duckdb')
    await runInDuckDb(path, truthStatements())
    await copyToPostgres(path, await readAll(path), client)
  },
}

/** A built warehouse that a dbt may write to. */
export interface Place {
  /** The string that opens it as a catalog. */
  readonly catalog: string
  readonly target: Target
  /** Removes what a dbt built. */
  reset(): Promise<void>
  drop(): Promise<void>
}

/** Builds a warehouse in a DuckDB file of its own. */
export async function buildInDuckDb(warehouse: Warehouse, folder: string): Promise<Place> {
  const path = join(folder, 'warehouse.duckdb')
  await warehouse.inDuckDb(path)
  return duckDbPlace(path)
}

function duckDbPlace(path: string): Place {
  return {
    catalog: `duckdb:${path}`,
    target: { type: 'duckdb', path, schema: 'analytics' },
    reset: () => Promise.resolve(),
    drop: () => Promise.resolve(),
  }
}

/** A copy that another dbt may write to. */
export async function copyOfDuckDb({ target }: Place, folder: string): Promise<Place> {
  const path = join(folder, 'warehouse.duckdb')
  await copyFile(String(target['path']), path)
  return duckDbPlace(path)
}

/** Builds a warehouse in a PostgreSQL database of its own. */
export async function buildInPostgres(warehouse: Warehouse, folder: string, server: string): Promise<Place> {
  const database = `stagecraft_${warehouse.name.replace(/\W/g, '_')}_${process.pid}`
  await administer(`create database ${database}`, server)
  const url = new URL(server)
  url.pathname = `/${database}`
  const drop = (): Promise<void> => administer(`drop database if exists ${database} with (force)`, server)
  const client = new Client({ connectionString: url.href })
  await client.connect()
  try {
    await warehouse.inPostgres(client, folder)
  } catch (error) {
    await drop()
    throw error
  } finally {
    await client.end()
  }
  return {
    catalog: url.href,
    target: {
      type: 'postgres',
      host: url.hostname,
      port: Number(url.port || 5432),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password) || 'none',
      dbname: database,
      schema: 'analytics',
    },
    reset: () => administer('drop schema if exists analytics cascade', url.href),
    drop,
  }
}

async function administer(statement: string, connectionString: string): Promise<void> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
