import type { HttpAnswer } from '../network/http-json.ts'
import type { Row } from '../warehouse/statement.ts'
import { SnowflakeRefusal } from './failure.ts'

type Cells = readonly (string | null)[]

interface ColumnType {
  readonly name: string
  readonly type: string
}

export interface ResultSet {
  readonly statementHandle?: string
  readonly code?: string
  readonly message?: string
  readonly data?: readonly Cells[]
  readonly resultSetMetaData?: {
    readonly rowType: readonly ColumnType[]
    readonly partitionInfo?: readonly { readonly uncompressedSize?: number }[]
  }
}

/**
 * Returns the result of an answer.
 *
 * @throws {SnowflakeRefusal} if the status is not 200 or 202.
 */
export function resultOf({ body, status }: HttpAnswer): ResultSet {
  const result: ResultSet = typeof body === 'object' && body !== null ? body : {}
  if (status === 200 || status === 202) return result
  throw new SnowflakeRefusal(result.code ?? '', result.message ?? `it answered with status ${status}`)
}

/** Returns rows by header, with values as other engines give them. */
export function toRows(rows: readonly Cells[], columns: readonly ColumnType[]): readonly Row[] {
  return rows.map((cells) =>
    Object.fromEntries(
      columns.map(({ name, type }, index) => [name, readValue(cells[index] ?? null, type)] as const),
    ),
  )
}

/**
 * Converts a value of the SQL API, which is always text, to the form of other engines. Whole numbers beyond
 * 2^53 remain text.
 */
function readValue(text: string | null, type: string): unknown {
  if (text === null) return null
  return READERS[type.toLowerCase()]?.(text) ?? text
}

/** https://docs.snowflake.com/en/developer-guide/sql-api/handling-responses */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  fixed: readNumber,
  real: Number,
  boolean: (text) => text === 'true' || text === '1',
  date: (text) => isoOf(Number(text) * 86_400).slice(0, 10),
  time: (text) => `${isoOf(Number(text.split('.')[0])).slice(11, 19)}${fractionOf(text)}`,
  timestamp_ntz: (text) =>
    `${isoOf(Number(text.split('.')[0]))
      .slice(0, 19)
      .replace('T', ' ')}${fractionOf(text)}`,
  timestamp_ltz: readInstant,
  timestamp_tz: (text) => readInstant(text.split(' ')[0] ?? ''), // after the space is the time zone, in minutes plus 1440
}

function readNumber(text: string): unknown {
  const number = Number(text)
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? text : number
}

function readInstant(text: string): string {
  return `${isoOf(Number(text.split('.')[0])).slice(0, 19)}${fractionOf(text)}Z`
}

/** Returns the time as ISO 8601 from seconds since 1970; empty for a date out of range. */
function isoOf(seconds: number): string {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

/** Returns the fraction without trailing zeros. */
function fractionOf(text: string): string {
  const fraction = text.split('.')[1]?.replace(/0+$/, '') ?? ''
  return fraction === '' ? '' : `.${fraction}`
}
