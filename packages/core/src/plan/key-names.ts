import type { Column } from '@stagecraft/spec'
import { isLoaderColumn } from '../loaders/detect.ts'
import { turnNumber } from '../naming/numbers.ts'
import { OWN_ID_NAMES } from '../naming/rules.ts'
import { isWholeWord, splitWord, toSnakeCase } from '../naming/tokens.ts'
import type { Subject } from './subject.ts'

/** Last words of columns that number or name what a table is about. */
const KEY_ENDINGS: ReadonlySet<string> = new Set('code guid id key no nr num number sk uuid'.split(' '))

/** `id`, or the table's entity with a word for a key: `payment_id`, `paymentid`, `payment_uuid`. */
export function isOwnId(name: string, subject: Subject): boolean {
  const words = wordsOf(name, subject)
  if (OWN_ID_NAMES.has(words.join('_'))) return true
  const glued = bare(words)
  const own = bare(subject.entity.singular.split('_'))
  return ['id', 'uuid', 'guid', 'key'].some(
    (ending) => glued.endsWith(ending) && isSame(glued.slice(0, -ending.length), own),
  )
}

/**
 * The first column, where it is called after the last words of the entity (`header_no` of `order_header`), or after
 * a short form of it (`emp_no` of `employees`).
 */
export function firstKey(subject: Subject): Column | undefined {
  const own = subject.columns.filter(({ name }) => !isLoaderColumn(name, subject.loader))
  const [first] = own
  if (!first) return undefined
  const prefix = sharedPrefix(own, subject)
  const words = wordsOf(first.name, subject).slice(prefix === undefined ? 0 : 1)
  const { ending, stem } = splitEnding(words)
  if (!KEY_ENDINGS.has(ending)) return undefined
  if (stem.length === 0) return prefix === undefined ? undefined : first
  return isCalledAfter(stem, subject) || isShortFor(bare(stem), subject) ? first : undefined
}

/**
 * Returns true if words are the last ones of the entity. Not where another column is called after the first
 * ones: `project_employees` links two others.
 */
function isCalledAfter(stem: readonly string[], subject: Subject): boolean {
  const entity = subject.entity.singular.split('_')
  if (isSame(bare(stem), bare(entity))) return true
  if (!isSame(bare(entity.slice(-stem.length)), bare(stem))) return false
  const others = entity.slice(0, -stem.length).map((word) => turnNumber(word, 'singular'))
  return !subject.columns.some(({ name }) => {
    const other = splitEnding(wordsOf(name, subject))
    return (
      KEY_ENDINGS.has(other.ending) &&
      other.stem.length > 0 &&
      others.join('_').endsWith(other.stem.join('_'))
    )
  })
}

/** `dept` is short for `department` and `cust` for `customer`; words of their own (`part`) are short for nothing. */
function isShortFor(short: string, { entity, settings }: Subject): boolean {
  const long = entity.singular
  if (long.includes('_')) return false
  if (short.length < 3 || short.length >= long.length || isWholeWord(short, settings.vocabulary)) return false
  if (long.startsWith(short)) return true
  const isEnd = short.at(0) === long.at(0) && short.at(-1) === turnNumber(long, 'singular').at(-1)
  return isEnd && new RegExp(short.replaceAll(/(?<=.)/g, '.*')).test(long)
}

/** `s` where all columns of `supplier` open with it; a word that says something is no prefix. */
function sharedPrefix(columns: readonly Column[], { settings }: Subject): string | undefined {
  const [prefix = '', ...others] = new Set(columns.map(({ name }) => toSnakeCase(name).split('_')[0] ?? ''))
  const isPrefix = columns.length > 2 && others.length === 0 && prefix.length <= 4
  return isPrefix && !isWholeWord(prefix, settings.vocabulary) ? prefix : undefined
}

/** Splits the name of a key into its entity and the word for a key: `cust` and `key`, also of `custkey`. */
function splitEnding(words: readonly string[]): {
  readonly ending: string
  readonly stem: readonly string[]
} {
  const last = words.at(-1) ?? ''
  const { head, tail } = /^(?<head>[a-z]{3,})(?<tail>id|key|num)$/.exec(last)?.groups ?? {}
  if (words.length === 1 && head !== undefined && tail !== undefined) return { ending: tail, stem: [head] }
  return { ending: last, stem: words.slice(0, -1) }
}

function wordsOf(name: string, { settings }: Subject): readonly string[] {
  return toSnakeCase(name)
    .split('_')
    .flatMap((word) => splitWord(word, settings.vocabulary))
    .filter(Boolean)
}

/** Letters alone, so that `zip_code` is `zipcode`. */
function bare(words: readonly string[]): string {
  return words.join('')
}

/** The same word in either number, known or not: here nothing is named, only compared. */
function isSame(one: string, other: string): boolean {
  return one !== '' && singular(one) === singular(other)
}

function singular(word: string): string {
  const known = turnNumber(word, 'singular')
  return known === word ? word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '') : known
}
