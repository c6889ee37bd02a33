import pluralize from 'pluralize'
import { isAscii } from '../sql/identifiers.ts'
import { PAST_FORMS } from './irregular.ts'
import { COUNTABLE } from './nouns.ts'
import { BRANDS, BRAND_WORDS, END_WORDS, LINK_WORDS, OPEN_WORDS, WHOLE_WORDS, WORDS } from './words.ts'

/** Letters that decompose to no ASCII letter, as people write them in ASCII. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/** The text in ASCII letters where it has any: accents go, what cannot be written becomes a blank. */
function toAscii(text: string): string {
  if (isAscii(text)) return text
  return text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^\x20-\x7e]/gu, (letter) => LETTERS[letter] ?? ' ')
}

/**
 * Converts a name to plain snake_case: `customerID` is `customer_id`, `First Name` is `first_name`. Underscores that
 * the name already has stay as they are, doubled and leading ones too, because they carry meaning (`my_field__c`,
 * `_fivetran_synced`). Empty when the name has no letter and no digit.
 */
export function toSnakeCase(name: string): string {
  if (SNAKE.test(name)) return name
  if (PLAIN.test(name)) return splitCapitals(name).toLowerCase()
  return splitCapitals(toAscii(name))
    .replace(/[^A-Za-z0-9_]+/g, ' ')
    .trim()
    .replace(/ *_ */g, '_')
    .replaceAll(' ', '_')
    .replace(/_+$/, (tail) => (name.endsWith('_') ? tail : ''))
    .toLowerCase()
    .replace(/^_+$/, '')
}

/** Matches names in snake_case, which most are. */
const SNAKE = /^_*[a-z0-9][a-z0-9_]*$/

/** Matches names that have nothing else but capitals: only those are split. */
const PLAIN = /^_*[A-Za-z0-9]\w*$/

const BRAND_NAMES = new RegExp(
  BRANDS.map(
    (brand) => `[${brand.charAt(0).toUpperCase()}${brand.charAt(0).toLowerCase()}]${brand.slice(1)}`,
  ).join('|'),
  'g',
)

/** Puts `_` where capitals start a word; a name of one case has none. */
function splitCapitals(name: string): string {
  if (name === name.toUpperCase() || name === name.toLowerCase()) return name
  return name.replace(BRAND_NAMES, capitalised).replace(/[A-Za-z0-9]+/g, splitCapitalised)
}

