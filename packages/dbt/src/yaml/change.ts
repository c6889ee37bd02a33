import { isDeepStrictEqual } from 'node:util'
import { Refusal } from './refusal.ts'
import type { YamlEntry, YamlValue } from './yaml-edit.ts'
import { parseYaml, type YamlFile, type YamlPath } from './yaml-file.ts'

/** A piece of text that takes the place of another one. */
export interface Splice {
  readonly start: number
  /** The offset behind the replaced text; `start` for an insertion. */
  readonly end: number
  readonly text: string
}

/** The meaning of a change for the data. */
type Meaning =
  | { readonly kind: 'insert'; readonly list: YamlPath; readonly index: number; readonly value: YamlValue }
  | { readonly kind: 'set'; readonly path: YamlPath; readonly value: YamlValue }
  | { readonly kind: 'remove'; readonly path: YamlPath }

/** A change of the text, and what it is to mean. */
export interface Change {
  /** They do not overlap. */
  readonly splices: readonly Splice[]
  readonly meaning: Meaning
}

/**
 * Changes the text, reads it again and compares its data with what was meant.
 *
 * @throws {Refusal} When the new text does not say what was meant.
 */
export function commitChange(file: YamlFile, { meaning, splices }: Change): YamlFile {
  const text = applySplices(file.text, splices)
  const place = splices[0]?.start ?? 0
  const expected = changeData(file.data, meaning)
  try {
    const changed = parseYaml({ path: file.path, text })
    if (isDeepStrictEqual(changed.data ?? {}, expected ?? {})) return changed // an emptied file is null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  throw new Refusal('it is written in a way that cannot be edited safely; edit it by hand', place)
}

function applySplices(text: string, splices: readonly Splice[]): string {
  return splices
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, { end, start, text: inserted }) => rest.slice(0, start) + inserted + rest.slice(end), text)
}

/** The data after a change; what was given stays as it was. */
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

/** The map that a value is; an empty one for anything else. */
export function asEntry(value: YamlValue | undefined): YamlEntry {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as YamlEntry) : {}
}
