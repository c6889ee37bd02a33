import { checkDialect } from './config/check-shape.ts'
import type { Dialect } from '@stagecraft/dialects'
import {
  type NamePart,
  type SourceName,
  StagecraftError,
  shorten,
  type Table,
  type TableSelector,
  compareText,
} from '@stagecraft/spec'
import { foldCase } from './sql/identifiers.ts'

/** The place of a table, spelled as stored. */
export interface StoredName {
  readonly database: string | undefined
  readonly schema: string | undefined
  readonly table: string
}

/**
 * Returns the stored spelling of a name: that of the catalog, else the part itself as the dialect folds it. Levels
 * that were not requested are omitted, so the output names no more than the user did.
 */
export function storedName(name: SourceName, table: Table, dialect: Dialect): StoredName {
  const spelled = (part: NamePart): string => (part.quoted ? part.text : foldCase(part.text, dialect))
  return {
    database: name.database && (table.database ?? spelled(name.database)),
    schema: table.schema ?? (name.schema && spelled(name.schema)),
    table: table.name ?? spelled(name.table),
  }
}

/** Orders names by code unit, the same on every machine. */
export function compareNames(a: StoredName, b: StoredName): number {
  return (
    compareText(a.database ?? '', b.database ?? '') ||
    compareText(a.schema ?? '', b.schema ?? '') ||
    compareText(a.table, b.table)
  )
}

const QUOTES: Readonly<Record<string, string>> = { '"': '"', '`': '`', '[': ']' }

/** Matches the characters of an unquoted part: letters of any script, digits, `_` and `$`. */
const BARE = /[\p{L}\p{M}\p{N}_$]/u

/**
 * Reads a dotted source name. Parts may be in double quotes, backticks or brackets, and a closing quote inside them
 * is doubled. One pair of backticks may hold a whole BigQuery path. A wildcard table of BigQuery (`events_*`) is one
 * name.
 *
 * @throws {StagecraftError} INVALID_REQUEST that says at which character reading stopped.
 */
export function parseSourceName(text: string, dialect: Dialect): SourceName {
  checkDialect(dialect)
  if (typeof text !== 'string')
    throw StagecraftError.invalid({ path: 'text', expected: 'a dotted name', received: typeof text })
  return toSourceName(splitParts(text, { dialect, allowStar: false }), text, dialect)
}

/**
 * Reads what to generate: a source name, or `schema.*` for every table of a schema.
 *
 * @throws {StagecraftError} INVALID_REQUEST that says at which character reading stopped.
 */
export function parseSelector(text: string, dialect: Dialect): TableSelector {
  const parts = splitParts(text, { dialect, allowStar: true })
  const last = parts.at(-1)
  if (last && !last.quoted && last.text === '*') {
    const { database, schema } = toSourceName(parts, text, dialect)
    if (!schema) throw tooManyParts(text, dialect)
    return { schema, ...(database && { database }) }
  }
  const { table, ...rest } = toSourceName(parts, text, dialect)
  return { ...rest, tables: [table] }
}

interface Rules {
  readonly dialect: Dialect
  readonly allowStar: boolean
}

function splitParts(text: string, rules: Rules): readonly NamePart[] {
  const parts: NamePart[] = []
  let at = 0
  for (;;) {
    const { part, end } = readPart(text, at, rules)
    const mayBePath = text[at] === '`' && rules.dialect.identifiers.paths.quotedWhole
    parts.push(...(mayBePath ? splitQuotedPath(part) : [part]))
    if (end === text.length) return parts
    if (text[end] !== '.') throw faultAt(text, end, 'a "." or the end of the name')
    at = end + 1
  }
}

/**
 * Splits a whole path in one pair of backticks; the dots of a domain-scoped project (`example.com:raw`) do not count.
 */
function splitQuotedPath(part: NamePart): readonly NamePart[] {
  const path = /^((?:[^:]+:)?[^.:]+)((?:\.[^.]+)+)$/.exec(part.text)
  if (!path) return [part]
  const [, first = '', rest = ''] = path
  return [first, ...rest.slice(1).split('.')].map((text) => ({ text, quoted: true }))
}

function readPart(text: string, start: number, rules: Rules): { part: NamePart; end: number } {
  const close = QUOTES[text[start] ?? '']
  return close === undefined ? readBare(text, start, rules) : readQuoted(text, start, close)
}

