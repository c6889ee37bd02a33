import { isDeepStrictEqual } from 'node:util'
import { Refusal } from './refusal.ts'
import type { YamlEntry, YamlValue } from './yaml-edit.ts'
import { parseYaml, type YamlFile, type YamlPath } from './yaml-file.ts'

/** A replacement of a piece of text. */
export interface Splice {
  readonly start: number
  /** The offset after the replaced text; `start` for an insertion. */
  readonly end: number
  readonly text: string
}

/** The meaning of a change for the data. */
type Meaning =
  | { readonly kind: 'insert'; readonly list: YamlPath; readonly index: number; readonly value: YamlValue }
  | { readonly kind: 'set'; readonly path: YamlPath; readonly value: YamlValue }
  | { readonly kind: 'remove'; readonly path: YamlPath }

/** A change of the text, and its intended meaning. */
export interface Change {
  /** They do not overlap. */
  readonly splices: readonly Splice[]
  readonly meaning: Meaning
}

/**
 * Changes the text, reads it again and compares its data with the intended data.
 *
 * @throws {Refusal} If the new text does not have the intended data.
 */
export function commitChange(file: YamlFile, change: Change): YamlFile {
  return commitChanges(file, [change])
}

/**
 * Applies changes that all refer to the same text, at once. Insertions at the same place keep their order.
 *
 * @throws {Refusal} If the new text does not have the intended data.
 */
export function commitChanges(file: YamlFile, changes: readonly Change[]): YamlFile {
  const splices = changes.flatMap((change) => change.splices)
  const text = applySplices(file.text, splices)
  const place = splices[0]?.start ?? 0
  const expected = inSafeOrder(changes).reduce((data, { meaning }) => changeData(data, meaning), file.data)
  try {
    const changed = parseYaml({ path: file.path, text })
    if (isDeepStrictEqual(changed.data ?? {}, expected ?? {})) return changed // an emptied file is null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  throw new Refusal('it is written in a way that cannot be edited safely; edit it by hand', place)
}

/** Splices the text after its byte order mark, which always stays first. */
function applySplices(text: string, splices: readonly Splice[]): string {
  const mark = text.startsWith('\uFEFF') ? 1 : 0
  let from = 0
  const pieces = splices
    .map((splice) => ({ ...splice, start: Math.max(mark, splice.start), end: Math.max(mark, splice.end) }))
    .toSorted((a, b) => a.start - b.start)
    .flatMap(({ end, start, text: inserted }) => {
      const kept = text.slice(from, start)
      from = Math.max(from, end)
      return [kept, inserted]
    })
  return [...pieces, text.slice(from)].join('')
}

/** Orders changes so that each path stays valid: changes that move others come last, from the end. */
function inSafeOrder(changes: readonly Change[]): readonly Change[] {
  const moves = ({ meaning }: Change): boolean => meaning.kind !== 'set'
  const listOf = ({ meaning }: Change): YamlPath =>
    meaning.kind === 'insert' ? meaning.list : meaning.path.slice(0, -1)
  const indexOf = ({ meaning }: Change): string | number | undefined =>
    meaning.kind === 'insert' ? meaning.index : meaning.path.at(-1)
  const byIndex = (a: Change, b: Change): number => {
    const [one, other] = [indexOf(a), indexOf(b)]
    return typeof one === 'number' && typeof other === 'number' ? other - one : 0
  }
  return [
    ...changes.filter((change) => !moves(change)),
    ...changes
      .filter(moves)
      .toReversed()
      .toSorted((a, b) => listOf(b).length - listOf(a).length || byIndex(a, b)),
  ]
}

/** Returns the data after a change; the input is not modified. */
function changeData(data: YamlValue, meaning: Meaning): YamlValue {
  const path = meaning.kind === 'insert' ? meaning.list : meaning.path
  const [step, ...rest] = path
  if (step === undefined) return changeHere(data, meaning)
  if (meaning.kind === 'remove' && rest.length === 0) return without(data, step)
  const inner = shorten(meaning, rest)
  if (Array.isArray(data))
    return data.map((item: YamlValue, index) => (index === step ? changeData(item, inner) : item))
  const entry = asEntry(data)
  return { ...entry, [step]: changeData(entry[step] ?? null, inner) }
}

function changeHere(data: YamlValue, meaning: Meaning): YamlValue {
  if (meaning.kind === 'set') return meaning.value
  if (meaning.kind === 'remove') return null
  const items: readonly YamlValue[] = Array.isArray(data) ? data : []
  return items.toSpliced(meaning.index, 0, meaning.value)
}

function shorten(meaning: Meaning, path: YamlPath): Meaning {
  return meaning.kind === 'insert' ? { ...meaning, list: path } : { ...meaning, path }
}

function without(data: YamlValue, step: string | number): YamlValue {
  if (Array.isArray(data)) return data.filter((_, index) => index !== step)
  const { [step]: _removed, ...rest } = asEntry(data)
  return rest
}

/** Returns a value that is a map; an empty map for anything else. */
export function asEntry(value: YamlValue | undefined): YamlEntry {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as YamlEntry) : {}
}
