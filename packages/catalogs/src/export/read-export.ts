import { dirname } from 'node:path'
import {
  type Catalog,
  DIALECT_NAMES,
  type DialectName,
  EXPORTED_DIALECTS,
  type Fault,
  type TableSize,
  type Warning,
} from '@stagecraft/spec'
import { invalidInput } from '../faults.ts'
import { listCatalog } from '../list/list-catalog.ts'
import { assembleTables, keyOf, toSize } from '../warehouse/assemble-tables.ts'
import { standardTables } from '../warehouse/standard-tables.ts'
import type { Results, Row, Statement } from '../warehouse/statement.ts'
import type { SizeRow } from '../warehouse/warehouse.ts'
import { EXPORTS } from './exports.ts'
import { headersOf, STANDARD_HEADERS } from './print-export.ts'

/** The rows of one result, with headers in lower case. */
export interface ExportedFile {
  readonly path: string
  /** The name of the statement if the rows do not state it: the name of the file. */
  readonly name: string
  readonly rows: readonly Row[]
}

interface Origin {
  /** For messages. */
  readonly origin: string
  /** Default: the dialect that the rows state. */
  readonly dialect: DialectName | undefined
}

/** Returns true for rows of a printed statement. */
export function isExport([first]: readonly Row[]): boolean {
  return first !== undefined && 'record_kind' in first
}

/**
 * Opens a catalog over the results of the statements of `printExport`.
 *
 * @throws {StagecraftError} INVALID_REQUEST with every row that lacks a name or a type, by file and row.
 */
export async function exportCatalog(files: readonly ExportedFile[], options: Origin): Promise<Catalog> {
  const found = files.flatMap((file) => file.rows.map((row, index) => toRecord(row, index, file)))
  const dialect = options.dialect ?? dialectOf(found)
  const known = EXPORTED_DIALECTS.find((name) => name === dialect)
  const warehouse = known && (await EXPORTS[known]())
  const statements = warehouse?.statements({ schema: '' }) ?? []
  const kinds = [...new Set([...Object.keys(STANDARD_HEADERS), ...statements.map(({ name }) => name)])]
  const databaseOf = databasesBy(found)
  const rows = found.map((record) => ({
    ...record,
    kind: kinds.includes(record.kind) ? record.kind : kindOf(record, statements),
    database: record.database ?? databaseOf(record),
  }))
  const faults = rows.flatMap((record) => checkRecord(record, kinds))
  if (faults.length > 0) throw invalidInput(faults, options.origin)
  const toTables = warehouse?.toTables ?? standardTables
  const read = [...Map.groupBy(rows, ({ database }) => database)].map(([database, records]) => ({
    database,
    rows: toTables(resultsOf(records)),
  }))
  const tables = read.flatMap(({ database, rows: found }) =>
    assembleTables(found, { dialect: dialect ?? 'postgres', database }),
  )
  const warnings = [
    ...files.flatMap((file) => warnOfLimit(file, warehouse?.stops)),
    ...read.flatMap((one) => one.rows.warnings ?? []),
  ]
  const sizes = read.flatMap((one) => one.rows.sizes ?? [])
  const list = listCatalog(tables, { dialect, origin: options.origin, statesDatabase: true, warnings })
  return sizes.some(isKnown) ? { ...list, sizes: sizesBy(sizes) } : list
}

function warnOfLimit({ path, rows }: ExportedFile, limit: string | undefined): readonly Warning[] {
  if (limit === undefined || rows.length !== 100) return []
  const message = `${path} has exactly 100 rows, after which ${limit}: tables, columns or keys may be missing`
  return [{ code: 'CATALOG_PARTLY_READ', message }]
}

interface ExportRecord {
  readonly path: string
  /** Counted from 1, without the header. */
  readonly number: number
  readonly kind: string
  readonly database: string | undefined
  readonly row: Row
}

function toRecord(row: Row, index: number, { name, path }: ExportedFile): ExportRecord {
  const database = row['table_catalog'] ?? row['database_name'] ?? row['fk_database_name']
  return {
    path,
    number: index + 1,
    kind: textOf(row['record_kind']) ?? name,
    database: textOf(database),
    row,
  }
}

function dialectOf(records: readonly ExportRecord[]): DialectName | undefined {
  const named = records.flatMap(({ row }) => textOf(row['source_dialect']) ?? [])
  return DIALECT_NAMES.find((name) => name === named[0])
}

/**
 * Returns the database of rows that do not state it, because not every statement can: the only one that other rows
 * in the same folder state.
 */
function databasesBy(records: readonly ExportRecord[]): (record: ExportRecord) => string | undefined {
  const folders = Map.groupBy(records, ({ path }) => dirname(path))
  const named = new Map(
    [...folders].map(([folder, found]) => [folder, new Set(found.flatMap(({ database }) => database ?? []))]),
  )
  return ({ path }) => {
    const [only, ...others] = named.get(dirname(path)) ?? []
    return others.length === 0 ? only : undefined
  }
}

/** Returns the statement with the headers of a row, if a file has the results of several statements. */
function kindOf({ kind, row }: ExportRecord, statements: readonly Statement[]): string {
  const headers = Object.keys(row).join()
  return statements.find((statement) => headersOf(statement).join() === headers)?.name ?? kind
}

/** The headers that every row needs. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  tables: ['table_name'],
  columns: ['table_name', 'column_name', 'data_type'],
  keys: ['table_name', 'column_name', 'constraint_type'],
  checks: ['table_name', 'definition'],
}

function checkRecord({ kind, number, path, row }: ExportRecord, kinds: readonly string[]): readonly Fault[] {
  const place = `${path}, row ${number}`
  if (!kinds.includes(kind))
    return [{ path: place, expected: `a result called ${kinds.join(' or ')}`, received: `"${kind}"` }]
  const missing = (REQUIRED[kind] ?? []).filter((header) => textOf(row[header]) === undefined)
  return missing.map((header) => ({ path: `${place}, ${header}`, expected: 'text', received: 'nothing' }))
}

function resultsOf(records: readonly ExportRecord[]): Results {
  const groups = Map.groupBy(records, ({ kind }) => kind)
  return Object.fromEntries([...groups].map(([kind, found]) => [kind, found.map(({ row }) => row)]))
}

function textOf(cell: unknown): string | undefined {
  return typeof cell === 'string' && cell !== '' ? cell : undefined
}

function isKnown({ bytes, rows }: SizeRow): boolean {
  return rows !== undefined || bytes !== undefined
}

function sizesBy(rows: readonly SizeRow[]): NonNullable<Catalog['sizes']> {
  const known = new Map(rows.map((row) => [keyOf(row), toSize(row)]))
  return async (tables) =>
    tables.map(({ name, schema = '' }): TableSize => known.get(keyOf({ schema, table: name })) ?? {})
}
