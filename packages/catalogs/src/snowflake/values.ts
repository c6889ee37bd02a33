/** A value of the SQL API, which are all texts, as other engines give it. Whole numbers beyond 2^53 stay texts. */
export function readValue(text: string | null, type: string): unknown {
  if (text === null) return null
  return READERS[type.toLowerCase()]?.(text) ?? text
}

/** https://docs.snowflake.com/en/developer-guide/sql-api/handling-responses: how values of a type are written. */
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
  timestamp_tz: (text) => readInstant(text.split(' ')[0] ?? ''), // behind the blank is the zone, in minutes plus 1440
}

function readNumber(text: string): unknown {
  const number = Number(text)
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? text : number
}

function readInstant(text: string): string {
  return `${isoOf(Number(text.split('.')[0])).slice(0, 19)}${fractionOf(text)}Z`
}

/** The time of seconds since 1970; an empty text where there is no such day. */
function isoOf(seconds: number): string {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

/** The fraction as written, without zeros at its end. */
function fractionOf(text: string): string {
  const fraction = text.split('.')[1]?.replace(/0+$/, '') ?? ''
  return fraction === '' ? '' : `.${fraction}`
}
