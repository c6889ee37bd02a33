import { type EditedItem, parseItem, printItem } from '@stagecraft/core/run'
import { compareText, DIALECT_NAMES, type DialectName, StagecraftError } from '@stagecraft/spec'
import type { FileTree } from '../tree/file-tree.ts'
import { readText } from '../tree/read-text.ts'
import { hashText } from './hashes.ts'

/** The file that records what was generated from which table. It belongs under version control. */
export const LOCK_FILE = 'stagecraft.lock'

/** The record of a generated part of a file. */
export interface LockedPart {
  /** Relative to the folder of the dbt project. */
  readonly path: string
  /** SHA-256 in hex: of the generated text of a model, or of the data of an entry of YAML. */
  readonly sha256: string
}

/** The differences of a person's SQL; see `OwnSql`. */
export interface LockedSql {
  readonly columns?: Readonly<Record<string, 'cast' | 'other'>>
  readonly rows?: readonly ('deleted' | 'grain' | 'key' | 'versions')[]
}

/** Former names under which the configuration has settings of a renamed table or its columns. */
export interface LockedFormerKeys {
  readonly table?: string
  /** Former names by current names. */
  readonly columns?: Readonly<Record<string, string>>
}

/** Deleted columns that the project still reads. */
export interface LostColumns {
  /** Stored names of former columns of the table that the SQL of its model reads. */
  readonly raw?: readonly string[]
  /** Names of former columns of the model that other models read, in lower case. */
  readonly staged?: readonly string[]
}

/** One table as it was, and what was generated from it. */
export interface LockedTable {
  /** The input of its generation: request, table and accepted decisions of a language model. */
  readonly item: EditedItem
  /** Counts the changes of the line, which tells the later one of two that a merge left. */
  readonly revision: number
  /** The SQL that it was generated in. */
  readonly dialect: DialectName
  /** The version of Stagecraft that generated it. */
  readonly generator: string
  /** A hash of configuration, dialect and dbt version. */
  readonly settings: string
  readonly model: LockedPart & {
    readonly name: string
    /** True if a person chose its name or place, which then stay, whatever the configuration says. @default false */
    readonly byHand?: true
  }
  /** Its entry in a models file; undefined if none was written. */
  readonly properties:
    | (LockedPart & {
        /** True if a person chose its file, in which it then stays. @default false */
        readonly byHand?: true
        /**
         * The names under which a person's SQL selects generated columns, by generated name; null for a column that
         * is not selected. @default all have their generated names
         */
        readonly names?: Readonly<Record<string, string | null>>
        /**
         * The differences of a person's SQL from the generated SQL for which parts of the entry were left out.
         * @default none
         */
        readonly sql?: LockedSql
      })
    | undefined
  /** Its entry in a sources file, with its names in dbt; undefined for a table read by `ref`. */
  readonly source: (LockedPart & { readonly name: string; readonly table: string }) | undefined
  /**
   * Staged names that differ from the rules, by stored name: columns keep them when a new column could take the name.
   * @default the names of the rules
   */
  readonly names?: Readonly<Record<string, string>> | undefined
  /**
   * Staged names that differ from the stored ones in lower case, by stored name: a clone without the generated text knows by
   * them which columns the configuration renamed since.
   * @default unknown
   */
  readonly staged?: Readonly<Record<string, string>> | undefined
  /** Former names of settings that apply until the configuration has the current ones. @default none */
  readonly former?: LockedFormerKeys | undefined
  /** Deleted things that are reported until nothing reads them. @default none */
  readonly lost?: LostColumns | undefined
}

/** Tables by key; see `lockKey`. */
export type Lock = ReadonlyMap<string, LockedTable>

/** The version of the file format. A later one is refused, with advice to update. */
const VERSION = 1

/** Returns the key of a table: its source name, with the type of model unless it is staging. */
export function lockKey({ request: { source, type } }: Pick<EditedItem, 'request'>): string {
  return type === 'staging' ? source : `${source} (${type})`
}

/**
 * Prints a lock: JSON with one complete line per table, ordered by key. Git can then merge branches that add tables,
 * and conflicts concern whole tables.
 */
export function printLock(lock: Lock): string {
  const tables = [...lock].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const lines = tables.map(([key, table]) => `,${JSON.stringify(key)}: ${printTable(table)}`)
  return ['{', `"stagecraft": ${VERSION}`, ...lines, '}', ''].join('\n').replaceAll(SEPARATORS, escapeUnicode)
}

/** Characters that JSON does not escape and that many programs read as line ends. */
const SEPARATORS = /[\u0085\u2028\u2029]/g

