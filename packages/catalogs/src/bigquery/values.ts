import type { Row } from '../warehouse/statement.ts'

/** A field of a result, with the names of the REST API: `INTEGER`, `RECORD` with fields, mode `REPEATED`. */
export interface Field {
  readonly name: string
  readonly type: string
  readonly mode?: string
  readonly fields?: readonly Field[]
}

/** A row as the REST API sends it: cells in the order of the fields, with values as texts. */
export interface WireRow {
  readonly f?: readonly { readonly v?: unknown }[]
}

/** https://cloud.google.com/bigquery/docs/reference/rest/v2/tables#TableFieldSchema */
const VALUES: Readonly<Record<string, (text: string) => unknown>> = {
  INTEGER: toInteger,
  INT64: toInteger,
  FLOAT: Number,
  FLOAT64: Number,
  BOOLEAN: (text) => text === 'true',
  BOOL: (text) => text === 'true',
  TIMESTAMP: (microseconds) => new Date(Number(microseconds) / 1000),
}

/** Converts rows to JavaScript values by header. Exact decimals stay texts, and large integers become bigint. */
export function toRows(rows: readonly WireRow[], fields: readonly Field[]): readonly Row[] {
  return rows.map((row) => toRecord(row, fields))
}

function toRecord({ f: cells = [] }: WireRow, fields: readonly Field[]): Row {
  return Object.fromEntries(fields.map((field, index) => [field.name, toValue(cells[index]?.v, field)]))
}

function toValue(value: unknown, field: Field): unknown {
  if (value === null || value === undefined) return null
  if (field.mode === 'REPEATED') {
    const items = value as readonly { readonly v?: unknown }[]
    return items.map((item) => toValue(item.v, { ...field, mode: 'NULLABLE' }))
  }
  if (field.fields) return toRecord(value, field.fields)
  return typeof value === 'string' ? (VALUES[field.type]?.(value) ?? value) : value
}

function toInteger(text: string): number | bigint {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}
