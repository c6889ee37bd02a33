import { type EditedItem, parseItem, printItem } from '@stagecraft/core/run'
import { DIALECT_NAMES, type DialectName, StagecraftError } from '@stagecraft/spec'

/** The file that says what was generated from what. It belongs under version control. */
export const LOCK_FILE = 'stagecraft.lock'

/** The record of a generated part of a file. */
export interface LockedPart {
  /** Relative to the folder of the dbt project. */
  readonly path: string
  /** SHA-256 in hex: of the text of a model as it was generated, of the data of an entry of YAML. */
  readonly sha256: string
}

/** What the SQL of a model does otherwise; see `OwnSql`. */
export interface LockedSql {
  readonly columns?: Readonly<Record<string, 'cast' | 'other'>>
  readonly rows?: readonly ('deleted' | 'grain' | 'key' | 'versions')[]
}

/** Names under which the configuration has settings of a table that was renamed, or of its columns. */
export interface LockedFormerKeys {
  readonly table?: string
  /** By the names of now. */
  readonly columns?: Readonly<Record<string, string>>
}

/** One table: what it was like, and what was generated from it. */
export interface LockedTable {
  /** Request, table and what a language model was allowed to decide: the input of its generation. */
  readonly item: EditedItem
  /** Counts the changes of the line, so that of two that a merge left the later one is known. */
  readonly revision: number
  /** The SQL that it was generated in. */
  readonly dialect: DialectName
  /** The version of Stagecraft that generated it. */
  readonly generator: string
  /** A hash of configuration, dialect and dbt version. */
  readonly settings: string
  readonly model: LockedPart & {
    readonly name: string
    /** A person gave it its name or place, which stay whatever the configuration says. @default false */
    readonly byHand?: true
  }
  /** Its entry in a models file; undefined when none was written. */
  readonly properties:
    | (LockedPart & {
        /**
         * The names under which a person's SQL selects generated columns, by the names that they were generated with; null
         * for a column that it does not select. @default all have their generated names
         */
        readonly names?: Readonly<Record<string, string | null>>
        /**
         * What a person's SQL does otherwise than the generated one, where something was left out of the entry for that.
         * @default nothing
         */
        readonly sql?: LockedSql
      })
    | undefined
  /** Its entry in a sources file, with the names that dbt knows it by; undefined for a table that is read by `ref`. */
  readonly source: (LockedPart & { readonly name: string; readonly table: string }) | undefined
  /**
   * Staged names that the rules would not give to the table as it is, by stored names: columns have them since before
   * another one came that may have the name too. @default all have the names of the rules
   */
  readonly names?: Readonly<Record<string, string>> | undefined
  /** Names of settings that hold for it until the configuration has them under the names of now. @default none */
  readonly former?: LockedFormerKeys | undefined
}

/** Tables by key; see `lockKey`. */
export type Lock = ReadonlyMap<string, LockedTable>

/** The layout of the file. A later one is refused with the advice to update. */
const VERSION = 1

/** Returns the key of a table: its source name, with the type of model where that is not staging. */
export function lockKey({ request: { source, type } }: Pick<EditedItem, 'request'>): string {
  return type === 'staging' ? source : `${source} (${type})`
}

/**
 * Prints a lock: JSON with one line per table, each complete in itself, in the order of their keys. So git merges two
 * branches that add tables, and a conflict is one of whole tables.
 */
export function printLock(lock: Lock): string {
  const tables = [...lock].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const lines = tables.map(([key, table]) => `,${JSON.stringify(key)}: ${printTable(table)}`)
  return ['{', `"stagecraft": ${VERSION}`, ...lines, '}', ''].join('\n').replaceAll(SEPARATORS, escapeUnicode)
}

/** Characters that JSON leaves as they are and that many programs take for the end of a line. */
const SEPARATORS = /[\u0085\u2028\u2029]/g

function escapeUnicode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function printTable({ item, ...rest }: LockedTable): string {
  const { dialect, former, generator, model, names, properties, revision, settings, source } = rest
  const parts = { revision, generator, dialect, settings, model, properties, source, names, former }
  const head = JSON.stringify(parts)
  return `${head.slice(0, -1)},"item":${printItem(item)}}`
}

/** Markers of a merge that git could not finish, and their lines between `|||||||` and `=======`. */
const MARKERS = /^(?:<<<<<<<|=======|>>>>>>>).*$|^\|\|\|\|\|\|\|[^]*?(?=^=======)/gm

/**
 * Reads a lock. A merge that git left unfinished is finished, unless both sides changed the same table. Of a table that is in the file twice, as `merge=union` may leave it, the later line counts.
 *
 * @param path For messages.
 * @throws {StagecraftError} INVALID_REQUEST with the line that is not as Stagecraft writes it, or the tables of which two
 * branches say different things.
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
      `one of layout ${version}, which a later stagecraft wrote; update stagecraft`,
    )
  }
  const received = text.trim() === '' ? 'an empty file' : 'another file'
  throw fault(
    path,
    'a lock that stagecraft wrote',
    `${received}; restore it from version control, or delete it to treat all files as yours`,
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
    'a line as stagecraft writes it',
    'something else; restore it from version control',
  )
}

/** The table itself is checked when something is generated from it. */
function isTable({
  dialect,
  former = {},
  generator,
  item,
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

/** A path comes from a file that anybody may have written: it must not lead out of the project. */
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

/** Returns the lock with tables changed or, with undefined, removed; a line that stays as it is keeps its revision. */
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
