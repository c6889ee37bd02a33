import type { Fault, Warning } from '@stagecraft/spec'
import { CsvError, parse } from 'csv-parse/sync'
import { editDistance, nearestNames } from '../find-table.ts'

/** The headers: the name in information_schema, and other names in exports. */
const HEADERS = {
  table_catalog: ['database', 'project'],
  table_schema: ['schema', 'dataset'],
  table_name: ['table'],
  column_name: ['column', 'name'],
  ordinal_position: ['position'],
  data_type: ['type'],
  full_data_type: ['column_type'],
  numeric_precision: [],
  numeric_scale: [],
  is_nullable: ['nullable'],
  column_default: ['default'],
  comment: ['column_comment', 'description', 'remarks'],
  is_primary_key: ['primary_key'],
  is_hidden: [],
  allowed_values: ['values'],
  partition_position: ['is_partitioning_column', 'partition_index'],
  cluster_position: ['clustering_ordinal_position'],
  sort_position: ['sortkey'],
  dist_position: ['distkey'],
} as const

type Header = keyof typeof HEADERS

export const REQUIRED_HEADERS = [
  'table_name',
  'column_name',
  'data_type',
] as const satisfies readonly Header[]

export const HEADER_NAMES = Object.keys(HEADERS) as readonly Header[]

const BY_NAME: ReadonlyMap<string, Header> = new Map(
  HEADER_NAMES.flatMap((header) => [header, ...HEADERS[header]].map((name) => [name, header] as const)),
)

/**
 * Columns of `information_schema.columns` that are not used, in PostgreSQL, MariaDB and DuckDB, and according
 * to these pages: https://docs.snowflake.com/en/sql-reference/info-schema/columns
 * https://cloud.google.com/bigquery/docs/information-schema-columns
 * https://docs.databricks.com/aws/sql/language-manual/information-schema/columns
 */
const UNUSED = new Set(
  `
  character_maximum_length character_octet_length numeric_precision_radix datetime_precision interval_type
  interval_precision character_set_catalog character_set_schema character_set_name collation_catalog
  collation_schema collation_name domain_catalog domain_schema domain_name udt_catalog udt_schema udt_name
  scope_catalog scope_schema scope_name maximum_cardinality dtd_identifier is_self_referencing is_identity
  identity_generation identity_start identity_increment identity_maximum identity_minimum identity_cycle
  identity_ordered is_generated generation_expression is_updatable column_key extra privileges
  srs_id schema_evolution_record data_type_alias
  is_system_defined is_stored rounding_mode
  policy_tags
`
    .trim()
    .split(/\s+/),
)

/**
 * Returns the meaning of a header; `unused` for other columns of information_schema, and for empty cells from
 * a trailing comma in each row. Spreadsheets may replace underscores with spaces.
 */
function readHeader(text: string): Header | 'unused' | undefined {
  const name = plainName(text)
  return BY_NAME.get(name) ?? (name === '' || UNUSED.has(name) ? 'unused' : undefined)
}

/** Returns the header that a misspelled one most likely means: at most two letters differ. */
function nearestHeader(text: string): Header | undefined {
  const name = plainName(text)
  const slips = Math.min(2, Math.floor(name.length / 4))
  return [...BY_NAME].find(([known]) => editDistance(name, known) <= slips)?.[1]
}

/** Returns true if a header may be a misspelling of a missing one. */
function isNear(text: string, header: Header): boolean {
  return nearestNames(plainName(text), [header, ...HEADERS[header]]).length > 0
}

/** Prints a header with its other names, for messages. */
function expectedHeader(header: Header): string {
  return [header, ...HEADERS[header]].join(' or ')
}

function plainName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
}

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

/**
 * Returns the rows of a CSV file under its own headers; undefined if it is not CSV. Cells that spell null
 * become null.
 */
export function plainRows(text: string): readonly Readonly<Record<string, string | null>>[] | undefined {
  const quoted = isBatch(text) ? { faults: [] } : parseRecords(text)
  const records = 'faults' in quoted && hasTabs(text) ? parseBatch(text) : quoted
  if ('faults' in records) return undefined
  let headers: readonly string[] = []
  return records.filter(isData).flatMap(({ record }, line) => {
    if (line === 0 || isHeaderLine(record)) {
      headers = record.map(plainName)
      return []
    }
    const cells = headers.map((header, index) => {
      const cell = record[index] ?? ''
      return [header, isNull(cell, header) ? null : cell] as const
    })
    return [Object.fromEntries(cells)]
  })
}

/**
 * Returns true for the headers of a further result, which clients print below the previous one if they run several
 * statements. Cells of rows are numbers, empty or no names, too.
 */
function isHeaderLine(record: readonly string[]): boolean {
  const names = new Set(record.map(plainName))
  const isNamed = (names.has('table_schema') && names.has('table_name')) || names.has('statement_id')
  return names.size === record.length && isNamed && record.every((cell) => /^[a-z_]\w*$/i.test(cell))
}

/**
 * Returns false for what clients print around rows: a line of dashes below the headers (sqlcmd), and the number
 * of rows at the end (sqlcmd, psql without --csv, snowsql).
 */
function isData({ record }: CsvRecord): boolean {
  const [cell = ''] = record
  if (record.length > 1) return !record.every((one) => /^-+$/.test(one))
  return !/^\(?\d+ rows?(?:\(s\))?(?: affected| produced\b.*)?\)?$/i.test(cell)
}

function hasTabs(text: string): boolean {
  return /^[^\n]*\t/.test(text)
}

/** Returns true for tab-separated text in which no cell begins with a quote. */
function isBatch(text: string): boolean {
  return hasTabs(text) && !/(?:^|\t)"/m.test(text)
}

/**
 * Reads the output of `mysql --batch` and of ClickHouse: tab-separated cells without quotes, with backslash escapes.
 * https://dev.mysql.com/doc/refman/8.4/en/mysql-command-options.html#option_mysql_batch
 * https://clickhouse.com/docs/interfaces/formats/TabSeparated
 */
function parseBatch(text: string): readonly CsvRecord[] {
  const lines = text.split(/\r?\n/).filter((line) => line !== '')
  return lines.map((line, index) => ({
    record: line
      .split('\t')
      .map((cell) => cell.replaceAll(/\\([\\'nrtbf0])/g, (_, mark: string) => BATCH[mark] ?? mark)),
    info: { lines: index + 1 },
  }))
}

const BATCH: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  '0': '\0',
}

/** Databricks writes null in lower case, which may also be the name of a table or a column. */
function isNull(cell: string, header: string): boolean {
  return NULLS.has(cell) || (cell === 'null' && !header.endsWith('_name'))
}

const NULLS: ReadonlySet<string> = new Set(['', 'NULL', '\\N'])

interface CsvRows {
  readonly rows: readonly CsvRow[]
  /** A warning that lists the unknown headers, if there are any. */
  readonly warnings: readonly Warning[]
}

/**
 * Reads comma-, semicolon- or tab-separated rows under headers in any case and order; other headers are ignored.
 */
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

/** Creates a single warning for all of them, because each warehouse has its own headers, and adds more. */
function warnOf(unknown: readonly string[]): readonly Warning[] {
  if (unknown.length === 0) return []
  const names = unknown.map((text) => {
    const meant = nearestHeader(text)
    return meant === undefined ? text.trim() : `${text.trim()} (did you mean ${meant}?)`
  })
  const message = `unknown headers were ignored: ${names.join(', ')}`
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
  return Object.fromEntries(cells.filter(([header, cell]) => isHeader(header) && !NULLS.has(cell)))
}
