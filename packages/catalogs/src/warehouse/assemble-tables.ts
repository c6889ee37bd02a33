import type { CatalogTable, Column, ColumnValue, DialectName, ForeignKey, TableSize } from '@stagecraft/spec'
import { compareTables, findName } from '../find-table.ts'
import { mergeValues, readValueList } from '../sql/value-list.ts'
import type {
  ColumnRow,
  ForeignKeyRow,
  KeyRow,
  SizeRow,
  TablePlace,
  TableRow,
  TableRows,
} from './warehouse.ts'

/** One column of a key, for engines without arrays. Rows are in key order. */
export interface KeyColumnRow extends TablePlace {
  /** Identifies the key within its table. */
  readonly key: string
  readonly kind: KeyRow['kind']
  /** Null for an expression. Such a key is skipped. */
  readonly column: string | null
}

export interface ForeignKeyColumnRow extends TablePlace {
  readonly key: string
  readonly column: string
  readonly toSchema: string
  readonly toTable: string
  /** Null if the referenced table or its key does not exist. */
  readonly toColumn: string | null
}

/** Groups the columns of each key. */
export function groupKeys(rows: readonly KeyColumnRow[]): readonly KeyRow[] {
  return groupByKey(rows).flatMap(([first, ...rest]) => {
    const columns = [first, ...rest].flatMap(({ column }) => column ?? [])
    const { kind, schema, table } = first
    return columns.length === rest.length + 1 ? [{ schema, table, kind, columns }] : []
  })
}

/** Groups the columns of each foreign key. */
export function groupForeignKeys(rows: readonly ForeignKeyColumnRow[]): readonly ForeignKeyRow[] {
  return groupByKey(rows).flatMap(([first, ...rest]) => {
    const all = [first, ...rest]
    const toColumns = all.flatMap(({ toColumn }) => toColumn ?? [])
    if (toColumns.length < all.length) return []
    const references = { schema: first.toSchema, table: first.toTable, columns: toColumns }
    return [
      { schema: first.schema, table: first.table, columns: all.map(({ column }) => column), references },
    ]
  })
}

function groupByKey<Row extends TablePlace & { readonly key: string }>(
  rows: readonly Row[],
): readonly (readonly [Row, ...Row[]])[] {
  const groups = Map.groupBy(rows, ({ key, schema, table }) => JSON.stringify([schema, table, key]))
  return [...groups.values()].flatMap(([first, ...rest]) => (first ? [[first, ...rest] as const] : []))
}

interface AssembleOptions {
  readonly dialect: DialectName
  readonly database: string | undefined
}

/** Assembles tables from rows of different kinds, sorted by stored name. */
export function assembleTables(rows: TableRows, options: AssembleOptions): readonly CatalogTable[] {
  const columns = groupByTable(rows.columns)
  const keys = groupByTable(rows.keys)
  const foreignKeys = groupByTable(rows.foreignKeys)
  const checks = groupByTable(rows.checks)
  const parts = (place: TablePlace): TableParts => ({
    columns: columns.get(keyOf(place)) ?? [],
    keys: keys.get(keyOf(place)) ?? [],
    foreignKeys: foreignKeys.get(keyOf(place)) ?? [],
    checks: checks.get(keyOf(place)) ?? [],
  })
  return rows.tables.map((table) => assemble(table, parts(table), options)).toSorted(compareTables)
}

type TableParts = Omit<TableRows, 'tables'>

function assemble(row: TableRow, parts: TableParts, { database, dialect }: AssembleOptions): CatalogTable {
  const primary = parts.keys.find(({ kind }) => kind === 'primary')
  const unique = uniqueKeys(parts.keys)
  const values = valuesByColumn(parts, dialect)
  return {
    ...(database !== undefined && { database }),
    schema: row.schema,
    name: row.table,
    kind: row.kind,
    ...(row.comment && { comment: row.comment }),
    columns: parts.columns.map((column) => toColumn(column, values.get(column.name))),
    ...(primary && { primaryKey: primary.columns }),
    ...(unique.length > 0 && { uniqueKeys: unique }),
    ...(parts.foreignKeys.length > 0 && { foreignKeys: parts.foreignKeys.map(toForeignKey) }),
    ...(row.storage && { storage: row.storage }),
    ...(row.location !== undefined && { location: row.location }),
  }
}

