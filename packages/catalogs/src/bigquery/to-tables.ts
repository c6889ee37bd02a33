import { resolveEscapes } from '../sql/texts.ts'
import { standardTables } from '../warehouse/standard-tables.ts'
import type { Results, Row } from '../warehouse/statement.ts'
import type { TableRows } from '../warehouse/warehouse.ts'

const SHARD = /_(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/

/** Returns the name of a table, or of all its shards: `events_20260131` is part of `events_*`. */
export function foldShard(table: string): string {
  return table.replace(SHARD, '_*')
}

/**
 * Reads tables of BigQuery. Daily shards are one table, with the columns of the newest and the rows of all.
 * Fields of structs are part of the type of their column. A view stores no rows, so it has no size.
 */
export function toTables({ columns = [], keys = [], storage = [], tables = [] }: Results): TableRows {
  const sizes = Map.groupBy(storage, placeOf)
  const sizeOf = (place: string, type: unknown): Row =>
    /^view$/i.test(String(type)) ? {} : sumOf(sizes.get(place) ?? [])
  return standardTables({
    tables: [...Map.groupBy(tables, placeOf)].map(([place, shards]) => {
      const table = newest(shards)
      return { ...table, ...sizeOf(place, table['table_type']) }
    }),
    columns: newestColumns(columns.filter(isWholeColumn)).map(toColumn),
    keys: newestColumns(keys).map(folded),
  })
}

function placeOf(row: Row): string {
  return JSON.stringify([row['table_schema'], foldShard(String(row['table_name']))])
}

function newest(shards: readonly Row[]): Row {
  const last = shards.toSorted(byTable).at(-1) ?? {}
  return folded({ ...last, table_comment: readLiteral(last['table_comment']) })
}

/** Returns the rows of the newest shard of each table, because warehouses and files may list all shards. */
function newestColumns(rows: readonly Row[]): readonly Row[] {
  return [...Map.groupBy(rows, placeOf).values()].flatMap((all) => {
    const name = all.toSorted(byTable).at(-1)?.['table_name']
    return all.filter((row) => row['table_name'] === name)
  })
}

function byTable(a: Row, b: Row): number {
  return String(a['table_name']) < String(b['table_name']) ? -1 : 1
}

function folded(row: Row): Row {
  const fold = (name: unknown): unknown => (typeof name === 'string' ? foldShard(name) : name)
  return { ...row, table_name: fold(row['table_name']), referenced_table: fold(row['referenced_table']) }
}

function sumOf(rows: readonly Row[]): Row {
  if (rows.length === 0) return {}
  const sum = (name: string): number => rows.reduce((total, row) => total + Number(row[name] ?? 0), 0)
  const changed = Math.max(...rows.map((row) => Number(row['last_changed'] ?? 0)))
  return {
    row_count: sum('row_count'),
    byte_count: sum('byte_count'),
    last_changed: `${rows.length} ${changed} ${sum('row_count')}`,
    changed_at: changed,
  }
}

/** Returns false for the field of a struct, which has its own row with a longer path. */
function isWholeColumn({ column_name: name, field_path: path = name }: Row): boolean {
  return path === null || path === name
}

/**
 * Corrects a column. INFORMATION_SCHEMA says that arrays are not nullable, but they have no constraint.
 * "NULL" means no default.
 */
function toColumn(row: Row): Row {
  const isArray = String(row['data_type']).startsWith('ARRAY<')
  return {
    ...folded(row),
    ...(isArray && { is_nullable: 'YES' }),
    column_default: row['column_default'] === 'NULL' ? null : row['column_default'],
  }
}

/** Reads the text of an option, which is printed as a literal in double quotes. */
function readLiteral(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = /^"((?:[^"\\]|\\.)*)"$/s.exec(value)?.[1]
  return text === undefined ? value : resolveEscapes(text)
}
