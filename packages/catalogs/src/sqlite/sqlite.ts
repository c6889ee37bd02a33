import { type Catalog, type SizesOptions, StagecraftError } from '@stagecraft/spec'
import { stat } from 'node:fs/promises'
import type * as Sqlite from 'node:sqlite'
import { readDeclaredValues } from '../ddl/statements.ts'
import { fileFailed, unreadable } from '../files/file-failed.ts'
import { fileVersion } from '../files/file-version.ts'
import { findName } from '../find-table.ts'
import { connectionFailed } from '../network/connection-failed.ts'
import { type ValueList, mergeValues } from '../sql/value-list.ts'
import {
  type ForeignKeyColumnRow,
  type KeyColumnRow,
  groupForeignKeys,
  groupKeys,
} from '../warehouse/assemble-tables.ts'
import { openWarehouse } from '../warehouse/warehouse-catalog.ts'
import type {
  ColumnRow,
  Scope,
  Session,
  SizeRow,
  TablePlace,
  TableRow,
  TableRows,
  Warehouse,
} from '../warehouse/warehouse.ts'
import * as sql from './queries.ts'

/**
 * Loads Node's own SQLite. Suppresses the warning of some versions that it is experimental, because the user
 * chose to open a SQLite file. All other warnings remain.
 *
 * @throws {StagecraftError} INVALID_REQUEST if this version of Node has no SQLite.
 */
export function loadSqlite(): typeof Sqlite {
  const original = Reflect.get(process, 'emitWarning') as (...parameters: readonly unknown[]) => void
  const withoutExpected = (...parameters: readonly unknown[]): void => {
    const [warning] = parameters
    const isExpected = String(warning).includes('SQLite') && parameters.includes('ExperimentalWarning')
    if (!isExpected) Reflect.apply(original, process, parameters)
  }
  Reflect.set(process, 'emitWarning', withoutExpected)
  try {
    const sqlite = process.getBuiltinModule('node:sqlite') as typeof Sqlite | undefined
    if (sqlite) return sqlite
  } finally {
    Reflect.set(process, 'emitWarning', original)
  }
  const suggestion = 'use Node 22.18 or newer'
  throw new StagecraftError(
    'INVALID_REQUEST',
    `this Node (${process.version}) has no SQLite; ${suggestion}`,
    {
      details: { suggestion },
    },
  )
}

/** Runs one query, for the named tables or for all, and returns its rows. */
type Query = (text: string, tables?: readonly string[]) => readonly unknown[]

interface RawTable extends TablePlace {
  readonly kind: 'table' | 'view'
  readonly sql: string | null
}

interface RawColumn extends TablePlace {
  readonly name: string
  readonly type: string
  readonly nullable: number
  readonly default: string | null
}

/** Creates a session with SQLite; `version` returns a different text after every change of the database. */
function sqliteSession(query: Query, version?: () => Promise<string | undefined>): Session {
  return {
    place: async () => {
      query(sql.PLACE)
      return { database: undefined, defaultSchema: 'main', schemas: [{ name: 'main', isSystem: false }] }
    },
    names: async () => query(sql.NAMES) as readonly TablePlace[],
    read: async ({ tables }) => readTables(query, tables),
    query: async (statement) => query(statement) as readonly Readonly<Record<string, unknown>>[],
    sizes: async ({ tables }, options) =>
      readSizes(query, tables, { ...options, version: await version?.() }),
  }
}

function readSizes(
  query: Query,
  wanted: readonly string[],
  { bytes = false, version }: SizesOptions & { readonly version: string | undefined },
): readonly SizeRow[] {
  const numbered = new Set((query(sql.NUMBERED, wanted) as readonly TablePlace[]).map(({ table }) => table))
  const sizes = bytes ? (query(sql.BYTES, wanted) as readonly SizeRow[]) : []
  return wanted.map((table) => ({
    schema: 'main',
    table,
    mostRows: numbered.has(table) ? lastNumber(query, table) : undefined,
    bytes: sizes.find((size) => size.table === table)?.bytes,
    version,
  }))
}

function lastNumber(query: Query, table: string): number | undefined {
  try {
    const [ends] = query(
      `select min(rowid) as "first", max(rowid) as "last" from "${table.replaceAll('"', '""')}"`,
    ) as readonly { readonly first: number | null; readonly last: number | null }[]
    return ends?.last === undefined || ends.last === null || ends.first === null
      ? 0
      : ends.last - ends.first + 1
  } catch {
    return undefined // columns of the table may use all three names of the rowid
  }
}

