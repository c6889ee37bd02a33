import type { Row, Statement } from '../warehouse/statement.ts'
import { quoteLiteral } from '../warehouse/statement.ts'
import { quotePath } from './statements.ts'
import { cellOf, MOST_SHOWN } from './to-tables.ts'

/** Returns the statement for one page of a SHOW statement; the next page begins after the last name. */
export function showPage(show: string, after: string | undefined): string {
  const from = after === undefined ? '' : ` from ${quoteLiteral(after, 'snowflake')}`
  return `${show} limit ${MOST_SHOWN}${from}`
}

/** Returns the SHOW statement that replaces a statement of information_schema without a running warehouse. */
export function showStatement({ name, values: [schema] }: Statement, database: string): string | undefined {
  if (name === 'schemas') return `show schemas in database ${quotePath(database)}`
  if (name === 'tables') return `show objects in schema ${quotePath(database, schema)}`
  if (name === 'columns') return `show columns in schema ${quotePath(database, schema)}`
  return undefined
}

/** Converts rows of a SHOW statement to the headers of the statement that it replaces. */
export function fromShown(name: string, rows: readonly Row[]): readonly Row[] {
  if (name === 'schemas') return rows.map((row) => ({ schema_name: cellOf(row, 'name') }))
  if (name === 'tables') return rows.map(toTable)
  const positions = new Map<unknown, number>()
  return rows.map((row) => {
    const table = cellOf(row, 'table_name')
    const position = (positions.get(table) ?? 0) + 1
    positions.set(table, position)
    return toColumn(row, position)
  })
}

/** Converts a row of SHOW OBJECTS. The kind is TABLE, VIEW, EXTERNAL_TABLE and so on. */
function toTable(row: Row): Row {
  return {
    table_schema: cellOf(row, 'schema_name'),
    table_name: cellOf(row, 'name'),
    table_type: cellOf(row, 'kind'),
    table_comment: cellOf(row, 'comment'),
    row_count: cellOf(row, 'rows'),
    byte_count: cellOf(row, 'bytes'),
    cluster_key: cellOf(row, 'cluster_by'),
  }
}

function toColumn(row: Row, position: number): Row {
  const isNullable = cellOf(row, 'null?')
  return {
    table_schema: cellOf(row, 'schema_name'),
    table_name: cellOf(row, 'table_name'),
    column_name: cellOf(row, 'column_name'),
    ordinal_position: position,
    data_type: readType(cellOf(row, 'data_type')),
    is_nullable: /^not_null$/i.test(String(isNullable)) ? false : isNullable,
    column_default: cellOf(row, 'default'),
    column_comment: cellOf(row, 'comment'),
  }
}

interface ShownType {
  readonly type?: string
  readonly precision?: number
  readonly scale?: number
  readonly length?: number
}

/** Converts `{"type":"FIXED","precision":38,"scale":0,"nullable":true}` to NUMBER(38,0). */
function readType(cell: unknown): string {
  const { length, precision, scale, type = 'unknown' } = parse(cell)
  if (type === 'FIXED') return `NUMBER(${precision ?? 38},${scale ?? 0})`
  if (type === 'REAL') return 'FLOAT'
  if (type === 'TEXT') return length === undefined || WHOLE.has(length) ? 'VARCHAR' : `VARCHAR(${length})`
  const isTimed = type.startsWith('TIME')
  return isTimed && scale !== undefined && scale !== 9 ? `${type}(${scale})` : type
}

/** The lengths of a VARCHAR without a declared length. */
const WHOLE: ReadonlySet<number> = new Set([16_777_216, 134_217_728])

function parse(cell: unknown): ShownType {
  if (typeof cell !== 'string') return {}
  try {
    return JSON.parse(cell) as ShownType
  } catch {
    return { type: cell }
  }
}