function readQuoted(text: string, start: number, close: string): { part: NamePart; end: number } {
  let name = ''
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] !== close) {
      name += text[at]
    } else if (text[at + 1] === close) {
      name += close
      at++
    } else if (name === '') {
      throw faultAt(text, at, 'a name between the quotes')
    } else {
      return { part: { text: name, quoted: true }, end: at + 1 }
    }
  }
  throw faultAt(text, text.length, `a closing ${close}`)
}

function readBare(
  text: string,
  start: number,
  { allowStar, dialect }: Rules,
): { part: NamePart; end: number } {
  let end = start
  for (const character of text.slice(start)) {
    if (!BARE.test(character) && !(character === '-' && dialect.identifiers.paths.hyphens)) break
    end += character.length
  }
  const isStar = text[end] === '*' && end + 1 === text.length
  const isWildcard = isStar && end > start && dialect.identifiers.paths.wildcards
  const isAll = isStar && end === start && start > 0 && allowStar
  if (isWildcard || isAll) end++
  if (end === start) throw faultAt(text, start, 'a name, or a name in quotes')
  return { part: { text: text.slice(start, end), quoted: false }, end }
}

function toSourceName(parts: readonly NamePart[], text: string, dialect: Dialect): SourceName {
  const levels = dialect.identifiers.namespaces.length
  const table = parts.at(-1)
  const above = parts.slice(0, -1)
  if (!table || (above.length > levels && !dialect.identifiers.nestedSchemas))
    throw tooManyParts(text, dialect)
  if (above.length <= 1) return above[0] ? { table, schema: above[0] } : { table }
  const [database, ...schemas] = above
  const schema = schemas.length === 1 && schemas[0] ? schemas[0] : joinSchemas(schemas)
  return { table, schema, ...(database && { database }) }
}

/** Joins nested schemas into one dbt schema with dots. */
function joinSchemas(schemas: readonly NamePart[]): NamePart {
  return { text: schemas.map((part) => part.text).join('.'), quoted: schemas.some((part) => part.quoted) }
}

function tooManyParts(text: string, dialect: Dialect): StagecraftError {
  const expected = `at most ${[...dialect.identifiers.namespaces, 'table'].join('.')} in ${dialect.name}`
  return fault(text, expected, shorten(text))
}

function faultAt(text: string, at: number, expected: string): StagecraftError {
  const point = text.codePointAt(at)
  const received = point === undefined ? 'the end' : JSON.stringify(String.fromCodePoint(point))
  return fault(text, expected, `${received} at position ${at + 1}`)
}

function fault(text: string, expected: string, received: string): StagecraftError {
  const hint = /^[*.]+$/.test(text)
    ? 'stripe.* takes all tables of the schema stripe, and --all on the command line those of all schemas'
    : `separate parts with dots, and quote parts that are not plain names: ${quotedExample(text)}`
  return new StagecraftError(
    'INVALID_REQUEST',
    `source: expected ${expected}, got ${received} in ${JSON.stringify(shorten(text))}; ${hint}`,
    { details: { faults: [{ path: 'source', expected, received }] } },
  )
}

/** Returns the text with quotes where they are missing, if that can be told; else an example. */
function quotedExample(text: string): string {
  const parts = text.split('.')
  const isShort = text.length <= 60 && /^[^\p{C}"]+$/u.test(text) && !parts.includes('')
  const quoted = parts
    .map((part) => (/^(?:\*|[\p{L}\p{M}\p{N}_$]+)$/u.test(part) ? part : `"${part}"`))
    .join('.')
  return isShort && quoted !== text ? quoted : 'raw.stripe."Weird name"'
}

/** Prints a stored name as a user would type it: dotted, with quotes if reading it back would change it. */
export function printSourceName({ database, schema, table }: StoredName, dialect: Dialect): string {
  const parts = [database, schema, table].filter((part) => part !== undefined)
  return parts.map((part) => (isPlain(part, dialect) ? part : `"${part.replaceAll('"', '""')}"`)).join('.')
}

function isPlain(part: string, dialect: Dialect): boolean {
  return /^[\p{L}\p{M}\p{N}_$]+$/u.test(part) && foldCase(part, dialect) === part
}