function escapeUnicode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function printTable({ item, ...rest }: LockedTable): string {
  const { dialect, former, generator, lost, model, names, properties, revision, settings, source, staged } =
    rest
  const parts = {
    revision,
    generator,
    dialect,
    settings,
    model,
    properties,
    source,
    names,
    staged,
    former,
    lost,
  }
  const head = JSON.stringify(parts)
  return `${head.slice(0, -1)},"item":${printItem(item)}}`
}

/** Conflict markers of git, and the lines between `|||||||` and `=======`. */
const MARKERS = /^(?:<<<<<<<|=======|>>>>>>>).*$|^\|\|\|\|\|\|\|[^]*?(?=^=======)/gm

/** A lock as it was read. */
export interface ReadLock {
  readonly lock: Lock
  /** The text of the file. */
  readonly text: string
  /** Tables with several lines, because two branches changed them; of each, one line counts. */
  readonly twins: readonly string[]
}

/**
 * Reads the lock of a project; undefined without one. An unfinished merge of git is completed. If two branches changed
 * a table, the line of the present model counts; if it is neither, see `resolveTwins`.
 *
 * @param place The path for messages.
 * @throws {StagecraftError} INVALID_REQUEST with the invalid line.
 */
export async function readLock(tree: FileTree, place: string = LOCK_FILE): Promise<ReadLock | undefined> {
  const text = await readText(tree, LOCK_FILE)
  if (text === undefined) return undefined
  const tables = parseTables(text, place)
  const twins = [...tables].filter(([, lines]) => lines.length > 1)
  const paths = new Set(twins.flatMap(([, lines]) => lines.map(({ model }) => model.path)))
  const hashes = await Promise.all(
    [...paths].map(async (path) => [path, hashText((await readText(tree, path)) ?? '')] as const),
  )
  return { lock: resolveTwins(tables, new Map(hashes)), text, twins: twins.map(([key]) => key) }
}

/**
 * Reads a lock without its project. Of several lines for one table, see `resolveTwins`.
 *
 * @param path For messages.
 * @throws {StagecraftError} INVALID_REQUEST with the invalid line.
 */
export function parseLock(text: string, path: string = LOCK_FILE): Lock {
  return resolveTwins(parseTables(text, path), new Map())
}

type Tables = ReadonlyMap<string, readonly LockedTable[]>

/** Reads the different lines of each table. */
function parseTables(text: string, path: string): Tables {
  const lines = text
    .replaceAll(MARKERS, (piece) => piece.replaceAll(/[^\n]/g, ''))
    .split(/\r?\n/)
    .map((line, index) => ({ text: line.trim(), line: index + 1 }))
    .filter(({ text }) => text !== '' && text !== '{' && text !== '}')
  const version = lines.filter(({ text }) => text.startsWith('"stagecraft":'))
  assertVersion(version, { text, path })
  const tables = new Map<string, readonly LockedTable[]>()
  for (const one of lines.filter((line) => !version.includes(line))) {
    const { key, table } = parseLine(one, path)
    const others = tables.get(key) ?? []
    if (!others.some((other) => printTable(other) === printTable(table))) tables.set(key, [...others, table])
  }
  return tables
}

/**
 * Chooses one line for each table: that of the present model, else the later one. Of two that are equally late, the
 * columns that both have count, so that what each branch added is merged like an edit by hand.
 */
function resolveTwins(tables: Tables, hashes: ReadonlyMap<string, string>): Lock {
  return new Map(
    [...tables].map(([key, lines]) => {
      const isPresent = ({ model: { path, sha256 } }: LockedTable): boolean => hashes.get(path) === sha256
      const [first, ...others] = lines.toSorted(
        (a, b) =>
          Number(isPresent(b)) - Number(isPresent(a)) ||
          b.revision - a.revision ||
          compareText(printTable(a), printTable(b)),
      )
      if (!first) throw new RangeError(`no line for ${key}`)
      const isSure = isPresent(first) || others.every(({ revision }) => revision < first.revision)
      const line = isSure ? first : others.reduce(commonLine, first)
      return [key, { ...line, revision: Math.max(...lines.map(({ revision }) => revision)) }]
    }),
  )
}

