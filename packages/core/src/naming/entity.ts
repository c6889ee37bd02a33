import type { Naming } from '@stagecraft/spec'
import pluralize from 'pluralize'
import { PAST_FORMS, UNCOUNTABLE } from './irregular.ts'
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

const PAST: ReadonlySet<string> = new Set(Object.values(PAST_FORMS))

/**
 * The last word of a name in the singular or the plural; the other words stay. What happened has no number:
 * a table `order_completed` of events keeps its name.
 */
export function inNumber(name: string, number: 'singular' | 'plural'): string {
  const cut = name.lastIndexOf('_') + 1
  const last = name.slice(cut)
  const happened = PAST.has(last) || /[a-z]{3}[^e]ed$/.test(last)
  if (happened || UNCOUNTABLE.has(last) || !/^[a-z]+$/.test(last)) return name
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
