import { type EditedItem, parseItem, printItem } from '@stagecraft/core/run'
import { DIALECT_NAMES, type DialectName, StagecraftError } from '@stagecraft/spec'

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
  /** Counts the changes of the line, which identifies the later one of two that a merge left. */
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
  const { dialect, former, generator, lost, model, names, properties, revision, settings, source } = rest
  const parts = { revision, generator, dialect, settings, model, properties, source, names, former, lost }
  const head = JSON.stringify(parts)
  return `${head.slice(0, -1)},"item":${printItem(item)}}`
}

/** Conflict markers of git, and the lines between `|||||||` and `=======`. */
const MARKERS = /^(?:<<<<<<<|=======|>>>>>>>).*$|^\|\|\|\|\|\|\|[^]*?(?=^=======)/gm

/**
 * Reads a lock. An unfinished merge of git is completed, unless both sides changed the same table. If a table appears
 * twice, as after `merge=union`, the later line counts.
 *
 * @param path For messages.
 * @throws {StagecraftError} INVALID_REQUEST with the invalid line, or with the tables that two branches changed
 * differently.
 */
export function parseLock(text: string, path: string = LOCK_FILE): Lock {
  const lines = text
    .replaceAll(MARKERS, (piece) => piece.replaceAll(/[^\n]/g, ''))
    .split(/\r?\n/)
    .map((line, index) => ({ text: line.trim(), line: index + 1 }))
    .filter(({ text }) => text !== '' && text !== '{' && text !== '}')
  const version = lines.filter(({ text }) => text.startsWith('"stagecraft":'))
  assertVersion(version, { text, path })
  const tables = new Map<string, LockedTable & { readonly line: number }>()
  for (const one of lines.filter((line) => !version.includes(line))) {
    const { key, table } = parseLine(one, path)
    const other = tables.get(key)
    if (other?.revision === table.revision && !isSame(other, table))
      throw twice(path, key, [other.line, one.line])
    if ((other?.revision ?? 0) <= table.revision) tables.set(key, { ...table, line: one.line })
  }
  return new Map([...tables].map(([key, { line: _, ...table }]) => [key, table]))
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
    [former.table ?? '', ...Object.values(former.columns ?? {}), ...Object.values(names)].every(
      (name) => typeof name === 'string',
    ) &&
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

function isSame(a: LockedTable & { readonly line: number }, b: LockedTable): boolean {
  const { line: _, ...table } = a
  return printTable(table) === printTable(b)
}

function twice(path: string, key: string, lines: readonly number[]): StagecraftError {
  const expected = 'one line for each table'
  return fault(
    path,
    expected,
    `two different ones for ${key} (lines ${lines.join(' and ')}), because two branches changed it; delete one of the two lines and run stagecraft plan`,
  )
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
