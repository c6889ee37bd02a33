import type { Fault, Warning } from '@stagecraft/spec'
import { CsvError, parse } from 'csv-parse/sync'
import {
  expectedHeader,
  type Header,
  HEADER_NAMES,
  isNear,
  nearestHeader,
  readHeader,
  REQUIRED_HEADERS,
} from './csv-headers.ts'

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

export interface CsvRows {
  readonly rows: readonly CsvRow[]
  /** Says which headers are unknown, if any are. */
  readonly warnings: readonly Warning[]
}

/** Reads comma-, semicolon- or tab-separated rows under headers in any case and order; other headers are passed over. */
export function readCsvRows(text: string): CsvRows | Faults {
  const records = parseRecords(text)
  if ('faults' in records) return records
  const [head, ...body] = records
  const texts = head?.record ?? []
  const headers = texts.map(readHeader)
  const unknown = [...new Set(texts.filter((_, index) => headers[index] === undefined))]
  const faults = [
    ...checkHeaders(headers, unknown),
    ...body.flatMap((record) => checkLength(record, headers.length)),
  ]
  if (faults.length > 0) return { faults }
  const rows = body.map(({ info, record }) => ({ line: info.lines, cells: toCells(headers, record) }))
  return { rows, warnings: warnOf(unknown) }
}

/** One warning, however many there are: each warehouse has headers of its own, and adds to them. */
function warnOf(unknown: readonly string[]): readonly Warning[] {
  if (unknown.length === 0) return []
  const names = unknown.map((text) => {
    const meant = nearestHeader(text)
    return meant === undefined ? text.trim() : `${text.trim()} (did you mean ${meant}?)`
  })
  const message = `these headers are not known and were passed over: ${names.join(', ')}`
  return [{ code: 'CATALOG_PARTLY_READ', message }]
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
  const received = (header: Header): string => {
    const meant = unknown.filter((text) => isNear(text, header))
    const names = meant.map((text) => JSON.stringify(text)).join(', ')
    return names === '' ? 'no such header' : `no such header, but ${names}`
  }
  return [
    ...missing.map((header) => fault(expectedHeader(header), received(header))),
    ...repeated.map((header) => fault(`one header ${header}`, 'a second one')),
  ]
}

function checkLength({ info, record }: CsvRecord, length: number): readonly Fault[] {
  if (record.length === length) return []
  return [{ path: '', expected: `${length} cells`, received: String(record.length), line: info.lines }]
}

function isHeader(header: Headers[number]): header is Header {
  return header !== undefined && header !== 'unused'
}

function toCells(headers: Headers, record: readonly string[]): CsvRow['cells'] {
  const cells = headers.map((header, index) => [header, record[index] ?? ''] as const)
  return Object.fromEntries(
    cells.filter(([header, cell]) => isHeader(header) && !['', 'NULL', '\\N'].includes(cell)),
  )
}
