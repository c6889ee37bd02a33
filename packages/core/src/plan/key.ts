import { StagecraftError } from '@stagecraft/spec'
import { lookUp } from '../config/settings.ts'
import { splitWord, toSnakeCase } from '../naming/tokens.ts'
import { OWN_ID_NAMES } from '../naming/rules.ts'
import { compareText } from '../source-name/stored-name.ts'
import { parseType } from '../sql/parse-type.ts'
import type { Evidence } from './plan.ts'
import type { Subject } from './subject.ts'

/** What identifies a row of the source, and how that is known. */
export interface Key {
  /** Columns as stored, in the order of the table. */
  readonly columns: readonly string[]
  readonly evidence: Evidence
}

/**
 * The key of a table: what the user says, else what is declared, else what the loader adds, else the one
 * column whose name and type say that it is the table's own id. Names decide nothing more.
 *
 * @throws {StagecraftError} INVALID_REQUEST when the configured key names a column that is not there.
 */
export function findKey(subject: Subject): Key | undefined {
  const key =
    configuredKey(subject) ??
    declaredKey(subject) ??
    loaderKey(subject, subject.loader?.key) ??
    keyByName(subject) ??
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
  throw new StagecraftError('INVALID_REQUEST', `tables.${table}.key: expected ${expected}, got "${column}"`, {
    details: { faults: [{ path: `tables.${table}.key`, expected, received: `"${column}"` }] },
  })
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

function keyByName(subject: Subject): Key | undefined {
  const named = subject.columns.filter((column) => isOwnId(column.name, subject))
  const [only] = named
  if (!only || named.length > 1 || !mayBeKey(only.type, subject)) return undefined
  return { columns: [only.name], evidence: 'name' }
}

/** `id`, or the table's entity with a word for a key: `payment_id`, `paymentid`, `payment_uuid`. */
function isOwnId(name: string, { entity, settings }: Subject): boolean {
  const words = toSnakeCase(name)
    .split('_')
    .flatMap((word) => splitWord(word, settings.vocabulary))
    .join('_')
  if (OWN_ID_NAMES.has(words)) return true
  const glued = words.replaceAll('_', '')
  const own = entity.singular.replaceAll('_', '')
  return ['id', 'uuid', 'guid', 'key'].some((ending) => glued === own + ending)
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