/** Capitals that stand together are one word, with the plural `s` behind them: `productIDs`, `HTTPServer`. */
const PIECES = /[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g

function splitCapitalised(run: string): string {
  const pieces: string[] = []
  for (const piece of run.match(PIECES) ?? []) {
    const before = pieces.at(-1)
    const joins =
      before !== undefined && (/^[0-9]/.test(piece) || isBroken(before, piece, pieces.length === 1))
    pieces.push(joins ? (pieces.pop() ?? '') + piece : piece)
  }
  return pieces.join('_')
}

/** One letter and capitals after it are no two words: `mRNA`, `bPMc`. */
function isBroken(before: string, piece: string, isFirst: boolean): boolean {
  if (isFirst && /^[a-z]$/.test(before)) return /^[A-Z]{2,}$/.test(piece) || /^[A-Z]$/.test(piece)
  return /^[a-z][A-Z]$/.test(before) && /^[A-Z][a-z]$/.test(piece)
}

/** Writes words with capitals inside so that they stay in one piece: with `iOS`, `iOSVersion` becomes `IosVersion`. */
export function joinCapitals(name: string, words: readonly string[]): string {
  if (words.length === 0) return name
  return words
    .filter((word) => /[a-z][A-Z]|[A-Z][a-z]*[A-Z]/.test(word))
    .reduce((text, word) => text.replaceAll(word, capitalised(word)), name)
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()
}

/** The words that names are split by: the built-in ones and the user's own. */
export interface Vocabulary {
  readonly words: ReadonlySet<string>
  /** The parts of words that were split, at most `REMEMBERED`: names of a database share their words. */
  readonly parts: Map<string, readonly string[]>
}

const REMEMBERED = 10_000

const NOUNS: readonly string[] = COUNTABLE.filter((noun) => /^[a-z]{4,}$/.test(noun))
const BUILT_IN: ReadonlySet<string> = new Set([
  ...WORDS,
  ...NOUNS,
  ...NOUNS.map((noun) => pluralize.plural(noun)),
  ...Object.keys(PAST_FORMS),
  ...Object.values(PAST_FORMS),
  ...BRAND_WORDS,
])
const WHOLE: ReadonlySet<string> = new Set(WHOLE_WORDS)
const LINKS: ReadonlySet<string> = new Set(LINK_WORDS)
const ENDS: ReadonlySet<string> = new Set(END_WORDS)
const OPENS: ReadonlySet<string> = new Set(OPEN_WORDS)

export function createVocabulary(extra: readonly string[]): Vocabulary {
  const parts = new Map<string, readonly string[]>()
  if (extra.length === 0) return { words: BUILT_IN, parts }
  return { words: new Set([...BUILT_IN, ...extra.map((word) => word.toLowerCase())]), parts }
}

/** Returns true if the word must not be split. */
export function isWholeWord(word: string, vocabulary: Vocabulary): boolean {
  return vocabulary.words.has(word) || WHOLE.has(word)
}

/**
 * Splits a run-together word: `createdbyid` is `created by id`. Only when every part is in the
 * vocabulary and there is one shortest way; otherwise the word stays whole. Numbers stay with the word before
 * them: `addressline2` is `address line2`.
 */
export function splitWord(word: string, vocabulary: Vocabulary): readonly string[] {
  const known = vocabulary.parts.get(word)
  if (known) return known
  const parts = findParts(word, vocabulary)
  if (vocabulary.parts.size >= REMEMBERED) vocabulary.parts.clear()
  vocabulary.parts.set(word, parts)
  return parts
}

function findParts(word: string, vocabulary: Vocabulary): readonly string[] {
  const {
    head = '',
    number,
    tail = '',
  } = /^(?<head>[a-z]+)(?:(?<number>[0-9]+)(?<tail>[a-z]*))?$/.exec(word)?.groups ?? {}
  if (number === undefined) return splitLetters(head === '' ? word : head, vocabulary)
  const heads = splitLetters(head, vocabulary)
  const isKnown = heads.every((part) => isWholeWord(part, vocabulary) || ENDS.has(part) || LINKS.has(part))
  if (!isKnown || (tail !== '' && !isWholeWord(tail, vocabulary) && !ENDS.has(tail))) return [word]
  return [...heads.slice(0, -1), `${heads.at(-1) ?? ''}${number}`, ...(tail === '' ? [] : [tail])]
}

function splitLetters(word: string, vocabulary: Vocabulary): readonly string[] {
  if (word.length < 5 || !/^[a-z]+$/.test(word) || isWholeWord(word, vocabulary)) return [word]
  const ways = shortestWays(word, vocabulary)
  return ways.length === 1 && ways[0] ? ways[0] : [word]
}

/** Every cut into known words that has the fewest parts. Best ways per prefix, built left to right. */
function shortestWays(word: string, vocabulary: Vocabulary): readonly (readonly string[])[] {
  const best: (readonly (readonly string[])[])[] = [[[]]]
  for (let end = 1; end <= word.length; end++) {
    const ways = []
    for (let start = Math.max(0, end - 20); start < end; start++) {
      const part = word.slice(start, end)
      if (!fits(part, start, end === word.length, vocabulary)) continue
      for (const way of best[start] ?? []) ways.push([...way, part])
    }
    const fewest = Math.min(...ways.map((way) => way.length))
    best[end] = ways.filter((way) => way.length === fewest).slice(0, 2)
  }
  return best[word.length] ?? []
}

function fits(part: string, start: number, isLast: boolean, vocabulary: Vocabulary): boolean {
  if (isWholeWord(part, vocabulary)) return true
  if (start === 0) return OPENS.has(part)
  return LINKS.has(part) || (isLast && ENDS.has(part))
}

/**
 * A custom field of Salesforce in any case: `Region__c`, `__pc` for person accounts, and `sbqq__Quote__c` in the
 * namespace of a package. Other systems that copy such a field repeat the ending: `Region__c__c`.
 * Source: developer.salesforce.com/docs, "Custom Fields" of the Object Reference and "Namespace Prefix" of ISVforce.
 */
const SALESFORCE_FIELD =
  /^(?<own>(?:[a-z][a-z0-9]*(?:_[a-z0-9]+)*__(?!(?:p?c__)*p?c$))?(?<bare>.*?[a-z0-9]))(?:__p?c)+$/

/** The name of a custom field without its ending: in its namespace, and without that. */
interface CustomName {
  readonly own: string
  readonly bare: string
}

/** Returns the names of a custom field; undefined for any other column. */
export function customName(plain: string): CustomName | undefined {
  const { bare, own } = (plain.endsWith('c') && SALESFORCE_FIELD.exec(plain)?.groups) || {}
  return own === undefined || bare === undefined ? undefined : { own, bare }
}

/**
 * Returns true if a table runs words together (`createdbyid`), so its names are split: all that can be, or none. If
 * most long names cannot be split, splitting the others would mix two styles in one table. Where all names separate
 * their words, compounds in them are intended (`customer_firstname`).
 */
export function runsTogether(names: readonly string[], vocabulary: Vocabulary): boolean {
  const own = names.filter((name) => !name.startsWith('_') && customName(name.toLowerCase()) === undefined)
  const together = own.map(toSnakeCase).filter((name) => !name.includes('_'))
  const split = together.filter((name) => splitWord(name, vocabulary).length > 1).length
  const doubtful = together.filter((name) => isDoubtful(name, vocabulary)).length
  return split > 0 && split >= doubtful
}

/** Too long for a single word, but not splittable. */
const LONG = 9

function isDoubtful(name: string, vocabulary: Vocabulary): boolean {
  return name.length >= LONG && !isWholeWord(name, vocabulary) && splitWord(name, vocabulary).length === 1
}
