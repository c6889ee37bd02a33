import type { Naming } from '@stagecraft/spec'
import { PAST_FORMS } from './irregular.ts'
import { turnNumber } from './numbers.ts'
import { splitWord, toSnakeCase, type Vocabulary } from './tokens.ts'

/** The name of one row of a table, and the name of the table that follows from it. */
export interface Entity {
  /** `payment`: goes in front of `id` and of reserved words. */
  readonly singular: string
  /** As model names have it: `payments`. */
  readonly model: string
}

export interface EntityOptions {
  /** The dbt source; a table `stripe_payments` in it is about payments. */
  readonly source: string
  readonly number: NonNullable<Naming['entity']>
  /** Prefixes to drop: `raw_`. */
  readonly prefixes: readonly string[]
  /** The prefix that the names of all tables of the source share; see `sharedPrefix`. @default '' */
  readonly shared?: string
  readonly vocabulary: Vocabulary
}

/** Finds out what a table is about from its stored name. */
export function nameEntity(table: string, options: EntityOptions): Entity {
  const { number, prefixes, shared = '', source, vocabulary } = options
  const name = snakeName(table)
  const plain = dropPrefixes(name, [...prefixes, `${source}_`])
  const words = splitWords(plain, vocabulary)
  const model =
    number === 'keep' ? dropPrefixes(toSnakeCase(table) || 'table', prefixes) : inNumber(words, number)
  const own =
    shared !== '' && name.startsWith(shared) ? splitWords(name.slice(shared.length), vocabulary) : words
  return { singular: unrepeated(inNumber(own === '' ? words : own, 'singular')), model }
}

const PAST: ReadonlySet<string> = new Set(Object.values(PAST_FORMS))

/**
 * The last word of a name in the singular or the plural, where it is a word that has both; the other words
 * stay. What happened has no number: a table `order_completed` of events keeps its name.
 */
export function inNumber(name: string, number: 'singular' | 'plural'): string {
  const cut = name.lastIndexOf('_') + 1
  const last = name.slice(cut)
  return PAST.has(last) ? name : name.slice(0, cut) + turnNumber(last, number)
}

/** The number of tables that must share a prefix before it is ignored. */
const SHARED_BY = 3

/**
 * The words that the names of a source's tables begin with, all of them: `raw__shop__postgres__` says nothing
 * of a table. Empty where one word or none is shared.
 */
export function sharedPrefix(tables: readonly string[]): string {
  const names = [...new Set(tables.map(snakeName))].map((name) => name.split('_'))
  const [first = []] = names
  if (names.length < SHARED_BY) return ''
  const differs = first.findIndex((word, index) => names.some((other) => other[index] !== word))
  const most = Math.min(...names.map((name) => name.length)) - 1
  const count = differs < 0 ? most : Math.min(differs, most)
  return count < 2 ? '' : `${first.slice(0, count).join('_')}_`
}

function snakeName(table: string): string {
  return toSnakeCase(table).replace(/_+/g, '_').replace(/^_|_$/g, '') || 'table'
}

function dropPrefixes(name: string, prefixes: readonly string[]): string {
  return prefixes.reduce(
    (rest, prefix) =>
      rest.startsWith(prefix) && rest.length > prefix.length ? rest.slice(prefix.length) : rest,
    name,
  )
}

/** `users_user` of the application `users` is a user. */
function unrepeated(name: string): string {
  const [last = '', before, ...others] = name.split('_').toReversed()
  if (before === undefined || turnNumber(before, 'singular') !== last) return name
  return [...others.toReversed(), last].join('_')
}

function splitWords(name: string, vocabulary: Vocabulary): string {
  return name
    .split('_')
    .flatMap((word) => splitWord(word, vocabulary))
    .join('_')
}
