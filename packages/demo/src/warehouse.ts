import type * as DuckDB from '@duckdb/node-api'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { loadPackage, StagecraftError } from '@stagecraft/spec'
import type { Cell, RawSource, RawTable } from './raw-table.ts'
import { createSources } from './sources/sources.ts'

/** The content of one schema of the warehouse. */
interface SourceSummary {
  readonly schema: string
  /** Without views. */
  readonly tables: number
  readonly rows: number
  /** The title of the tool that fills the schema, as in the loader packs; `none` if people fill it. */
  readonly loader: string
}

export type WarehouseSummary = readonly SourceSummary[]

/** With the default of 256 KiB, tables this small would take four times the space. */
const BLOCK_BYTES = '16384'

/**
 * Creates a DuckDB file, and its folder, with the raw layer of Northlight Outfitters, an outdoor shop: six
 * systems, five of them filled by a loader each. Every build has the same rows. A build that fails leaves no
 * file.
 *
 * @throws {StagecraftError} INVALID_REQUEST if the file exists, or without the driver.
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

/** The capacity of DuckDB's vectors. */
const CHUNK_ROWS = 2048

/** Writes every row of a table as text, which the appender casts to the types of the columns. */
function appendRows(
  appender: DuckDB.DuckDBAppender,
  table: RawTable,
  { DuckDBDataChunk, VARCHAR }: typeof DuckDB,
): void {
  const columns = Object.keys(table.columns)
  const types = columns.map(() => VARCHAR)
  // Foreign keys are checked only against flushed rows, so a row cannot refer to another one in its chunk.
  const size = table.refersToItself ? 1 : CHUNK_ROWS
  for (let start = 0; start < table.rows.length; start += size) {
    const rows = table.rows.slice(start, start + size)
    const chunk = DuckDBDataChunk.create(types)
    chunk.setRows(rows.map((row) => columns.map((column) => toText(row[column] ?? null))))
    appender.appendDataChunk(chunk)
    appender.flushSync()
  }
  appender.closeSync()
}

function toText(cell: Cell): string | null {
  if (cell === null || typeof cell === 'string') return cell
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}

/** Returns the statements that create a schema with its empty tables and all declarations. */
function createStatements(source: RawSource): readonly string[] {
  return [
    `create schema ${name(source.schema)}`,
    ...Object.entries(source.enums ?? {}).map(
      ([type, values]) =>
        `create type ${name(source.schema)}.${name(type)} as enum (${values.map(text).join(', ')})`,
    ),
    ...source.tables.flatMap((table) => [createTable(table, source), ...describeTable(table, source)]),
    ...createViews(source),
  ]
}

function createTable(table: RawTable, { declaresKeys = false, schema }: RawSource): string {
  const columns = Object.entries(table.columns).map(([column, type]) => `${name(column)} ${type}`)
  const key = declaresKeys ? [`primary key (${table.key.map(name).join(', ')})`] : []
  const parts = [...columns, ...key, ...(table.constraints ?? [])]
  return `create table ${name(schema)}.${name(table.name)} (${parts.join(', ')})`
}

function describeTable(table: RawTable, { schema }: RawSource): readonly string[] {
  const path = `${name(schema)}.${name(table.name)}`
  const columns = Object.entries(table.comments ?? {})
  return [
    ...(table.comment === undefined ? [] : [`comment on table ${path} is ${text(table.comment)}`]),
    ...columns.flatMap(([column, comment]) =>
      comment === undefined ? [] : [`comment on column ${path}.${name(column)} is ${text(comment)}`],
    ),
  ]
}

function createViews({ schema, views = [] }: RawSource): readonly string[] {
  return views.flatMap((view) => {
    const path = `${name(schema)}.${name(view.name)}`
    const comment = view.comment === undefined ? [] : [`comment on view ${path} is ${text(view.comment)}`]
    return [`create view ${path} as ${view.query}`, ...comment]
  })
}

function name(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}
