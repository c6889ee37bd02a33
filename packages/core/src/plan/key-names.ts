import type { Column } from '@stagecraft/spec'
import { isLoaderColumn } from '../loaders/detect.ts'
import { turnNumber } from '../naming/numbers.ts'
import { OWN_ID_NAMES } from '../naming/rules.ts'
import { isWholeWord, splitWord, toSnakeCase } from '../naming/tokens.ts'
import type { Subject } from './subject.ts'

/** Last words of columns that number or name what a table is about. */
const KEY_ENDINGS: ReadonlySet<string> = new Set('code guid id key no nr num number sk uuid'.split(' '))

/** First words of columns that do, as many languages have it: `id_cliente`, `num_commande`. */
const KEY_OPENINGS: ReadonlySet<string> = new Set('cod code codigo id num numero'.split(' '))

/** Words that are a key by themselves where they come first. */
const LONE_KEYS: ReadonlySet<string> = new Set('guid seq uuid'.split(' '))

/** Words of table names that say what kind of table it is: `fact` in `sales_fact`, `tb` in `tb_cliente`. */
const TABLE_KINDS: ReadonlySet<string> = new Set(
  'dim dimension fact facts fct lkp lookup mst master ref tab table tb tbl'.split(' '),
)

/**
 * The words for parts of a whole: `item_id` is the own id of `order_items` where the order and the product
 * have theirs.
 */
const PARTS: ReadonlySet<string> = new Set('detail entry item line'.split(' '))

/** `id`, or the table's entity with a word for a key: `payment_id`, `paymentid`, `payment_uuid`, `id_pago`. */
export function isOwnId(name: string, subject: Subject): boolean {
  const words = wordsOf(name, subject)
  if (OWN_ID_NAMES.has(words.join('_'))) return true
  const glued = bare(words)
  return ownNames(subject).some(
    (own) =>
      (glued.startsWith('id') && own.length > 2 && isSame(glued.slice(2), own)) ||
      ['id', 'uuid', 'guid', 'key'].some(
        (ending) => glued.endsWith(ending) && isSame(glued.slice(0, -ending.length), own),
      ),
  )
}

/**
 * Returns the names of the thing that a table is about, as its name has them: `groups` and `resolvergroups`
 * of the source `resolver`.
 */
function ownNames({ entity, name }: Subject): readonly string[] {
  return [bare(entity.singular.split('_')), bare(toSnakeCase(name.table).split('_'))]
}

/**
 * The first column, where it is called after the last words of the entity (`header_no` of `order_header`), or after
 * a short form of it (`emp_no` of `employees`), or is a universal identifier.
 */
export function firstKey(subject: Subject): Column | undefined {
  const own = subject.columns.filter(({ name }) => !isLoaderColumn(name, subject.loader))
  const [first] = own
  if (!first) return undefined
  const prefix = sharedPrefix(own, subject)
  const words = wordsOf(first.name, subject).slice(prefix === undefined ? 0 : 1)
  if (LONE_KEYS.has(words.join('_'))) return first
  const { ending, stem } = splitKey(words)
  if (!KEY_ENDINGS.has(ending)) return undefined
  if (stem.length === 0) return prefix === undefined ? undefined : first
  const entity = entityWords(subject)
  const isOwn = isCalledAfter(stem, entity, subject) || isAbbreviated(stem, entity, subject)
  return isOwn ? first : undefined
}

/** The words of the entity without those for kinds of tables. */
function entityWords({ entity }: Subject): readonly string[] {
  const words = entity.singular.split('_')
  const own = words.filter((word) => !TABLE_KINDS.has(word))
  return own.length === 0 ? words : own
}

/**
 * Returns true if words are the last ones of the entity. Not where another column is called after the first
 * ones: `project_employees` links two others.
 */
function isCalledAfter(stem: readonly string[], entity: readonly string[], subject: Subject): boolean {
  if (isSame(bare(stem), bare(entity))) return true
  if (!isSame(bare(entity.slice(-stem.length)), bare(stem))) return false
  const others = entity.slice(0, -stem.length).map(singular).join('_')
  const keys = subject.columns
    .map(({ name }) => splitKey(wordsOf(name, subject)))
    .filter((key) => KEY_ENDINGS.has(key.ending) && key.stem.length > 0)
  const isLink = keys.some((key) => others.endsWith(key.stem.map(singular).join('_')))
  return !isLink || (PARTS.has(stem.join('_')) && keys.length > 2)
}

/** `cust_addr` of `customer_addresses`. */
function isAbbreviated(stem: readonly string[], entity: readonly string[], subject: Subject): boolean {
  if (entity.length === 1) return isShortFor(bare(stem), entity[0] ?? '', subject)
  const opens = (word: string, index: number): boolean => {
    const long = entity[index] ?? ''
    return isSame(word, long) || (word.length > 2 && long.startsWith(word))
  }
  return stem.length === entity.length && stem.every(opens)
}

/**
 * `dept` is short for `department`, `cust` for `customer` and `img` for `image`; words of their own (`part`) are short
 * for nothing.
 */
function isShortFor(short: string, long: string, { settings }: Subject): boolean {
  if (short.length < 3 || short.length >= long.length) return false
  if (isWholeWord(short, settings.vocabulary)) return false
  if (long.startsWith(short)) return true
  const isEnd = short.at(-1) === turnNumber(long, 'singular').at(-1)
  const isSkeleton = short.at(0) === long.at(0) && (isEnd || !/[aeiou]/.test(short.slice(1)))
  return isSkeleton && new RegExp(short.replaceAll(/(?<=.)/g, '.*')).test(long)
}

/** `s` where all columns of `supplier` open with it; a word that says something is no prefix. */
function sharedPrefix(columns: readonly Column[], { settings }: Subject): string | undefined {
  const [prefix = '', ...others] = new Set(columns.map(({ name }) => toSnakeCase(name).split('_')[0] ?? ''))
  const isPrefix = columns.length > 2 && others.length === 0 && prefix.length <= 4
  return isPrefix && !isWholeWord(prefix, settings.vocabulary) ? prefix : undefined
}

/**
 * Splits the name of a key into its entity and the word for a key: `cust` and `key`, also of `custkey` and
 * `id_cust`.
 */
function splitKey(words: readonly string[]): { readonly ending: string; readonly stem: readonly string[] } {
  const [opening = '', ...rest] = words
  const last = words.at(-1) ?? ''
  const { head, tail } = /^(?<head>[a-z]{3,})(?<tail>id|key|num)$/.exec(last)?.groups ?? {}
  if (words.length === 1 && head !== undefined && tail !== undefined) return { ending: tail, stem: [head] }
  if (KEY_OPENINGS.has(opening) && rest.length > 0 && !KEY_ENDINGS.has(last))
    return { ending: 'id', stem: rest }
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
  return one !== '' && (singular(one) === singular(other) || `${one}es` === other || one === `${other}es`)
}

function singular(word: string): string {
  const known = turnNumber(word, 'singular')
  return known === word ? word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '') : known
}
