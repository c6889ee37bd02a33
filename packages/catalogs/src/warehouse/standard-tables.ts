import type { ColumnValue, Warning } from '@stagecraft/spec'
import {
  type ForeignKeyColumnRow,
  groupForeignKeys,
  groupKeys,
  type KeyColumnRow,
} from './assemble-tables.ts'
import type { Results, Row } from './statement.ts'
import { storageOf } from './storage.ts'
import type { CheckRow, ColumnRow, SizeRow, TableRow, TableRows } from './warehouse.ts'

/**
 * Converts rows with the standard headers, which `docs/reference/columns-file.md` lists. Headers may be in
 * any case, and cells may be text, as in a CSV file. Skips temporary relations of dbt.
 */
export function standardTables({ checks = [], columns = [], keys = [], tables = [] }: Results): TableRows {
  const tableCells = tables.map(cellsOf)
  const columnCells = columns.map(cellsOf).toSorted((a, b) => positionOf(a) - positionOf(b))
  const keyCells = keys.map(cellsOf).toSorted((a, b) => positionOf(a) - positionOf(b))
  const byTable = Map.groupBy(columnCells, keyOf)
  const withStorage = (cells: Cells): TableRow => {
    const storage = storageOf(cells, byTable.get(keyOf(cells)) ?? [])
    return { ...toTableRow(cells), ...(storage && { storage }) }
  }
  const found = [...tableCells, ...impliedTables(tableCells, columnCells)].map(withStorage)
  const kept = found.filter(({ table }) => !isTemporary(table))
  const isForeign = (cells: Cells): boolean => /^foreign/i.test(cells('constraint_type') ?? '')
  return {
    tables: kept,
    columns: columnCells.map(toColumnRow),
    keys: groupKeys(keyCells.filter((cells) => !isForeign(cells)).flatMap(toKeyColumn)),
    foreignKeys: groupForeignKeys(keyCells.filter(isForeign).map(toForeignKeyColumn)),
    checks: checks.map(cellsOf).map(toCheckRow),
    sizes: tableCells.map(toSizeRow),
    warnings: temporaryWarnings(found.length - kept.length),
  }
}

/** Returns a cell by its header in lower case, as text; undefined if it is missing, null or empty. */
type Cells = (header: string) => string | undefined

function cellsOf(row: Row): Cells {
  const cells = new Map(Object.entries(row).map(([header, cell]) => [header.toLowerCase(), cell]))
  return (header) => textOf(cells.get(header))
}

function textOf(cell: unknown): string | undefined {
  if (cell === null || cell === undefined || cell === '') return undefined
  if (typeof cell === 'string') return cell
  if (cell instanceof Date) return cell.toISOString()
  return typeof cell === 'bigint' ? cell.toString() : JSON.stringify(cell)
}

function placeOf(cells: Cells): { readonly schema: string; readonly table: string } {
  return { schema: cells('table_schema') ?? '', table: cells('table_name') ?? '' }
}

function toTableRow(cells: Cells): TableRow {
  const type = cells('table_type') ?? ''
  const kind = /view/i.test(type) ? 'view' : /external|foreign/i.test(type) ? 'external' : 'table'
  return { ...placeOf(cells), kind, comment: cells('table_comment') ?? null }
}

/** Returns a row for each table that has only columns, because a result may be just a list of columns. */
function impliedTables(tables: readonly Cells[], columns: readonly Cells[]): readonly Cells[] {
  const known = new Set(tables.map(keyOf))
  const missing = new Map(columns.map((cells) => [keyOf(cells), cells] as const))
  return [...missing].flatMap(([name, cells]) => (known.has(name) ? [] : [cells]))
}

function keyOf(cells: Cells): string {
  return JSON.stringify(placeOf(cells))
}

function toColumnRow(cells: Cells): ColumnRow {
  return {
    ...placeOf(cells),
    name: cells('column_name') ?? '',
    type: cells('data_type') ?? '',
    nullable: !/^(?:no|n|false|f|0)$/i.test(cells('is_nullable') ?? ''),
    comment: cells('column_comment') ?? null,
    default: cells('column_default') ?? null,
    hidden: /^(?:yes|y|true|t|1)$/i.test(cells('is_hidden') ?? ''),
    values: readValues(cells('allowed_values')),
  }
}

/** Reads the labels of an enum type from a JSON list. */
export function readValues(text: string | undefined): readonly ColumnValue[] | undefined {
  if (text === undefined) return undefined
  const list = parseJson(text)
  return Array.isArray(list) && list.length > 0 && list.every(isValue) ? list : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isValue(value: unknown): value is ColumnValue {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function toCheckRow(cells: Cells): CheckRow {
  return { ...placeOf(cells), expression: cells('definition') ?? '', column: cells('column_name') ?? null }
}

function toKeyColumn(cells: Cells): readonly KeyColumnRow[] {
  const type = cells('constraint_type') ?? ''
  const kind = /^primary/i.test(type) ? 'primary' : /^unique/i.test(type) ? 'unique' : undefined
  const column = cells('column_name') ?? null
  return kind ? [{ ...placeOf(cells), key: cells('constraint_name') ?? kind, kind, column }] : []
}

function toForeignKeyColumn(cells: Cells): ForeignKeyColumnRow {
  const place = placeOf(cells)
  return {
    ...place,
    key: cells('constraint_name') ?? '',
    column: cells('column_name') ?? '',
    toSchema: cells('referenced_schema') ?? place.schema,
    toTable: cells('referenced_table') ?? '',
    toColumn: cells('referenced_column') ?? null,
  }
}

function toSizeRow(cells: Cells): SizeRow {
  return {
    ...placeOf(cells),
    rows: cells('row_count'),
    bytes: cells('byte_count'),
    version: cells('last_changed'),
    changedAt: cells('changed_at') ?? cells('last_changed'),
  }
}

/** Returns the position of a row; rows without a position keep their order. */
function positionOf(cells: Cells): number {
  return Number(cells('ordinal_position') ?? 0)
}

/** Returns true for relations that dbt creates only for the time of a run. */
function isTemporary(table: string): boolean {
  return /__dbt_(?:tmp|backup)\w*$/i.test(table)
}

function temporaryWarnings(skipped: number): readonly Warning[] {
  if (skipped === 0) return []
  const subject =
    skipped === 1 ? 'one temporary table of a dbt run was' : `${skipped} temporary tables of a dbt run were`
  return [{ code: 'CATALOG_PARTLY_READ', message: `${subject} skipped: __dbt_tmp, __dbt_backup` }]
}
