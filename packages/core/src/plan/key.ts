import { StagecraftError, compareText } from '@stagecraft/spec'
import { lookUp } from '../config/settings.ts'
import { inNumber } from '../naming/entity.ts'
import { toSnakeCase } from '../naming/tokens.ts'
import { parseType } from '../sql/parse-type.ts'
import { firstKey, isOwnId } from './key-names.ts'
import type { Evidence } from './plan.ts'
import { type CommentReference, readComment } from './read-comment.ts'
import type { Subject } from './subject.ts'

/**
 * Columns that say which extract or version of something a row is, so that its id comes again. What slowly
 * changing dimensions and partitioned extracts call them.
 */
const EXTRACT_MARKS: ReadonlySet<string> = new Set(
  `as_of as_of_date asof_date ds dt effective_from effective_to extract_date is_current partition_date
   snapshot_at snapshot_date snapshot_day snapshot_ts ts valid_from valid_to valid_until version version_no
   version_number`
    .trim()
    .split(/\s+/),
)

/** The columns that identify a row of the source, and the evidence for it. */
export interface Key {
  /** Columns as stored, in the order of the table. */
  readonly columns: readonly string[]
  readonly evidence: Evidence
  /** Only a name tells it, and other columns mark extracts or versions, so that rows may repeat it. */
  readonly repeats?: true
}

/**
 * The key of a table: what the user says, else what is declared, else what comments say, else what the loader
 * adds, else the one column whose name and type say that it is the table's own id. Names decide nothing more.
 *
 * @throws {StagecraftError} INVALID_REQUEST when the configured key names a column that is not there.
 */
export function findKey(subject: Subject): Key | undefined {
  const key =
    configuredKey(subject) ??
    declaredKey(subject) ??
    commentKey(subject) ??
    loaderKey(subject, subject.loader?.key) ??
    (subject.table.observed ? observedKey(subject) : keyByName(subject)) ??
    loaderKey(subject, subject.loader?.rowKey)
  return key && withHistory(inTableOrder(key, subject), subject)
}

function configuredKey({ columns, name, settings }: Subject): Key | undefined {
  const { key } = settings.table
  if (!key) return undefined
  const byName = Object.fromEntries(columns.map((column) => [column.name, column.name]))
  const found = key.map((wanted) => lookUp(byName, wanted) ?? missingColumn(wanted, name.table))
  return { columns: found, evidence: 'configuration' }
}

function missingColumn(column: string, table: string): never {
  const expected = `columns of ${table}`
  throw StagecraftError.invalid({ path: `tables.${table}.key`, expected, received: `"${column}"` })
}

function declaredKey({ columns, table }: Subject): Key | undefined {
  if (table.primaryKey) return { columns: table.primaryKey, evidence: 'primary key' }
  const isNullable = (name: string): boolean =>
    columns.find((column) => column.name === name)?.nullable !== false
  const unique = (table.uniqueKeys ?? [])
    .filter((key) => !key.some(isNullable))
    .toSorted((a, b) => a.length - b.length || compareText(a.join('\0'), b.join('\0')))[0]
  return unique && { columns: unique, evidence: 'unique constraint' }
}

/** A key that the loader vouches for. */
function loaderKey({ columns }: Subject, wanted: string | undefined): Key | undefined {
  const column = columns.find(({ name }) => name.toLowerCase() === wanted)
  return column && { columns: [column.name], evidence: 'loader' }
}

/** Rows from which on it is no accident that they are told apart. */
const TELLING_ROWS = 100

/** A key that the rows keep; from few rows it is worth no more than its name. */
function observedKey({ table }: Subject): Key | undefined {
  const { key, rows } = table.observed ?? { key: undefined, rows: 0 }
  if (!key) return undefined
  const isTelling = rows >= TELLING_ROWS && key.confidence >= 0.97
  return { columns: key.columns, evidence: isTelling ? 'rows' : 'name' }
}

/** One column whose comment says so, or all of those that are parts of the key by their comments. */
function commentKey(subject: Subject): Key | undefined {
  const facts = subject.columns.map((column) => ({ column, facts: readComment(column.comment) }))
  const whole = facts.filter(
    ({ facts: { key, reference } }) => key === 'whole' || isOwnKey(reference, subject),
  )
  const parts = facts.filter(({ facts: { key } }) => key === 'part')
  const [only] = whole
  if (only && whole.length === 1 && parts.length === 0 && mayBeKey(only.column.type, subject))
    return { columns: [only.column.name], evidence: 'comment' }
  if (whole.length > 0 || parts.length < 2) return undefined
  return { columns: parts.map(({ column }) => column.name), evidence: 'comment' }
}

/** `primary key of the orders table`, said in the table `orders`. */
function isOwnKey(reference: CommentReference | undefined, { name }: Subject): boolean {
  const said = reference?.isKeyOf ? (reference.path.at(-1) ?? '') : ''
  return said !== '' && inNumber(toSnakeCase(said), 'plural') === inNumber(toSnakeCase(name.table), 'plural')
}

function keyByName(subject: Subject): Key | undefined {
  const named = subject.columns.filter((column) => isOwnId(column.name, subject))
  const first = firstKey(subject)
  const [only, ...others] = first === undefined || named.includes(first) ? named : [...named, first]
  if (!only || others.length > 0 || isElement(subject) || !mayBeKey(only.type, subject)) return undefined
  const marked = subject.columns.some(({ name }) => EXTRACT_MARKS.has(toSnakeCase(name)))
  return { columns: [only.name], evidence: 'name', ...(marked && { repeats: true as const }) }
}

/**
 * Returns true if rows are numbered within a parent, as some loaders unfold lists: `checkout_id`, `index`,
 * `id`.
 */
function isElement({ columns }: Subject): boolean {
  const [parent = '', number] = columns.map(({ name }) => toSnakeCase(name))
  return parent.endsWith('_id') && number === 'index'
}

function mayBeKey(type: string, { settings }: Subject): boolean {
  const { arguments: numbers, family } = parseType(type, settings.dialect)
  if (family === 'decimal') return (numbers[1] ?? 0) === 0
  return family === 'integer' || family === 'string' || family === 'uuid'
}

function withHistory(key: Key, { columns, loader }: Subject): Key {
  const start = columns.find((column) => column.name.toLowerCase() === loader?.historyKey)
  if (!start || key.columns.includes(start.name) || key.evidence === 'loader') return key
  return { ...key, columns: [...key.columns, start.name] }
}

function inTableOrder(key: Key, { columns }: Subject): Key {
  const wanted = new Set(key.columns)
  return { ...key, columns: columns.map((column) => column.name).filter((name) => wanted.has(name)) }
}
