import { extname } from 'node:path'
import { type Catalog, type DialectName, StagecraftError } from '@stagecraft/spec'
import { invalidInput } from '../faults.ts'
import { readText } from '../files/read-text.ts'
import { listCatalog } from '../list/list-catalog.ts'
import { checkTables } from './check-tables.ts'
import { parseCsv } from './parse-csv.ts'
import { parseDocument } from './parse-document.ts'
import type { ParsedColumns } from './parsed-columns.ts'

export interface ColumnsOptions {
  /** A `.yml`, `.yaml`, `.json` or `.csv` file; docs/reference/columns-file.md describes them. */
  readonly path: string
  /** The warehouse that the file describes. Default: what the file says, else none. */
  readonly dialect?: DialectName | undefined
  /** The encoding of the file. Default: UTF-8, or UTF-16 where the first bytes say so. */
  readonly encoding?: string | undefined
  /** Stops the reading, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** The parser of a file, by its ending. */
const PARSERS: Readonly<Record<string, (text: string) => ParsedColumns>> = {
  '.yml': parseDocument,
  '.yaml': parseDocument,
  '.json': parseDocument,
  '.csv': parseCsv,
}

/**
 * The catalog of a list of columns, written by hand or exported from a warehouse.
 *
 * @throws {StagecraftError} CONNECTION_FAILED for a file that cannot be read; INVALID_REQUEST with every fault of the file,
 * by path and line.
 */
export async function columns({ dialect, encoding, path, signal }: ColumnsOptions): Promise<Catalog> {
  const parse = PARSERS[extname(path).toLowerCase()]
  if (!parse) throw unknownEnding(path)
  signal?.throwIfAborted()
  const parsed = parse(await readText(path, encoding))
  signal?.throwIfAborted()
  const faults = 'faults' in parsed ? parsed.faults : checkTables(parsed.tables)
  if ('faults' in parsed || faults.length > 0) throw invalidInput(faults, path)
  const tables = parsed.tables.map(({ table }) => table)
  const warnings = parsed.warnings?.map((warning) => ({ ...warning, message: `${path}: ${warning.message}` }))
  return listCatalog(tables, {
    dialect: dialect ?? parsed.dialect,
    origin: path,
    statesDatabase: true,
    ...(warnings && { warnings }),
  })
}

function unknownEnding(path: string): StagecraftError {
  const expected = `a file that ends in ${Object.keys(PARSERS).join(', ')}`
  return StagecraftError.invalid({ path: 'catalog', expected, received: path })
}
