import type { FactName } from '../tools/facts.ts'
import { isOfRelatives } from '../tools/relatives.ts'
import { LONGEST_PHRASE, PHRASES, type Sense } from './words.ts'

/** One or more words with their sense. A value is a word that is not in the vocabulary but may be in the project. */
export interface Said {
  readonly word: string
  readonly sense: Sense | { readonly says: 'value'; readonly fact?: FactName }
}

/** A word that is not understood, or words with more than one meaning. */
export interface Unread {
  readonly unread: string
  /** The words start a second question. @default false */
  readonly isSecond?: true
  /** The fact whose value it would be, and the known values. @default it is not a value */
  readonly known?: {
    readonly fact: FactName
    readonly values: readonly string[]
    /** The names of relations whose value is not known. */
    readonly unknown: readonly string[]
  }
}

export interface SenseOptions {
  /** Returns true for words that may be a value: a tag, a folder, a source. */
  readonly isValue: (word: string) => boolean
  /** Returns true for the names of relations whose columns the question is about. @default none */
  readonly isRelation?: (word: string) => boolean
  /** Returns true for words that another part of the question explains. */
  readonly isOwn: (word: string) => boolean
}

/** Returns the senses of words, longest phrases first; an unknown word is unread. */
export function sensesOf(words: readonly string[], options: SenseOptions): readonly Said[] | Unread {
  const said: Said[] = []
  for (let at = 0; at < words.length;) {
    const { length, sense } = senseAt(words, at, {
      ...options,
      before: said.at(-1)?.sense,
      isClosed: said.at(-2)?.sense.says === 'value',
    })
    const word = words.slice(at, at + length).join(' ')
    if (!sense || sense.says === 'vague') return { unread: word }
    said.push({ word, sense })
    at += length
  }
  return said
}

interface Context extends SenseOptions {
  readonly before: Said['sense'] | undefined
  /** A value stands before the last sense: `finance group`. */
  readonly isClosed: boolean
}

function senseAt(
  words: readonly string[],
  at: number,
  { before, isClosed, isOwn, isRelation = () => false, isValue }: Context,
): { readonly length: number; readonly sense?: Said['sense'] } {
  const [word = ''] = words.slice(at, at + 1)
  if (isOwn(word)) return { length: 1, sense: { says: 'nothing' } }
  const named = longestOf(words, at, isValue)
  if (named > 1) return { length: named, sense: { says: 'value' } }
  // `tagged staging`: behind the name of a fact, every word is a value
  if (
    before?.says === 'value of' &&
    !isLink(word) &&
    !(isKind(word) && (isClosed || isOfRelatives(before.fact))) &&
    !isCountOf(before.fact, words.slice(at))
  )
    return { length: 1, sense: { says: 'value' } }
  for (let length = Math.min(LONGEST_PHRASE, words.length - at); length > 0; length--) {
    const sense = PHRASES.get(words.slice(at, at + length).join(' '))
    if (sense) return { length, sense }
  }
  if (word === ',') return { length: 1, sense: { says: 'and' } }
  if (/^\d{1,4}$/.test(word)) return { length: 1, sense: { says: 'number', number: Number(word) } }
  if (isRelation(word)) return { length: 1, sense: { says: 'value', fact: 'of' } }
  return isValue(word) ? { length: 1, sense: { says: 'value' } } : { length: 1 }
}

/** `used by exposures`: relatives have kinds; `finance group models`: the value is said already. */
function isKind(word: string): boolean {
  return PHRASES.get(word)?.says === 'kind'
}

/** `read by more than one model`: relatives have numbers. */
function isCountOf(fact: FactName, words: readonly string[]): boolean {
  if (!isOfRelatives(fact)) return false
  const [first = ''] = words
  const phrases = Array.from({ length: LONGEST_PHRASE }, (_, at) => words.slice(0, at + 1).join(' '))
  const senses = new Set(phrases.map((phrase) => PHRASES.get(phrase)?.says))
  return /^\d{1,4}$/.test(first) || senses.has('compare') || senses.has('number')
}

/** Most words of a value: the name of an owner has several. */
const LONGEST_VALUE = 5

/** The number of the words that are a value together; 0 without one. */
function longestOf(words: readonly string[], at: number, isValue: (text: string) => boolean): number {
  for (let length = Math.min(LONGEST_VALUE, words.length - at); length > 0; length--)
    if (isValue(words.slice(at, at + length).join(' '))) return length
  return 0
}

const LINKS: ReadonlySet<Sense['says']> = new Set(['and', 'or', 'nothing', 'lack', 'have', 'that'])

/**
 * Words between the name of a fact and its value: `tagged both finance and nightly`, and its end: `with a tag and no
 * tests`, `in the finance group with tests`.
 */
function isLink(word: string): boolean {
  const says = PHRASES.get(word)?.says
  return says !== undefined && LINKS.has(says)
}
