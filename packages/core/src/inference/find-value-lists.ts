import type { ColumnValue, ProfiledValue } from '@stagecraft/spec'
import { languageOfYesAndNo } from '../plan/conversions.ts'
import { saysYesOrNo } from '../sql/types.ts'
import * as words from './fact-words.ts'
import type { Finding, ProfiledColumn } from './finding.ts'

/** The fewest rows per value that show a list. */
const ROWS_PER_VALUE = 20
/**
 * The fewest rows of each value. A rare value indicates others that were not seen yet: if the rarest occurs ten
 * times, a value that is half as frequent is missed once in 150 tables.
 */
const FEWEST_OF_A_VALUE = 10
const MOST_TEXTS = 20
const MOST_NUMBERS = 8

/**
 * Finds a list that is the same in the older and the newer half of the table. In a column that is named like a list,
 * one half may lack some values. Without halves, only such a column counts.
 */
export function closedList({
  filled,
  identifies,
  kind,
  mayBeFlag,
  name,
  profile,
  refers,
  words: { ending, words: all },
}: ProfiledColumn): Finding | undefined {
  const { values } = profile
  const last = all.at(-1) ?? ''
  if (!values || identifies || refers || ending !== '' || words.OPEN_WORDS.has(last)) return undefined
  const isNamed = words.LIST_WORDS.has(last) || (mayBeFlag && saysYesOrNo(name)) // states, not yes and no
  const isNumbers = kind === 'number'
  const count = values.length
  if (count < 2 || count > (isNumbers ? MOST_NUMBERS : MOST_TEXTS) || (isNumbers && !isNamed))
    return undefined
  if (!isNumbers && values.some(({ value }) => !isCode(String(value)))) return undefined
  if (filled < ROWS_PER_VALUE * count || values.some(({ rows }) => rows < FEWEST_OF_A_VALUE)) return undefined
  const share = shareInBothHalves(values)
  const confidence =
    share === undefined
      ? isNamed
        ? 0.8
        : 0
      : isNamed
        ? share === 1
          ? 0.95
          : share >= 0.8
            ? 0.86
            : 0
        : share === 1
          ? 0.88
          : 0
  if (confidence === 0 || (isNumbers && share !== 1)) return undefined
  return {
    fact: { kind: 'values', values: sorted(values) },
    rule: isNamed ? 'named_list' : 'same_list_in_both_halves',
    confidence,
  }
}

/**
 * Returns true for short words. Plain digits are ids, lists of days are never complete, and braces and brackets
 * enclose lists.
 */
function isCode(text: string): boolean {
  return text.length <= 30 && !/^\s*\d*\s*$|[[\]{}"]|\d[./-]\d+[./-]\d/.test(text)
}

/** Finds yes and no in a language other than English. */
export function foreignFlagList(column: ProfiledColumn): Finding | undefined {
  const values = column.profile.values?.map(({ value }) => value) ?? []
  const language = column.kind === 'text' ? languageOfYesAndNo(values) : undefined
  const found = language !== undefined && !column.identifies && !column.refers && flagList(column)
  return found ? { ...found, rule: `yes_and_no_in_${language}` } : undefined
}

/** The rule of lists of yes and no. */
export const FLAG = 'both_of_a_flag'

/** Returns true if the values of a column that may be boolean are 0 and 1, whatever its name. */
export function isZeroOrOne({
  identifies,
  mayBeFlag,
  profile: { values = [] },
  refers,
}: ProfiledColumn): boolean {
  return mayBeFlag && !identifies && !refers && values.every(({ value }) => /^[01]$/.test(String(value)))
}

/** Finds both spellings of yes and no: if both are frequent, there will be no third value. */
export function flagList({ filled, profile: { values = [] } }: ProfiledColumn): Finding | undefined {
  const isOften = values.every(({ rows }) => rows >= FEWEST_OF_A_VALUE)
  if (values.length !== 2 || !isOften || filled < ROWS_PER_VALUE * 2) return undefined
  if (shareInBothHalves(values) !== 1) return undefined
  return { fact: { kind: 'values', values: sorted(values) }, rule: FLAG, confidence: 0.95 }
}

function shareInBothHalves(values: readonly ProfiledValue[]): number | undefined {
  if (values.some(({ halves }) => halves === undefined)) return undefined
  return values.filter(({ halves }) => halves?.[0] && halves[1]).length / values.length
}

function sorted(values: readonly ProfiledValue[]): readonly ColumnValue[] {
  return values
    .map(({ value }) => value)
    .toSorted((a, b) =>
      typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1,
    )
}
