import type { Fault } from '@stagecraft/spec'
import { CsvError, parse } from 'csv-parse/sync'
import { type Header, HEADER_NAMES, readHeader, REQUIRED_HEADERS } from './csv-headers.ts'

/** A row by header, without the cells that are empty or spell null. */
export interface CsvRow {
  readonly line: number
  readonly cells: Readonly<Partial<Record<Header, string>>>
}

interface CsvRecord {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

type Faults = { readonly faults: readonly Fault[] }

/** Reads comma-, semicolon- or tab-separated rows under headers in any case and order; unused ones are passed over. */
export function readCsvRows(text: string): { readonly rows: readonly CsvRow[] } | Faults {
  const records = parseRecords(text)
  if ('faults' in records) return records
  const [head, ...body] = records
  const texts = head?.record ?? []
  const headers = texts.map(readHeader)
  const unknown = texts.filter((_, index) => headers[index] === undefined)
  const faults = [
    ...checkHeaders(headers, unknown),
    ...body.flatMap((record) => checkLength(record, headers.length)),
  ]
  if (faults.length > 0) return { faults }
  return { rows: body.map(({ info, record }) => ({ line: info.lines, cells: toCells(headers, record) })) }
}

function parseRecords(text: string): readonly CsvRecord[] | Faults {
  const [firstLine = ''] = text.split('\n', 1)
  const delimiter = ['\t', ';'].find((mark) => firstLine.includes(mark)) ?? ','
  try {
    return parse(text, {
      bom: true,
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as readonly CsvRecord[]
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line: unknown = error['lines']
    const place = typeof line === 'number' ? { line } : {}
    return { faults: [{ path: '', expected: 'valid CSV', received: error.message, ...place }] }
  }
}

type Headers = readonly ReturnType<typeof readHeader>[]

function checkHeaders(headers: Headers, unknown: readonly string[]): readonly Fault[] {
  const fault = (expected: string, received: string): Fault => ({
    path: 'header',
    expected,
    received,
    line: 1,
  })
  const missing = REQUIRED_HEADERS.filter((header) => !headers.includes(header))
  const repeated = HEADER_NAMES.filter((header) => headers.indexOf(header) !== headers.lastIndexOf(header))
  return [
    ...unknown.map((text) => fault(`one of ${HEADER_NAMES.join(', ')}`, JSON.stringify(text))),
    ...missing.map((header) => fault(header, 'no such header')),
    ...repeated.map((header) => fault(`one header ${header}`, 'a second one')),
  ]
}

function checkLength({ info, record }: CsvRecord, length: number): readonly Fault[] {
  if (record.length === length) return []
  return [{ path: '', expected: `${length} cells`, received: String(record.length), line: info.lines }]
}

function toCells(headers: Headers, record: readonly string[]): CsvRow['cells'] {
  const cells = headers.map((header, index) => [header, record[index] ?? ''] as const)
  return Object.fromEntries(
    cells.filter(([header, cell]) => header !== 'unused' && !['', 'NULL', '\\N'].includes(cell)),
  )
}
