import {
  type CatalogTable,
  type NamePart,
  type SourceName,
  StagecraftError,
  compareText,
  shorten,
} from '@stagecraft/spec'

const PLAIN = /^[\p{L}_][\p{L}\p{M}\p{N}_$]*$/u

/** Prints a stored name as a part of a source name, in double quotes unless it is a plain word. */
export function printName(name: string): string {
  return PLAIN.test(name) ? name : quote(name)
}

/** Prints a part of a requested name. */
function printPart({ quoted, text }: NamePart): string {
  return quoted ? quote(shorten(text)) : shorten(text)
}

/** Prints a requested source name. */
function printSource({ database, schema, table }: SourceName): string {
  return [database, schema, table].flatMap((part) => (part ? [printPart(part)] : [])).join('.')
}

/** Prints a list such as `a, b or c`. */
function orList(texts: readonly string[]): string {
  const last = texts.at(-1) ?? ''
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} or ${last}`
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

const MOST = 3

/**
 * Returns up to three similar names, closest first: those that contain the requested one or are contained in it, and
 * those that differ in few letters, with a swapped pair counting as one.
 */
export function nearestNames(wanted: string, names: Iterable<string>): readonly string[] {
  const lower = wanted.toLowerCase()
  const limit = Math.max(Math.min(lower.length - 1, 1), Math.floor(lower.length * 0.4))
  return [...new Set(names)]
    .map((name) => ({ name, distance: distanceTo(name.toLowerCase(), lower, limit) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance || compareText(a.name, b.name))
    .slice(0, MOST)
    .map(({ name }) => name)
}

function distanceTo(name: string, wanted: string, limit: number): number {
  const isPart = wanted.length > 2 && name.length > 2 && (name.includes(wanted) || wanted.includes(name))
  const difference = Math.abs(name.length - wanted.length)
  if (isPart) return difference / (difference + 1) // nearer than any name with another letter
  return difference > limit ? Infinity : editDistance(name, wanted)
}

/**
 * Returns the number of letters to insert, delete, replace or swap with their neighbour. Libraries count a
 * swapped pair, the most common typing error, as two.
 */
export function editDistance(a: string, b: string): number {
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, column - 2) + 1 : Infinity,
      )
    }
    beforeLast = last
    last = current
  }
  return at(last, b.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity
}

/** The result of looking up a part of a name among the stored names. */
type Match =
  | { readonly kind: 'one'; readonly name: string }
  | { readonly kind: 'none' }
  /** An unquoted part that differs from several names only in case. */
  | { readonly kind: 'many'; readonly names: readonly string[] }

/**
 * Finds the stored name of a part: the exact one, otherwise, for an unquoted part, the only name that differs
 * only in case.
 */
export function matchName(part: NamePart, names: Iterable<string>): Match {
  const lower = part.text.toLowerCase()
  const similar = new Set<string>()
  for (const name of names) {
    if (name === part.text) return { kind: 'one', name }
    if (!part.quoted && name.toLowerCase() === lower) similar.add(name)
  }
  const [name, ...others] = similar
  if (name === undefined) return { kind: 'none' }
  return others.length === 0 ? { kind: 'one', name } : { kind: 'many', names: [...similar] }
}

/** Returns the stored name for a part, if exactly one matches. */
export function findName(part: NamePart, names: Iterable<string>): string | undefined {
  const match = matchName(part, names)
  return match.kind === 'one' ? match.name : undefined
}

/** Returns the schema to request instead, if the name of the table is that of a schema: `stripe.*`. */
export function wholeSchema({ schema, table }: SourceName, schemas: Iterable<string>): readonly string[] {
  const name = schema ? undefined : findName(table, schemas)
  return name === undefined ? [] : [`${printName(name)}.*`]
}

/** The level at which the search for a source ended, and the names there. */
export interface Miss {
  readonly level: 'database' | 'schema' | 'table'
  /** The place that was searched: `the schema stripe`. */
  readonly place: string
  /** The names of that level there. */
  readonly names: readonly string[]
  /** Dotted names of tables with that name in other places, and a schema with that name: `stripe.*`. */
  readonly elsewhere?: readonly string[]
}

/** Creates the INVALID_SOURCE for a source that a catalog does not have, with similar names. */
export function missingSource(source: SourceName, miss: Miss): StagecraftError {
  const part = source[miss.level] ?? source.table
  const match = matchName(part, miss.names)
  if (match.kind === 'many') {
    const names = match.names.toSorted().map((name) => printPart({ text: name, quoted: true }))
    const problem = `${printPart(part)} may be ${orList(names)} in ${miss.place}`
    return invalidSource(source, problem, 'put the one you mean in double quotes')
  }
  const problem = `no ${miss.level} ${printPart(part)} in ${miss.place}`
  return invalidSource(source, problem, suggestLevels(source, miss) ?? suggest(part, miss))
}

/** Returns advice for a list of columns that has the dotted name of a table as its name. */
function suggestLevels(source: SourceName, { names }: Miss): string | undefined {
  const dotted = printSource(source).toLowerCase()
  const whole = names.find((name) => name.includes('.') && name.toLowerCase() === dotted)
  return (
    whole &&
    `a table there is called ${printName(whole)}, dots included; give database, schema and name separately`
  )
}

/** Creates the error for a name that matches several tables equally well. */
export function ambiguousSource(source: SourceName, tables: readonly string[]): StagecraftError {
  return invalidSource(source, `${printPart(source.table)} may be ${orList(tables)}`, 'write the full name')
}

/** The number of names to list if none is similar to the requested one. */
const LISTED = 10

function suggest(part: NamePart, { elsewhere = [], names, place }: Miss): string {
  const near = [...elsewhere.slice(0, 3), ...nearestNames(part.text, names).map(printName)].slice(0, 3)
  if (near.length > 0) return `did you mean ${orList(near)}?`
  const all = [...new Set(names)].toSorted(compareText).map(printName)
  if (all.length === 0) return 'check that it exists and that you may read it'
  const shown = all.slice(0, LISTED)
  const rest = all.length > shown.length ? `, and ${all.length - shown.length} more` : ''
  return `${place} has ${shown.join(', ')}${rest}`
}

function invalidSource(source: SourceName, problem: string, suggestion: string): StagecraftError {
  const message = `source ${printSource(source)}: ${problem}; ${suggestion}`
  return new StagecraftError('INVALID_SOURCE', message, { details: { suggestion } })
}

/** Orders tables by their stored names. */
export function compareTables(a: CatalogTable, b: CatalogTable): number {
  return (
    compareText(a.database ?? '', b.database ?? '') ||
    compareText(a.schema ?? '', b.schema ?? '') ||
    compareText(a.name, b.name)
  )
}