function readTables(query: Query, wanted: Scope['tables']): TableRows {
  const tables = query(sql.TABLES, wanted) as readonly RawTable[]
  const columns = [
    ...(query(sql.columns('table'), wanted) as readonly RawColumn[]),
    ...readViews(query, tables, wanted),
  ]
  const values = new Map(
    tables.map(({ sql: text, table }) => [table, readDeclaredValues(text ?? '', 'sqlite')]),
  )
  const names = Map.groupBy(columns, ({ table }) => table)
  return {
    tables: tables.map(toTableRow),
    columns: columns.map((row) => {
      const siblings = names.get(row.table)?.map(({ name }) => name) ?? []
      return toColumnRow(
        row,
        values.get(row.table)?.filter(({ column }) => findName(column, siblings) === row.name),
      )
    }),
    keys: groupKeys([
      ...(query(sql.PRIMARY_KEYS, wanted) as readonly KeyColumnRow[]),
      ...(query(sql.UNIQUE_KEYS, wanted) as readonly KeyColumnRow[]),
    ]),
    foreignKeys: groupForeignKeys(query(sql.FOREIGN_KEYS, wanted) as readonly ForeignKeyColumnRow[]),
    checks: [],
  }
}

/**
 * Reads the columns of views. A view on missing tables makes the query for all views fail; then each view is
 * read separately, and broken ones have no columns. This is cheap, because queries run in this process.
 */
function readViews(query: Query, tables: readonly RawTable[], wanted: Scope['tables']): readonly RawColumn[] {
  const read = (names: Scope['tables']): readonly RawColumn[] =>
    query(sql.columns('view'), names) as readonly RawColumn[]
  try {
    return read(wanted)
  } catch {
    const views = tables.filter(({ kind }) => kind === 'view')
    return views.flatMap(({ table }) => {
      try {
        return read([table])
      } catch {
        return []
      }
    })
  }
}

function toTableRow({ kind, schema, table }: RawTable): TableRow {
  return { schema, table, kind }
}

/** Converts a column. A column without a type accepts values of any type. */
function toColumnRow(row: RawColumn, lists: readonly ValueList[] = []): ColumnRow {
  return {
    ...row,
    type: row.type || 'any',
    nullable: row.nullable === 1,
    values: mergeValues(lists.map(({ values }) => values)) ?? null,
  }
}

/** The parts of a client that the catalog uses. `DatabaseSync` of node:sqlite and better-sqlite3 have them. */
export interface SqliteClient {
  prepare(sql: string): { all(parameters: Record<string, string | null>): unknown[] }
}

export type SqliteOptions =
  | {
      /** A database file. */
      readonly path: string
      /** Cancels opening, which then throws the signal's reason. */
      readonly signal?: AbortSignal | undefined
    }
  | {
      /** The caller's database; the caller closes it. */
      readonly client: SqliteClient
      readonly signal?: AbortSignal | undefined
    }

/**
 * Opens the catalog of a SQLite file for reading only, with Node's own SQLite.
 *
 * @throws {StagecraftError} CONNECTION_FAILED for a file that cannot be read or is not a SQLite database.
 */
export async function sqlite(options: SqliteOptions): Promise<Catalog> {
  const warehouse = 'client' in options ? givenClient(options.client) : await databaseFile(options.path)
  return openWarehouse(warehouse, options.signal)
}

function givenClient(client: SqliteClient): Warehouse {
  const session = sqliteSession(queryOf(client, (error) => connectionFailed(error, { engine: 'SQLite' })))
  return { dialect: 'sqlite', withSession: (work) => work(session), close: async () => {} }
}

async function databaseFile(path: string): Promise<Warehouse> {
  const { DatabaseSync } = loadSqlite()
  const failed = (error: unknown): Error => fileFailed(error, path)
  const entry = await stat(path).catch((error: unknown) => {
    throw failed(error)
  })
  if (entry.isDirectory()) throw unreadable(path, 'it is a folder')
  const database = openFile(() => new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS }), failed)
  const session = sqliteSession(queryOf(database, failed), () => fileVersion(path, `${path}-wal`))
  return {
    dialect: 'sqlite',
    withSession: (work) => work(session),
    close: async () => {
      if (database.isOpen) database.close()
    },
  }
}

/** The time to wait for a writer that has locked the file; this blocks the process. */
const BUSY_MS = 2000

function openFile<Database>(open: () => Database, failed: (error: unknown) => Error): Database {
  try {
    return open()
  } catch (error) {
    throw failed(error)
  }
}

function queryOf(client: SqliteClient, failed: (error: unknown) => Error): Query {
  return (sql, tables) => {
    try {
      const parameters = sql.includes(':tables') ? { tables: tables ? JSON.stringify(tables) : null } : {}
      return client.prepare(sql).all(parameters)
    } catch (error) {
      throw failed(error)
    }
  }
}
