import { diff3Merge } from 'node-diff3'

/** Lines that both sides changed. */
export interface LineConflict {
  /** The number of the first line in the file, from 1. */
  readonly line: number
  readonly present: readonly string[]
  readonly base: readonly string[]
  readonly wanted: readonly string[]
}

/** The way to resolve a conflict: both texts between git's markers, the person's text, or the generated one. */
export type Settlement = 'markers' | 'ours' | 'theirs'

export interface LineMerge {
  /** The text with every conflict resolved as requested; by default with the person's lines. */
  readonly text: string
  readonly conflicts: readonly LineConflict[]
}

export interface ThreeTexts {
  /** The text as generated before. */
  readonly base: string
  /** The text in the file. */
  readonly present: string
  /** The text as generated now. */
  readonly wanted: string
}

/** Merges line by line. Line endings follow the file. */
export function mergeLines(
  { base, present, wanted }: ThreeTexts,
  settlement: Settlement = 'ours',
): LineMerge {
  const ending = present.includes('\r\n') ? '\r' : ''
  const linesOf = (text: string): string[] =>
    text.split(/\r?\n/).map((line, at, all) => line + (at + 1 < all.length ? ending : ''))
  const regions = diff3Merge(present.split('\n'), linesOf(base), linesOf(wanted), {
    excludeFalseConflicts: true,
  })
  const conflicts: LineConflict[] = []
  const merged = regions.flatMap(({ conflict, ok }) => {
    if (!conflict) return ok ?? []
    const found = { line: conflict.aIndex + 1, present: conflict.a, base: conflict.o, wanted: conflict.b }
    conflicts.push(found)
    return settle(found, settlement)
  })
  return { text: merged.join('\n'), conflicts }
}

type Sides = Pick<LineConflict, 'base' | 'present' | 'wanted'>

/** Returns the lines of a resolved conflict; markers are those of `git merge` with `merge.conflictStyle = diff3`. */
export function settle({ base, present, wanted }: Sides, settlement: Settlement): readonly string[] {
  if (settlement === 'ours') return present
  if (settlement === 'theirs') return wanted
  return ['<<<<<<< ours', ...present, '||||||| base', ...base, '=======', ...wanted, '>>>>>>> theirs']
}
