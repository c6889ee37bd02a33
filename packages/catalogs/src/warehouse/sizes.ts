import type { TableSize } from '@stagecraft/spec'
import type { SizeRow, TablePlace } from './warehouse.ts'

/** A text that is the same for the same table only. */
export function keyOf({ schema, table }: TablePlace): string {
  return JSON.stringify([schema, table])
}

/** The size of a table, as far as its row tells it. */
export function toSize({ bytes, mostRows, rows, version }: SizeRow): TableSize {
  const number = (value: SizeRow['rows']): number | undefined =>
    value === null || value === undefined ? undefined : Math.round(Number(value))
  const known = { rows: number(rows), mostRows: number(mostRows), bytes: number(bytes) }
  return {
    ...(known.rows !== undefined && { rows: known.rows }),
    ...(known.mostRows !== undefined && { mostRows: known.mostRows }),
    ...(known.bytes !== undefined && { bytes: known.bytes }),
    ...(version !== null && version !== undefined && { version }),
  }
}
