import type { Naming } from '@stagecraft/spec'
import pluralize from 'pluralize'
import { UNCOUNTABLE } from './irregular.ts'
import { splitWord, toSnakeCase, type Vocabulary } from './tokens.ts'

/** What one row of a table is, and what the table is called after it. */
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
  readonly vocabulary: Vocabulary
}

/** Finds out what a table is about from its stored name. */
export function nameEntity(table: string, options: EntityOptions): Entity {
  const words = splitWords(plainName(table, options), options.vocabulary)
  const model = options.number === 'keep' ? toSnakeCase(table) || 'table' : inNumber(words, options.number)
  return { singular: inNumber(words, 'singular'), model }
}

/** The last word of a name in the singular or the plural; the other words stay. */
export function inNumber(name: string, number: 'singular' | 'plural'): string {
  const cut = name.lastIndexOf('_') + 1
  const last = name.slice(cut)
  if (UNCOUNTABLE.has(last) || !/^[a-z]+$/.test(last)) return name
  const turned = number === 'plural' ? pluralize.plural(last) : pluralize.singular(last)
  return name.slice(0, cut) + turned
}

function plainName(table: string, { prefixes, source }: EntityOptions): string {
  const name = toSnakeCase(table).replace(/_+/g, '_').replace(/^_|_$/g, '')
  const dropped = [...prefixes, `${source}_`].reduce(
    (rest, prefix) =>
      rest.startsWith(prefix) && rest.length > prefix.length ? rest.slice(prefix.length) : rest,
    name,
  )
  return dropped === '' ? 'table' : dropped
}

function splitWords(name: string, vocabulary: Vocabulary): string {
  return name
    .split('_')
    .flatMap((word) => splitWord(word, vocabulary))
    .join('_')
}
