import { type NamePart, type SourceName, StagecraftError, compareText } from '@stagecraft/spec'
import { nearestNames } from './nearest-names.ts'
import { orList, printName, printPart, printSource } from './print-names.ts'

/** The result of looking up a part of a name among the stored names. */
export type Match =
  | { readonly kind: 'one'; readonly name: string }
  | { readonly kind: 'none' }
  /** An unquoted part that differs from several names in case alone. */
  | { readonly kind: 'many'; readonly names: readonly string[] }

/**
 * Finds the stored name that a part means: the very same; for an unquoted part without one, the only name that
 * differs in case alone.
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

/** The stored name that a part means, when it means exactly one. */
export function findName(part: NamePart, names: Iterable<string>): string | undefined {
  const match = matchName(part, names)
  return match.kind === 'one' ? match.name : undefined
}

/** The level at which the search for a source ended, and the names there. */
export interface Miss {
  readonly level: 'database' | 'schema' | 'table'
  /** The place that was searched: `the schema stripe`. */
  readonly place: string
  /** The names of that level there. */
  readonly names: readonly string[]
  /** Tables of the wanted name in other places, dotted. */
  readonly elsewhere?: readonly string[]
}

/** The error for a source that a catalog does not have: INVALID_SOURCE with the names that may have been meant. */
export function missingSource(source: SourceName, miss: Miss): StagecraftError {
  const part = source[miss.level] ?? source.table
  const match = matchName(part, miss.names)
  if (match.kind === 'many') {
    const names = match.names.toSorted().map((name) => printPart({ text: name, quoted: true }))
    const problem = `${printPart(part)} may be ${orList(names)} in ${miss.place}`
    return invalidSource(source, problem, 'write the one you mean in double quotes')
  }
  return invalidSource(source, `no ${miss.level} ${printPart(part)} in ${miss.place}`, suggest(part, miss))
}

/** The error for a name that fits several tables equally well. */
export function ambiguousSource(source: SourceName, tables: readonly string[]): StagecraftError {
  return invalidSource(source, `${printPart(source.table)} may be ${orList(tables)}`, 'write the whole name')
}

/** The number of names to list if none resembles the wanted one. */
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
