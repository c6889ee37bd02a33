import { StagecraftError } from '@stagecraft/spec'
import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { plainRows } from '../columns/csv-rows.ts'
import { fileFailed } from '../files/file-failed.ts'
import { readText } from '../files/read-text.ts'
import type { Row } from '../warehouse/statement.ts'
import { type ExportedFile, isExport } from './read-export.ts'

const READERS: Readonly<Record<string, (text: string) => readonly Row[] | undefined>> = {
  '.csv': plainRows,
  '.tsv': plainRows,
  '.json': jsonRows,
  '.jsonl': jsonRows,
  '.ndjson': jsonRows,
}

/** Returns the rows of a file with the result of a printed statement; undefined for other files. */
export function exportedRows(text: string, path: string): readonly Row[] | undefined {
  if (!/record_kind/i.test(text)) return undefined
  const rows = READERS[extname(path).toLowerCase()]?.(text)
  return rows && isExport(rows) ? rows : undefined
}

/** Returns true for a folder; false for a missing path. */
export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  )
}

/**
 * Reads the results in a folder, or those that a pattern such as `results/shop-*.csv` matches.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a place without results, or a file that is not a result.
 */
export async function readResults(
  place: string,
  { encoding, path = 'catalog' }: { readonly encoding?: string | undefined; readonly path?: string } = {},
): Promise<readonly ExportedFile[]> {
  const isPattern = isResultPattern(place)
  const folder = isPattern ? dirname(place) : place
  const entries = await readdir(folder, { recursive: !isPattern }).catch((error: unknown) => {
    throw fileFailed(error, folder)
  })
  const names = entries
    .toSorted()
    .filter(
      (name) => extname(name).toLowerCase() in READERS && (!isPattern || matches(name, basename(place))),
    )
  if (names.length === 0) {
    const endings = Object.keys(READERS).join(', ')
    const expected = isPattern
      ? `results as ${endings} under names like ${basename(place)}`
      : `a folder with results as ${endings}`
    throw StagecraftError.invalid({ path, expected, received: `none in ${folder}` })
  }
  return Promise.all(names.map((name) => readResult(join(folder, name), encoding)))
}

/** Returns true for a folder, and for a pattern that is not itself the name of a file. */
export async function holdsResults(path: string): Promise<boolean> {
  return (await isFolder(path)) || (isResultPattern(path) && !existsSync(path))
}

/**
 * Reads the answers to the statements of `stagecraft profile --print-sql` that clients saved: a file, or those in a
 * folder or under names of a pattern. Undefined for a file that is missing, or not the result of a statement.
 */
export async function readResultRows(place: string, path: string): Promise<readonly Row[] | undefined> {
  if (await holdsResults(place)) {
    const files = await readResults(place, { path })
    // the same folder may have the results of `stagecraft export`
    return files.filter(({ rows }) => !isExport(rows)).flatMap(({ rows }) => rows)
  }
  const read = existsSync(place) ? READERS[extname(place).toLowerCase()] : undefined
  return read?.(await readText(place))
}

/** Returns true for a path whose last part has an asterisk. */
function isResultPattern(path: string): boolean {
  return basename(path).includes('*')
}

function matches(name: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[^\w]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(name)
}

async function readResult(path: string, encoding: string | undefined): Promise<ExportedFile> {
  const ending = extname(path)
  const rows = READERS[ending.toLowerCase()]?.(await readText(path, encoding))
  if (!rows)
    throw StagecraftError.invalid({ path, expected: 'rows with headers', received: 'something else' })
  return { path, name: basename(path, ending).toLowerCase(), rows }
}

/** The member under which clients put the rows of a JSON result. */
const ROWS = ['data', 'rows', 'results', 'result']

/**
 * Returns the rows of a JSON result: a list of objects, an object with the list under `data`, `rows` or
 * `results`, or one object per line; for several statements, one such document below the other, or a list of lists.
 * Headers become lower case. Undefined for other JSON.
 */
function jsonRows(text: string): readonly Row[] | undefined {
  const whole = parse(text)
  // A document of several lines indents all but its first and last line.
  const documents = whole === undefined ? text.split(/\n(?=[[{])/).map(parse) : [whole]
  const rows = documents.flatMap(rowsOf)
  return rows.every(isObject) ? rows.map(lowerHeaders) : undefined
}

/** Converts the headers of a row to lower case, because some clients print them as the warehouse folds names. */
function lowerHeaders(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([header, cell]) => [header.trim().toLowerCase(), cell]))
}

function rowsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(rowsOf)
  const list = isObject(value) && ROWS.map((name) => value[name]).find((one) => Array.isArray(one))
  return list ? rowsOf(list) : [value]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
