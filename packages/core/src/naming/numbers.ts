import pluralize from 'pluralize'
import { UNCOUNTABLE } from './irregular.ts'
import { COUNTABLE } from './nouns.ts'

const SINGULARS: ReadonlySet<string> = new Set(COUNTABLE)
const PLURALS: ReadonlyMap<string, string> = new Map(
  COUNTABLE.map((noun) => [pluralize.plural(noun), noun] as const),
)

/** Returns true if the word is a known singular: `order`. */
export function isCountable(word: string): boolean {
  return SINGULARS.has(word)
}

/** Returns true if the word is a known plural: `orders`. */
export function isKnownPlural(word: string): boolean {
  return PLURALS.has(word) && !UNCOUNTABLE.has(word)
}

/** The word in the other number; as it is where it is not known, because guesses make no words. */
export function turnNumber(word: string, number: 'singular' | 'plural'): string {
  if (UNCOUNTABLE.has(word)) return word
  if (number === 'plural') return SINGULARS.has(word) ? pluralize.plural(word) : word
  return SINGULARS.has(word) ? word : (PLURALS.get(word) ?? word)
}