/** Returns a line without the columns that another line lacks. Its text was never generated. */
function commonLine(line: LockedTable, other: LockedTable): LockedTable {
  const { columns, foreignKeys = [], primaryKey = [], uniqueKeys = [] } = line.item.table
  const names = new Set(other.item.table.columns.map(({ name }) => name))
  const common = columns.filter(({ name }) => names.has(name))
  const inKeys = [...primaryKey, ...uniqueKeys.flat(), ...foreignKeys.flatMap((one) => one.columns)]
  // decisions of a language model are stored by the places of columns
  const isFixed = line.item.edit !== undefined || inKeys.some((name) => !names.has(name))
  if (isFixed || common.length === columns.length) return line
  const table = { ...line.item.table, columns: common }
  return { ...line, item: { ...line.item, table }, model: { ...line.model, sha256: hashText('') } }
}

interface Line {
  readonly text: string
  readonly line: number
}

function assertVersion(
  found: readonly Line[],
  { path, text }: { readonly path: string; readonly text: string },
): void {
  const [first] = found
  const version = first && /^"stagecraft":\s*(\d+)$/.exec(first.text)?.[1]
  if (version !== undefined && Number(version) <= VERSION) return
  if (version !== undefined) {
    throw fault(
      path,
      `a lock of layout ${VERSION}`,
      `one of layout ${version}, written by a newer stagecraft; update stagecraft`,
    )
  }
  const received = text.trim() === '' ? 'an empty file' : 'another file'
  throw fault(
    path,
    'a lock written by stagecraft',
    `${received}; restore it from version control, or delete it to treat all files as your own`,
  )
}

function parseLine(
  { line, text }: Line,
  path: string,
): { readonly key: string; readonly table: LockedTable } {
  const [, quoted = '', body = ''] = /^,\s*("(?:\\.|[^"\\])*"):\s*(\{[^]*\})$/.exec(text) ?? []
  try {
    const { item, ...rest } = JSON.parse(body) as LockedTable
    const table = { ...rest, item: parseItem(JSON.stringify(item)) }
    const key = JSON.parse(quoted) as string
    if (isTable(table) && lockKey(table.item) === key) return { key, table }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw fault(
    `${path}:${line}`,
    'a line written by stagecraft',
    'something else; restore it from version control',
  )
}

/** The table itself is checked during generation. */
function isTable({
  dialect,
  former = {},
  generator,
  item,
  lost = {},
  model,
  names = {},
  properties,
  revision,
  settings,
  source,
  staged = {},
}: LockedTable): boolean {
  const parts = [model, ...(properties ? [properties] : []), ...(source ? [source] : [])]
  return (
    [generator, settings, model?.name, item?.request?.source].every((text) => typeof text === 'string') &&
    typeof item.table === 'object' &&
    Number.isSafeInteger(revision) &&
    DIALECT_NAMES.includes(dialect) &&
    Object.values(properties?.names ?? {}).every((name) => name === null || typeof name === 'string') &&
    isSql(properties?.sql ?? {}) &&
    [lost.raw ?? [], lost.staged ?? []].every(
      (names) => Array.isArray(names) && names.every((name) => typeof name === 'string'),
    ) &&
    [
      former.table ?? '',
      ...Object.values(former.columns ?? {}),
      ...[names, staged].flatMap(Object.values),
    ].every((name) => typeof name === 'string') &&
    parts.every(
      ({ path, sha256 }) => typeof path === 'string' && /^[0-9a-f]{64}$/.test(sha256) && isInside(path),
    )
  )
}

function isSql({ columns = {}, rows = [] }: LockedSql): boolean {
  return (
    Object.values(columns).every((way) => way === 'cast' || way === 'other') &&
    Array.isArray(rows) &&
    rows.every((row) => ['deleted', 'grain', 'key', 'versions'].includes(row))
  )
}

/** Refuses paths that lead out of the project: anyone may have written the file. */
function isInside(path: string): boolean {
  return !path.startsWith('/') && !/^[A-Za-z]:|\\/.test(path) && !path.split('/').includes('..')
}

/** Returns the lock with tables changed or, for undefined, removed; unchanged lines keep their revision. */
export function changeLock(
  lock: Lock,
  changes: Iterable<readonly [string, Omit<LockedTable, 'revision'> | undefined]>,
): Lock {
  const changed = new Map(lock)
  for (const [key, table] of changes) {
    const before = lock.get(key)
    if (!table) changed.delete(key)
    else if (!before || printTable({ ...table, revision: before.revision }) !== printTable(before))
      changed.set(key, { ...table, revision: (before?.revision ?? 0) + 1 })
  }
  return changed
}

function fault(path: string, expected: string, received: string): StagecraftError {
  return new StagecraftError('INVALID_REQUEST', `${path}: expected ${expected}, got ${received}`, {
    details: { faults: [{ path, expected, received }] },
  })
}
