import type { Row } from '../warehouse/statement.ts'

/** The member under which clients put the rows of a JSON result. */
const ROWS = ['data', 'rows', 'results', 'result']

/**
 * The rows of a result as JSON: a list of objects, an object that has it under `data`, `rows` or `results`, or one object a
 * line. Headers become lower case. Undefined for other JSON.
 */
export function jsonRows(text: string): readonly Row[] | undefined {
  const value = parse(text) ?? parseLines(text)
  const list: readonly unknown[] | undefined = Array.isArray(value)
    ? value
    : isObject(value)
      ? rowsOf(value)
      : undefined
  return list?.every(isObject) ? list.map(lowerHeaders) : undefined
}

/** Turns the headers of a row to lower case: some clients print names as the warehouse folds them. */
function lowerHeaders(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([header, cell]) => [header.trim().toLowerCase(), cell]))
}

function rowsOf(value: Row): readonly unknown[] | undefined {
  return ROWS.map((name) => value[name]).find((one) => Array.isArray(one))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function parseLines(text: string): readonly unknown[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const values = lines.map(parse)
  return values.length > 0 && values.every(isObject) ? values : undefined
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
