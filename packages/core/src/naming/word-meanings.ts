import { ABBREVIATIONS, JOINTS, RELATED, SYNONYMS, TRANSLATIONS } from './abbreviations.ts'
import { turnNumber } from './entity.ts'
import { createVocabulary, isWholeWord, toSnakeCase } from './tokens.ts'

/** Splits a name or a phrase into its words: lower case, singular, without those between words. */
export function wordsOf(text: string): readonly string[] {
  return toSnakeCase(text)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !JOINTS.has(word))
    .map((word) => turnNumber(word, 'singular'))
}

/** Returns the word itself, all that it may be short for, and its translations. */
export function spellingsOf(word: string): ReadonlySet<string> {
  const own = [word, ...(ABBREVIATIONS.get(word) ?? []), ...(TRANSLATIONS.get(word) ?? [])]
  return new Set(own.map((one) => turnNumber(one, 'singular')))
}

/** Returns true for a word that names are split by. */
export function isKnownWord(word: string): boolean {
  return isWholeWord(word, createVocabulary([]))
}

/** Returns the spellings of a word, and words of the same meaning as any of them. */
export function meaningsOf(word: string): ReadonlySet<string> {
  const own = [...spellingsOf(word)]
  const alike = [...SYNONYMS, ...RELATED]
    .filter((words) => own.some((one) => words.has(one)))
    .flatMap((words) => [...words])
  return new Set([...own, ...alike])
}
