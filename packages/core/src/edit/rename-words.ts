import { ABBREVIATIONS, JOINTS, ROLES, SYNONYMS, TRANSLATIONS } from '../naming/abbreviations.ts'
import { PAST_FORMS } from '../naming/irregular.ts'
import { isWholeWord, toSnakeCase } from '../naming/tokens.ts'
import type { EditSubject } from './task.ts'

const ALL_ROLES: ReadonlySet<string> = new Set(Object.values(ROLES).flatMap((words) => [...words]))

/** Returns true if a word names the subject of a column, not the kind of its values. */
export function isContent(word: string): boolean {
  return !ALL_ROLES.has(word) && !JOINTS.has(word) && !/^\d+$/.test(word)
}

/** Returns true if a word is written out, so it is not an abbreviation. */
export function isWritten(word: string, { subject }: EditSubject): boolean {
  if (ABBREVIATIONS.has(word)) return false
  return isWholeWord(word, subject.settings.vocabulary) || TRANSLATIONS.has(word)
}

export function partsOfName(name: string): readonly string[] {
  return name.split(/_+|(?<=[a-z])(?=\d)/).filter((word) => word !== '')
}

/** Returns true if a word means one of the raw name, or part of two run-together words. */
export function saysPart(word: string, raw: string, words: readonly string[], subject: EditSubject): boolean {
  if (says(word, raw, subject)) return true
  // two letters are only a part of something that is not a word itself: `kundennr`
  const least = raw.length < 6 || isWritten(raw, subject) ? 3 : 2
  for (let at = least; at <= raw.length - least; at += 1) {
    const parts = [raw.slice(0, at), raw.slice(at)]
    const areSaid = parts.every((part) => words.some((other) => isKnownFor(other, part, subject)))
    if (areSaid && parts.some((part) => isKnownFor(word, part, subject))) return true
  }
  return false
}

/** Splits a word of a new name that writes two neighbours of the raw name together: `username` for `usr_nm`. */
export function wordsTogether(
  word: string,
  rawWords: readonly string[],
  subject: EditSubject,
): readonly string[] {
  if (rawWords.includes(word)) return [word]
  for (let at = 2; at <= word.length - 2; at += 1) {
    const [head, tail] = [word.slice(0, at), word.slice(at)]
    const areNeighbours = rawWords.some((from, index) => {
      const next = rawWords[index + 1]
      return next !== undefined && isKnownFor(head, from, subject) && isKnownFor(tail, next, subject)
    })
    if (areNeighbours) return [head, tail]
  }
  return [word]
}

/**
 * Returns true if a part is listed with the word, or is the word itself. Splitting and shortening at once
 * would be a guess.
 */
function isKnownFor(word: string, part: string, subject: EditSubject): boolean {
  const isListed = ABBREVIATIONS.has(part) || TRANSLATIONS.has(part)
  return singular(word) === singular(part) || (isListed && says(word, part, subject))
}

/** Returns true if a word of a new name can mean one of the raw name. */
function says(word: string, raw: string, subject: EditSubject): boolean {
  const [one, other] = [singular(word), singular(raw)]
  if (one === other || stem(one) === stem(other)) return true
  if (Object.hasOwn(PAST_FORMS, raw) && PAST_FORMS[raw] === word) return true
  const { glossary } = subject.subject.settings.naming
  const meanings = [
    ...(ABBREVIATIONS.get(raw) ?? []),
    ...(TRANSLATIONS.get(raw) ?? []),
    ...partsOfName(toSnakeCase(Object.hasOwn(glossary, raw) ? (glossary[raw] ?? '') : '')),
  ]
  if (meanings.some((meaning) => singular(meaning) === one || stem(singular(meaning)) === stem(one)))
    return true
  if (
    SYNONYMS.some((words) => words.has(one) && (words.has(other) || meanings.some((each) => words.has(each))))
  )
    return true
  return !ABBREVIATIONS.has(raw) && !isWritten(raw, subject) && shortens(other, one)
}

/** `cust` abbreviates `customer`: it starts with the same letter and omits others. */
function shortens(short: string, long: string): boolean {
  if (short.length < 2 || short.length >= long.length || short[0] !== long[0]) return false
  if (long.startsWith(short)) return short.length >= 3
  let at = 0
  for (const letter of short) {
    at = long.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  // Most consonants stay when a word is shortened: `emp` is not short for `template`, nor `cty` for
  // `category`.
  const consonants = long.replace(/[aeiouy]/g, '')
  return short.length >= 3 && consonants.length - short.replace(/[aeiouy]/g, '').length <= 2
}

export function singular(word: string): string {
  if (word.length <= 3 || /(?:ss|us|is|news)$/.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.endsWith('s') ? word.slice(0, -1) : word
}

/**
 * Removes the ending of a word if enough letters are left: `order` and `ordered` are the same word, but
 * `station` and `state` are not, nor are `reporter` and `report`.
 */
function stem(word: string): string {
  const endings = ['ation', 'tion', 'ion', 'ing', 'ment', 'ed', 'e']
  const ending = endings.find(
    (each) => word.endsWith(each) && word.length - each.length >= (each.endsWith('ion') ? 5 : 4),
  )
  return ending === undefined ? word : word.slice(0, -ending.length)
}
