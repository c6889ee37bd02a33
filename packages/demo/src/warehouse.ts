import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type * as DuckDB from '@duckdb/node-api'
import { StagecraftError, loadPackage } from '@stagecraft/spec'
import { appendRows } from './append-rows.ts'
import { createStatements } from './create-statements.ts'
import type { RawSource } from './raw-table.ts'
import { createSources } from './sources/sources.ts'

/** The content of one schema of the warehouse. */
interface SourceSummary {
  readonly schema: string
  /** Without views. */
  readonly tables: number
  readonly rows: number
  /** Title of the tool that fills the schema, as the loader packs have it; `none` when people do. */
  readonly loader: string
}

export type WarehouseSummary = readonly SourceSummary[]

/** In blocks of the usual 256 KiB, tables this small would take up four times the space. */
const BLOCK_BYTES = '16384'

/**
 * Creates a DuckDB file, and the folder for it, with the raw layer of Northlight Outfitters, an outdoor shop:
 * six systems, five of them filled by a loader each. Every build holds the same rows. A build that fails
 * leaves no file behind.
 *
 * @throws {StagecraftError} INVALID_REQUEST when the file is there already, or without the driver.
 */
export async function buildWarehouse(path: string): Promise<WarehouseSummary> {
  if (existsSync(path)) throw pathTaken(path)
  const duckdb = await loadPackage({
    packageName: '@duckdb/node-api',
    neededBy: 'the demo',
    load: () => import('@duckdb/node-api'),
  })
  const unfinished = `${path}.building`
  const sources = createSources()
  await mkdir(dirname(path), { recursive: true })
  try {
    await rm(unfinished, { force: true })
    await writeSources(sources, unfinished, duckdb)
    await rename(unfinished, path)
  } finally {
    await rm(unfinished, { force: true })
    await rm(`${unfinished}.wal`, { force: true })
  }
  return sources.map(summarize)
}

async function writeSources(
  sources: readonly RawSource[],
  path: string,
  duckdb: typeof DuckDB,
): Promise<void> {
  const instance = await duckdb.DuckDBInstance.create(path, { default_block_size: BLOCK_BYTES })
  try {
    const connection = await instance.connect()
    await connection.run('begin')
    for (const source of sources) await writeSource(source, connection, duckdb)
    await connection.run('commit')
    connection.closeSync()
  } finally {
    instance.closeSync()
  }
}

async function writeSource(
  source: RawSource,
  connection: DuckDB.DuckDBConnection,
  duckdb: typeof DuckDB,
): Promise<void> {
  for (const statement of createStatements(source)) await connection.run(statement)
  for (const table of source.tables) {
    appendRows(await connection.createAppender(table.name, source.schema), table, duckdb)
  }
}

function summarize({ loader, schema, tables }: RawSource): SourceSummary {
  const rows = tables.reduce((sum, table) => sum + table.rows.length, 0)
  return { schema, tables: tables.length, rows, loader }
}

function pathTaken(path: string): StagecraftError {
  const expected = 'a file that does not exist yet'
  return StagecraftError.invalid(
    { path: 'path', expected, received: path },
    { suggestion: 'choose another name' },
  )
}