/** Returns unique keys without duplicates, because an index may repeat a constraint. */
function uniqueKeys(keys: readonly KeyRow[]): readonly (readonly string[])[] {
  const seen = new Set(
    keys.filter(({ kind }) => kind === 'primary').map(({ columns }) => JSON.stringify(columns)),
  )
  return keys.flatMap(({ columns, kind }) => {
    const isNew = kind === 'unique' && !seen.has(JSON.stringify(columns))
    seen.add(JSON.stringify(columns))
    return isNew ? [columns] : []
  })
}

type ValueLists = readonly (readonly ColumnValue[] | null | undefined)[]

function toColumn(row: ColumnRow, lists: ValueLists = []): Column {
  const values = mergeValues(lists)
  return {
    name: row.name,
    type: row.type,
    ...(!row.nullable && { nullable: false }),
    ...(row.comment && { comment: row.comment }),
    ...(typeof row.default === 'string' && { default: row.default }),
    ...(values && { values }),
    ...(row.hidden && { hidden: true }),
  }
}

function toForeignKey({ columns, references }: ForeignKeyRow): ForeignKey {
  const table = { schema: references.schema, name: references.table }
  return { columns, references: { table, columns: references.columns } }
}

/** Returns the values that types and checks list, by column. */
function valuesByColumn(
  { checks, columns }: TableParts,
  dialect: DialectName,
): ReadonlyMap<string, ValueLists> {
  const names = columns.map(({ name }) => name)
  const lists = new Map<string, ValueLists>(columns.map((row) => [row.name, [row.values]]))
  for (const check of checks) {
    const list = readValueList(check.expression, dialect)
    const column = check.column ?? (list && findName(list.column, names))
    if (list && column) lists.set(column, [...(lists.get(column) ?? []), list.values])
  }
  return lists
}

function groupByTable<Row extends TablePlace>(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  return Map.groupBy(rows, keyOf)
}

/** Returns a text that identifies the table. */
export function keyOf({ schema, table }: TablePlace): string {
  return JSON.stringify([schema, table])
}

/** Converts the known parts of a size. */
export function toSize({ bytes, changedAt, mostRows, rows, version }: SizeRow): TableSize {
  const number = (value: SizeRow['rows']): number | undefined =>
    value === null || value === undefined ? undefined : Math.round(Number(value))
  const known = { rows: number(rows), mostRows: number(mostRows), bytes: number(bytes) }
  const time = readTime(changedAt)
  return {
    ...(known.rows !== undefined && { rows: known.rows }),
    ...(known.mostRows !== undefined && { mostRows: known.mostRows }),
    ...(known.bytes !== undefined && { bytes: known.bytes }),
    ...(version !== null && version !== undefined && { version }),
    ...(time !== undefined && { changedAt: time }),
  }
}

/** Matches a time with its zone: `2026-01-31T10:00:00Z`, `2026-01-31 02:00:00.123 -0800`. */
const ZONED = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)? ?(?:Z|UTC|[+-]\d\d:?\d\d)$/

/**
 * Reads a time. Ignores a time without its zone, which could be hours off, and numbers with too few digits
 * for milliseconds, which are ambiguous.
 */
function readTime(time: SizeRow['changedAt']): string | undefined {
  if (time === null || time === undefined) return undefined
  const isCount = typeof time !== 'string' || /^\d{12,13}$/.test(time)
  if (!isCount && !ZONED.test(time)) return undefined
  const date = new Date(isCount ? Number(time) : time)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
