import { diff3Merge } from 'node-diff3'

/** Lines that both sides changed. */
export interface LineConflict {
  /** Number of the first line, from 1, in the text that is in the file. */
  readonly line: number
  readonly present: readonly string[]
  readonly base: readonly string[]
  readonly wanted: readonly string[]
}

/**
 * The way to settle a conflict: by both texts between git's markers, by the person's text, or by the
 * generated one.
 */
export type Settlement = 'markers' | 'ours' | 'theirs'

export interface LineMerge {
  /** With every conflict settled as was asked for; the person's lines where nothing was asked. */
  readonly text: string
  readonly conflicts: readonly LineConflict[]
}

export interface ThreeTexts {
  /** As it was generated. */
  readonly base: string
  /** As it is in the file. */
  readonly present: string
  /** As it is generated now. */
  readonly wanted: string
}

/** Merges line by line. Lines end as those of the text that is in the file. */
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

/** Returns the lines of a settled conflict; markers are those of `git merge` with `merge.conflictStyle = diff3`. */
export function settle({ base, present, wanted }: Sides, settlement: Settlement): readonly string[] {
  if (settlement === 'ours') return present
  if (settlement === 'theirs') return wanted
  return ['<<<<<<< ours', ...present, '||||||| base', ...base, '=======', ...wanted, '>>>>>>> theirs']
}
