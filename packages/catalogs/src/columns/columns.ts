import {
  type Catalog,
  type CatalogTable,
  type DialectName,
  type Fault,
  StagecraftError,
} from '@stagecraft/spec'
import { extname } from 'node:path'
import { exportCatalog } from '../export/read-export.ts'
import { exportedRows, holdsResults, readResults } from '../export/read-files.ts'
import { invalidInput } from '../faults.ts'
import { readText } from '../files/read-text.ts'
import { listCatalog } from '../list/list-catalog.ts'
import { parseCsv } from './parse-csv.ts'
import { parseDocument } from './parse-document.ts'
import type { LocatedTable, ParsedColumns } from './parsed-columns.ts'

/** Checks rules beyond the schema: names are unique, and keys name columns. */
function checkTables(tables: readonly LocatedTable[]): readonly Fault[] {
  return [...repeatedTables(tables), ...tables.flatMap((located) => checkTable(located))]
}

function repeatedTables(tables: readonly LocatedTable[]): readonly Fault[] {
  const groups = Map.groupBy(tables, ({ table }) =>
    JSON.stringify([table.database, table.schema, table.name]),
  )
  return [...groups.values()].flatMap((group) =>
    group.slice(1).map((located) => {
      const name = located.table.name
      return faultAt(located, 'name', `one table ${name} of that schema`, `a second one`)
    }),
  )
}

function checkTable(located: LocatedTable): readonly Fault[] {
  const { columns } = located.table
  const names = columns.map(({ name }) => name)
  const repeated = names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [faultAt(located, `columns.${index}.name`, `one column ${name}`, 'a second one')],
  )
  const unknown = keysOf(located.table).flatMap(({ key, path }) =>
    key
      .filter((name) => !names.includes(name))
      .map((name) => faultAt(located, path, `one of the columns ${names.join(', ')}`, `"${name}"`)),
  )
  return [...repeated, ...unknown]
}

interface Key {
  readonly path: string
  readonly key: readonly string[]
}

function keysOf({ foreignKeys = [], primaryKey = [], uniqueKeys = [] }: CatalogTable): readonly Key[] {
  return [
    { path: 'primaryKey', key: primaryKey },
    ...uniqueKeys.map((key, index) => ({ path: `uniqueKeys.${index}`, key })),
    ...foreignKeys.map(({ columns }, index) => ({ path: `foreignKeys.${index}.columns`, key: columns })),
  ]
}

function faultAt({ line, path }: LocatedTable, below: string, expected: string, received: string): Fault {
  const found = line(below.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key)))
  return { path: `${path}.${below}`, expected, received, ...(found !== undefined && { line: found }) }
}

export interface ColumnsOptions {
  /**
   * A `.yml`, `.yaml`, `.json`, `.csv` or `.tsv` file, a folder with the results of `stagecraft export`, or
   * a pattern for their names, such as `results/*.csv`;
   * docs/reference/columns-file.md describes them.
   */
  readonly path: string
  /** The warehouse that the file describes. Default: that of the file, otherwise none. */
  readonly dialect?: DialectName | undefined
  /** The encoding of the file. Default: UTF-8, or UTF-16 if the first bytes show it. */
  readonly encoding?: string | undefined
  /** Cancels reading, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** The parser of a file, by its ending. */
const PARSERS: Readonly<Record<string, (text: string) => ParsedColumns>> = {
  '.yml': parseDocument,
  '.yaml': parseDocument,
  '.json': parseDocument,
  '.csv': parseCsv,
  '.tsv': parseCsv,
}

/**
 * Opens the catalog of a list of columns, written by hand or exported from a warehouse.
 *
 * @throws {StagecraftError} CONNECTION_FAILED for a file that cannot be read; INVALID_REQUEST with every fault of the
 * file, by path and line.
 */
export async function columns({ dialect, encoding, path, signal }: ColumnsOptions): Promise<Catalog> {
  if (await holdsResults(path))
    return exportCatalog(await readResults(path, { encoding }), { dialect, origin: path })
  const parse = PARSERS[extname(path).toLowerCase()]
  if (!parse) throw unknownEnding(path)
  signal?.throwIfAborted()
  const text = await readText(path, encoding)
  signal?.throwIfAborted()
  const exported = exportedRows(text, path)
  if (exported) return exportCatalog([{ path, name: '', rows: exported }], { dialect, origin: path })
  const parsed = parse(text)
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
