import { readdir, stat } from 'node:fs/promises'
import { StagecraftError } from '@stagecraft/spec'
import { assertPlainPath } from '../files/assert-plain-path.ts'
import { fileFailed, unreadable } from '../files/file-failed.ts'
import { fileVersion } from '../files/file-version.ts'
import { quoteText } from '../sql/texts.ts'
import type { Session, SizeRow, TableRows, Warehouse } from '../warehouse/warehouse.ts'
import { openInstance } from './instance.ts'
import type { Query } from './session.ts'

const SCHEMA = 'main'

/** The reader of a file, by the ending of its name; the rest of the name is that of the table. */
const READERS: Readonly<Record<string, string>> = {
  '.parquet': 'read_parquet',
  '.csv': 'read_csv',
  '.csv.gz': 'read_csv',
}

interface DataFile {
  readonly path: string
  readonly table: string
  /** The expression that reads it. */
  readonly location: string
}

/**
 * Opens the parquet and csv files of a folder, without subfolders, through a DuckDB in memory. A file is
 * opened only if its table is requested.
 */
export async function dataFolder(folder: string): Promise<Warehouse> {
  const files = await listFiles(folder)
  const instance = await openInstance(folder, 'memory')
  return {
    dialect: 'duckdb',
    withSession: (work) =>
      instance.withConnection((query, cancel) => work(folderSession(files, query, cancel))),
    close: async () => instance.close(),
  }
}

async function listFiles(folder: string): Promise<readonly DataFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw fileFailed(error, folder)
  })
  const files = entries.flatMap((entry) => (entry.isDirectory() ? [] : toDataFile(folder, entry.name)))
  if (files.length === 0) throw unreadable(folder, `no file in it ends in ${Object.keys(READERS).join(', ')}`)
  for (const { path } of files) await assertPlainPath(path)
  const twin = files.find(({ table }, index) => files.findIndex((other) => other.table === table) < index)
  if (!twin) return files
  const expected = `one file for the table ${twin.table}`
  throw StagecraftError.invalid(
    { path: folder, expected, received: 'several' },
    { suggestion: 'rename or move one' },
  )
}

function toDataFile(folder: string, name: string): readonly DataFile[] {
  const ending = Object.keys(READERS).find(
    (end) => name.toLowerCase().endsWith(end) && name.length > end.length,
  )
  if (ending === undefined) return []
  const path = `${folder.replace(/\/+$/, '')}/${name}`
  // DuckDB reads paths as patterns: brackets escape a character
  const pattern = path.replace(/[*?[]/g, '[$&]')
  const location = `${READERS[ending]}(${quoteText(pattern)})`
  return [{ path, table: name.slice(0, -ending.length), location }]
}

function folderSession(files: readonly DataFile[], query: Query, cancel: () => Promise<void>): Session {
  return {
    place: async () => ({
      database: undefined,
      defaultSchema: SCHEMA,
      schemas: [{ name: SCHEMA, isSystem: false }],
    }),
    names: async () => files.map(({ table }) => ({ schema: SCHEMA, table })),
    read: ({ tables }) =>
      describeFiles(tables ? files.filter(({ table }) => tables.includes(table)) : files, query),
    query: (statement) => query(statement),
    sizes: async ({ tables }) => sizesOf(files.filter(({ table }) => tables.includes(table))),
    cancel,
  }
}

/** Returns the sizes of files. Their rows are not counted. */
async function sizesOf(files: readonly DataFile[]): Promise<readonly SizeRow[]> {
  return Promise.all(
    files.map(async ({ path, table }) => {
      const version = await fileVersion(path)
      const bytes = version === undefined ? undefined : (await stat(path)).size
      return { schema: SCHEMA, table, bytes, version }
    }),
  )
}

interface FileColumn {
  readonly table: string
  readonly name: string
  readonly type: string
}

/** Reads the columns with one query for all files. If it fails, it queries each file to find the faulty one. */
async function readColumns(files: readonly DataFile[], query: Query): Promise<readonly FileColumn[]> {
  try {
    return await query<FileColumn>(files.map(describeSql).join(' union all '))
  } catch (error) {
    for (const file of files) {
      await query(describeSql(file)).catch((cause: unknown) => {
        throw unreadable(
          file.path,
          cause instanceof StagecraftError ? String(cause.details?.['reason']) : '',
          cause,
        )
      })
    }
    throw error
  }
}

function describeSql({ location, table }: DataFile): string {
  return `select ${quoteText(table)} as "table", column_name as "name", column_type as "type"
    from (describe select * from ${location})`
}

async function describeFiles(files: readonly DataFile[], query: Query): Promise<TableRows> {
  const columns = await readColumns(files, query)
  return {
    tables: files.map(({ location, table }) => ({ schema: SCHEMA, table, kind: 'external', location })),
    columns: columns.map((column) => ({ ...column, schema: SCHEMA, nullable: true })),
    keys: [],
    foreignKeys: [],
    checks: [],
  }
}
