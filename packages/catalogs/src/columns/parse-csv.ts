import type { CatalogTable, Column, Fault } from '@stagecraft/spec'
import type { LocatedTable, ParsedColumns } from './parsed-columns.ts'
import { readValues } from '../warehouse/standard-tables.ts'
import { storageOf } from '../warehouse/storage.ts'
import { type CsvRow, REQUIRED_HEADERS, readCsvRows } from './csv-rows.ts'

const TRUTH: Readonly<Record<string, boolean>> = { yes: true, true: true, no: false, false: false }

/**
 * Reads rows in the form of information_schema.columns, one per column. Columns of a table are in the order
 * of `ordinal_position`, otherwise in the order of the rows. The key is in the order of its columns.
 */
export function parseCsv(text: string): ParsedColumns {
  const read = readCsvRows(text)
  if ('faults' in read) return read
  const faults = read.rows.flatMap(checkRow)
  if (faults.length > 0) return { faults }
  const groups = Map.groupBy(read.rows, ({ cells }) =>
    JSON.stringify([cells.table_catalog, cells.table_schema, cells.table_name]),
  )
  return { tables: [...groups.values()].flatMap(toTable), warnings: read.warnings }
}

function checkRow({ cells, line }: CsvRow): readonly Fault[] {
  const fault = (path: string, expected: string, received = 'nothing'): Fault => ({
    path,
    expected,
    received,
    line,
  })
  const empty = REQUIRED_HEADERS.filter((header) => cells[header] === undefined)
  const unclear = (['is_nullable', 'is_primary_key'] as const).filter(
    (header) => cells[header] !== undefined && TRUTH[cells[header].toLowerCase()] === undefined,
  )
  const position = cells.ordinal_position
  return [
    ...empty.map((header) => fault(header, 'text')),
    ...unclear.map((header) => fault(header, 'YES, NO, true or false', `"${cells[header] ?? ''}"`)),
    ...(position !== undefined && !/^\d+$/.test(position)
      ? [fault('ordinal_position', 'a whole number', `"${position}"`)]
      : []),
    ...(cells.allowed_values !== undefined && !readValues(cells.allowed_values)
      ? [fault('allowed_values', 'a JSON list, such as ["open","paid"]', `"${cells.allowed_values}"`)]
      : []),
  ]
}

function toTable(rows: readonly CsvRow[]): readonly LocatedTable[] {
  const [first] = rows
  if (!first) return []
  const { table_catalog: database, table_name: name = '', table_schema: schema } = first.cells
  // BigQuery lists pseudo columns such as _PARTITIONTIME, which `select *` does not return
  const sorted = rows
    .filter(({ cells }) => !isTrue(cells.is_hidden))
    .toSorted((a, b) => positionOf(a) - positionOf(b))
  const primaryKey = sorted
    .filter(({ cells }) => isTrue(cells.is_primary_key))
    .map(({ cells }) => cells.column_name ?? '')
  const storage = storageOf(
    undefined,
    sorted.map(
      ({ cells }) =>
        (header) =>
          (cells as Readonly<Record<string, string>>)[header],
    ),
  )
  const table: CatalogTable = {
    ...(database !== undefined && { database }),
    ...(schema !== undefined && { schema }),
    name,
    columns: sorted.map(toColumn),
    ...(primaryKey.length > 0 && { primaryKey }),
    ...(storage && { storage }),
  }
  return [{ table, path: name, line: () => first.line }]
}

/** Rows without a position keep their order. */
function positionOf({ cells }: CsvRow): number {
  return Number(cells.ordinal_position ?? 0)
}

function toColumn({ cells }: CsvRow): Column {
  const { column_default: value, column_name: name = '', comment } = cells
  const values = readValues(cells.allowed_values)
  return {
    name,
    type: typeOf(cells),
    ...(cells.is_nullable !== undefined && !isTrue(cells.is_nullable) && { nullable: false }),
    ...(comment !== undefined && { comment }),
    ...(value !== undefined && { default: value }),
    ...(values && { values }),
  }
}

/** Returns the type. A bare NUMBER may have decimals; its precision and scale are in separate cells. */
function typeOf({ numeric_precision, numeric_scale, ...cells }: CsvRow['cells']): string {
  const type = cells.full_data_type ?? cells.data_type ?? ''
  const isBare = /^(?:number|numeric|decimal)$/i.test(type)
  if (!isBare || numeric_precision === undefined || numeric_scale === undefined) return type
  return `${type}(${numeric_precision},${numeric_scale})`
}

function isTrue(cell: string | undefined): boolean {
  return TRUTH[cell?.toLowerCase() ?? ''] === true
}
