import { StagecraftError } from '@stagecraft/spec'
import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { plainRows } from '../columns/csv-rows.ts'
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
 * Reads the results in a folder. Each file is named after its statement.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a folder without results, or a file that is not a result.
 */
export async function readFolder(folder: string, encoding?: string): Promise<readonly ExportedFile[]> {
  const entries = await readdir(folder, { recursive: true })
  const names = entries.toSorted().filter((name) => extname(name).toLowerCase() in READERS)
  if (names.length === 0) {
    const expected = `a folder with results as ${Object.keys(READERS).join(', ')}`
    throw StagecraftError.invalid({ path: 'catalog', expected, received: `none in ${folder}` })
  }
  return Promise.all(names.map((name) => readResult(join(folder, name), encoding)))
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
 * `results`, or one object per line. Headers become lower case. Undefined for other JSON.
 */
function jsonRows(text: string): readonly Row[] | undefined {
  const value = parse(text) ?? parseLines(text)
  const list: readonly unknown[] | undefined = Array.isArray(value)
    ? value
    : isObject(value)
      ? rowsOf(value)
      : undefined
  return list?.every(isObject) ? list.map(lowerHeaders) : undefined
}

/** Converts the headers of a row to lower case, because some clients print them as the warehouse folds names. */
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
