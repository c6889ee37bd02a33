import type { Naming } from '@stagecraft/spec'
import pluralize from 'pluralize'
import { PAST_FORMS, UNCOUNTABLE } from './irregular.ts'
import { COUNTABLE } from './nouns.ts'
import { isWholeWord, splitWord, toSnakeCase, type Vocabulary } from './tokens.ts'
import { BRAND_WORDS } from './words.ts'

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

/**
 * Returns the word in the other number. Unknown words stay unchanged, because a guess may not be a word, except plurals
 * that end as only plurals do.
 */
export function turnNumber(word: string, number: 'singular' | 'plural'): string {
  if (UNCOUNTABLE.has(word)) return word
  if (number === 'plural') return SINGULARS.has(word) ? pluralize.plural(word) : word
  if (SINGULARS.has(word)) return word
  return PLURALS.get(word) ?? (PLURAL_ENDING.test(word) ? pluralize.singular(word) : word)
}

/** Endings of plurals that no singular has: `recruitments`, `drivers`, `write_offs`. */
const PLURAL_ENDING =
  /^(?:infos|offs|outs|ups)$|[a-z]{2}(?:ment|[st]ion|[eo]r|ing|age|[ae]nce|ship|ist|[ae]nt|al|[eio]t)s$|[a-z]{3}ities$/

/** The name of one row of a table, and the name of the table that follows from it. */
export interface Entity {
  /** `payment`: goes in front of `id` and of reserved words. */
  readonly singular: string
  /** As model names have it: `payments`. */
  readonly model: string
}

interface EntityOptions {
  /** The dbt source; a table `stripe_payments` in it is about payments. */
  readonly source: string
  readonly number: NonNullable<Naming['entity']>
  /** Prefixes to drop: `raw_`. */
  readonly prefixes: readonly string[]
  /** The prefix that the names of all tables of the source share; see `sharedPrefix`. @default '' */
  readonly shared?: string
  /** Patterns of table names that tell the entity: `*_{entity}`. @default none */
  readonly from?: readonly string[]
  /** Whether run-together words are split: `order_line` for `orderlines`, else `orderline`. @default true */
  readonly splits?: boolean
  readonly vocabulary: Vocabulary
}

/** Derives the entity of a table from its stored name. */
export function nameEntity(table: string, options: EntityOptions): Entity {
  const { from = [], number, prefixes, shared = '', source, splits = true, vocabulary } = options
  const rowOf = (text: string): string =>
    splits ? inNumber(splitWords(text, vocabulary), 'singular') : singularTogether(text, vocabulary)
  const name = snakeName(table)
  const told = entityIn(dropPrefixes(toSnakeCase(table), prefixes), from)
  if (told !== undefined) {
    const words = splitWords(told, vocabulary)
    return {
      singular: rowOf(told),
      model: number === 'keep' ? told : inNumber(words, number),
    }
  }
  const plain = dropPrefixes(name, [...prefixes, `${source}_`])
  const words = splitWords(plain, vocabulary)
  const model = number === 'keep' ? bareTableName(table, prefixes) : inNumber(words, number)
  const shown = shared !== '' && name.startsWith(shared) ? name.slice(shared.length) : ''
  const own = dropPrefixes(shown === '' ? plain : shown, productsIn(source, vocabulary))
  return { singular: unrepeated(rowOf(own)), model }
}

/** The name of a product in a source, `gitlab_` of `tap_gitlab`: the words that are no ordinary ones. */
function productsIn(source: string, vocabulary: Vocabulary): readonly string[] {
  const words = source.split('_').filter((word) => word.length > 3)
  return words
    .filter((word) => BRAND_WORDS.includes(word) || !isWholeWord(word, vocabulary))
    .map((word) => `${word}_`)
}

/** The part of a table name that the first fitting pattern says; undefined where none fits. */
function entityIn(name: string, patterns: readonly string[]): string | undefined {
  for (const pattern of patterns) {
    const source = pattern
      .toLowerCase()
      .replace(/[.+?^$()|[\]\\]/g, String.raw`\$&`)
      .replaceAll('*', '.*')
      .replaceAll('{word}', '[^_]+')
      .replace('{entity}', '(?<entity>[a-z].*)')
    const entity = new RegExp(`^${source}$`).exec(name)?.groups?.['entity']
    if (entity !== undefined) return entity
  }
  return undefined
}

const PAST: ReadonlySet<string> = new Set(Object.values(PAST_FORMS))

/**
 * Returns a name with its last word in the singular or the plural, if the word has both; the other words stay. Events
 * have no number: a table `order_completed` keeps its name.
 */
export function inNumber(name: string, number: 'singular' | 'plural'): string {
  const cut = name.lastIndexOf('_') + 1
  const last = name.slice(cut)
  return PAST.has(last) ? name : name.slice(0, cut) + turnNumber(last, number)
}

/** The number of tables that must share a prefix before it is ignored. */
const SHARED_BY = 3

/**
 * Returns the words that the names of all tables of a source begin with: `raw__shop__postgres__` does not describe a
 * table. Empty if they share one word or none.
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

/** Returns the stored name of a table without prefixes, as `{table}` in model names has it. */
export function bareTableName(table: string, prefixes: readonly string[]): string {
  return dropPrefixes(toSnakeCase(table) || 'table', prefixes)
}

function snakeName(table: string): string {
  return toSnakeCase(table).replace(/_+/g, '_').replace(/^_|_$/g, '') || 'table'
}

function dropPrefixes(name: string, prefixes: readonly string[]): string {
  return prefixes.reduce((rest, prefix) => {
    const bare = rest.startsWith(prefix) ? rest.slice(prefix.length).replace(/^_+/, '') : ''
    return bare === '' ? rest : bare
  }, name)
}

/** `users_user` of the application `users` is a user. */
function unrepeated(name: string): string {
  const [last = '', before, ...others] = name.split('_').toReversed()
  if (before === undefined || turnNumber(before, 'singular') !== last) return name
  return [...others.toReversed(), last].join('_')
}

/** The singular of a name whose words stay together: `orderlines` is `orderline`. */
function singularTogether(name: string, vocabulary: Vocabulary): string {
  const cut = name.lastIndexOf('_') + 1
  const words = splitWord(name.slice(cut), vocabulary)
  return name.slice(0, cut) + inNumber(words.join('_'), 'singular').replaceAll('_', '')
}

function splitWords(name: string, vocabulary: Vocabulary): string {
  return name
    .split('_')
    .flatMap((word) => splitWord(word, vocabulary))
    .join('_')
}
