import { type Column, type Observation, compareText } from '@stagecraft/spec'
import { lookUp, missingColumns } from '../config/settings.ts'
import { isLoaderColumn } from '../loaders/detect.ts'
import { inNumber, turnNumber } from '../naming/entity.ts'
import { OWN_ID_NAMES } from '../naming/rules.ts'
import { isWholeWord, splitWord, toSnakeCase } from '../naming/tokens.ts'
import { parseType } from '../sql/types.ts'
import type { Key } from './plan.ts'
import { type CommentReference, readComment } from './read-comment.ts'
import type { ReadColumn } from './read-columns.ts'
import type { Subject } from './subject.ts'

/** Last words of columns that number or name the subject of a table. */
const KEY_ENDINGS: ReadonlySet<string> = new Set('code guid id key no nr num number sk uuid'.split(' '))

/** First words of such columns in other languages: `id_cliente`, `num_commande`. */
const KEY_OPENINGS: ReadonlySet<string> = new Set('cod code codigo id num numero'.split(' '))

/** Words that are a key on their own in first position. */
const LONE_KEYS: ReadonlySet<string> = new Set('guid seq uuid'.split(' '))

/** Words of table names that say what kind of table it is: `fact` in `sales_fact`, `tb` in `tb_cliente`. */
const TABLE_KINDS: ReadonlySet<string> = new Set(
  'dim dimension fact facts fct lkp lookup mst master ref tab table tb tbl'.split(' '),
)

/**
 * Words for parts of a whole: `item_id` is the own id of `order_items` if the order and the product have their own
 * ids.
 */
const PARTS: ReadonlySet<string> = new Set('detail entry item line'.split(' '))

/**
 * Returns true for `id`, and for the table's entity with a word for a key: `payment_id`, `paymentid`, `payment_uuid`,
 * `id_pago`.
 */
function isOwnId(name: string, subject: Subject): boolean {
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
 * Returns the names of the subject of a table, from its name: `groups` and `resolvergroups` of the source `resolver`.
 */
function ownNames({ entity, name }: Subject): readonly string[] {
  return [bare(entity.singular.split('_')), bare(toSnakeCase(name.table).split('_'))]
}

/**
 * Returns the first column if it is named after the last words of the entity (`header_no` of `order_header`) or an
 * abbreviation of it (`emp_no` of `employees`), or is a universal identifier.
 */
function firstKey(subject: Subject): ReadColumn | undefined {
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

/** Returns the words of the entity without those for kinds of tables. */
function entityWords({ entity }: Subject): readonly string[] {
  const words = entity.singular.split('_')
  const own = words.filter((word) => !TABLE_KINDS.has(word))
  return own.length === 0 ? words : own
}

/**
 * Returns true if words are the last ones of the entity. False if another column is named after the first ones:
 * `project_employees` links two others.
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

/** Returns true for an abbreviation of each word: `cust_addr` of `customer_addresses`. */
function isAbbreviated(stem: readonly string[], entity: readonly string[], subject: Subject): boolean {
  if (entity.length === 1) return isShortFor(bare(stem), entity[0] ?? '', subject)
  const opens = (word: string, index: number): boolean => {
    const long = entity[index] ?? ''
    return isSame(word, long) || (word.length > 2 && long.startsWith(word))
  }
  return stem.length === entity.length && stem.every(opens)
}

/**
 * `dept` is short for `department`, `cust` for `customer` and `img` for `image`; real words (`part`) are not
 * abbreviations.
 */
function isShortFor(short: string, long: string, { settings }: Subject): boolean {
  if (short.length < 3 || short.length >= long.length) return false
  if (isWholeWord(short, settings.vocabulary)) return false
  if (long.startsWith(short)) return true
  const isEnd = short.at(-1) === turnNumber(long, 'singular').at(-1)
  const isSkeleton = short.at(0) === long.at(0) && (isEnd || !/[aeiou]/.test(short.slice(1)))
  return isSkeleton && new RegExp(short.replaceAll(/(?<=.)/g, '.*')).test(long)
}

/** Returns the prefix that all columns share, such as `s` in `supplier`; a meaningful word is not a prefix. */
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

/** Joins words, so that `zip_code` equals `zipcode`. */
function bare(words: readonly string[]): string {
  return words.join('')
}

/** Returns true for the same word in singular or plural, even for unknown words: names are only compared here. */
function isSame(one: string, other: string): boolean {
  return one !== '' && (singular(one) === singular(other) || `${one}es` === other || one === `${other}es`)
}

function singular(word: string): string {
  const known = turnNumber(word, 'singular')
  return known === word ? word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '') : known
}

/**
 * Columns that state the extract or the version of a row, so ids repeat. Usual names in slowly changing dimensions
 * and partitioned extracts.
 */
const EXTRACT_MARKS: ReadonlySet<string> = new Set(
  `as_of as_of_date asof_date ds dt effective_from effective_to extract_date is_current partition_date
   snapshot_at snapshot_date snapshot_day snapshot_ts ts valid_from valid_to valid_until version version_no
   version_number`
    .trim()
    .split(/\s+/),
)

/**
 * When a row changed. A history with one has a row for each change of what it is about, as the `*_history` tables of
 * Fivetran's connectors do; a list of changes (`old_value`, `new_value`) has only the time of its own creation.
 * Source: fivetran.com/docs/connectors/applications, the schemas of Google Ads, Intercom and LinkedIn Ads.
 */
const CHANGE_TIMES: ReadonlySet<string> = new Set(
  'last_modified_time modified_at updated_at updated_time'.split(' '),
)

/**
 * Returns the key of a table: from the user, else declared, else from comments, else from the loader, else the only
 * column whose name and type mark it as the own id of the table. Names decide nothing else.
 */
export function findKey(given: Subject): Key | undefined {
  // a field of a struct identifies the subject of the struct
  const subject = { ...given, columns: given.columns.filter(({ field }) => !field) }
  const key =
    configuredKey(subject) ??
    declaredKey(subject) ??
    commentKey(subject) ??
    loaderKey(subject, subject.loader?.key) ??
    (subject.table.observed ? observedKey(subject) : keyByName(subject)) ??
    loaderKey(subject, subject.loader?.rowKey)
  return key && withHistory(inTableOrder(key, subject), subject)
}

function configuredKey({ columns, settings }: Subject): Key | undefined {
  const { key } = settings.table
  if (!key || missingColumns(key, columns).length > 0) return undefined
  const byName = Object.fromEntries(columns.map((column) => [column.name, column.name]))
  return { columns: key.flatMap((wanted) => lookUp(byName, wanted) ?? []), evidence: 'configuration' }
}

function declaredKey({ columns, table }: Subject): Key | undefined {
  if (table.primaryKey) return { columns: table.primaryKey, evidence: 'primary key' }
  const isNullable = (name: string): boolean =>
    columns.find((column) => column.name === name)?.nullable !== false
  const unique = (table.uniqueKeys ?? [])
    .filter((key) => !key.some(isNullable))
    .toSorted((a, b) => a.length - b.length || compareText(a.join('\0'), b.join('\0')))[0]
  return unique && { columns: unique, evidence: 'unique constraint' }
}

/** Returns the key that the loader guarantees. */
function loaderKey({ columns }: Subject, wanted: string | undefined): Key | undefined {
  const column = columns.find(({ name }) => name.toLowerCase() === wanted)
  return column && { columns: [column.name], evidence: 'loader' }
}

/** The number of rows from which uniqueness is not a coincidence. */
const CONCLUSIVE_ROWS = 100

const CONCLUSIVE_CONFIDENCE = 0.9

/** Later rows break a key that rows and names agree on in less than one of two hundred tables. */
const CERTAIN_CONFIDENCE = 0.97

/** Returns true if a key that the rows confirm will most likely remain one. */
export function isCertain({ key, sampled = false }: Observation): boolean {
  return key !== undefined && !sampled && key.confidence >= CERTAIN_CONFIDENCE
}

/** Returns the key that the rows confirm, if there are enough of them. */
export function provenKey({ key, rows }: Observation): Observation['key'] {
  return key && rows >= CONCLUSIVE_ROWS && key.confidence >= CONCLUSIVE_CONFIDENCE ? key : undefined
}

/** Returns the key that the rows confirm; a few rows prove no more than its name does. */
function observedKey({ table: { observed } }: Subject): Key | undefined {
  if (!observed?.key) return undefined
  return { columns: observed.key.columns, evidence: provenKey(observed) ? 'rows' : 'name' }
}

/** Returns the column that its comment declares as the key, or all columns that comments declare as parts. */
function commentKey(subject: Subject): Key | undefined {
  const facts = subject.columns.map((column) => ({ column, facts: readComment(column.comment) }))
  const whole = facts.filter(
    ({ facts: { key, reference } }) => key === 'whole' || isOwnKey(reference, subject),
  )
  const parts = facts.filter(({ facts: { key } }) => key === 'part')
  const [only] = whole
  if (only && whole.length === 1 && parts.length === 0 && mayBeKey(only.column.type, subject))
    return { columns: [only.column.name], evidence: 'comment' }
  if (whole.length > 0 || parts.length < 2) return undefined
  return { columns: parts.map(({ column }) => column.name), evidence: 'comment' }
}

/** Returns true for `primary key of the orders table` in the table `orders`. */
function isOwnKey(reference: CommentReference | undefined, { name }: Subject): boolean {
  const target = reference?.isKeyOf ? (reference.path.at(-1) ?? '') : ''
  return (
    target !== '' && inNumber(toSnakeCase(target), 'plural') === inNumber(toSnakeCase(name.table), 'plural')
  )
}

function keyByName(subject: Subject): Key | undefined {
  const named = subject.columns.filter((column) => isOwnId(column.name, subject))
  const first = firstKey(subject)
  const [only, ...others] = first === undefined || named.includes(first) ? named : [...named, first]
  if (!only || others.length > 0 || isElement(subject) || !mayBeKey(only.type, subject)) return undefined
  const repeats = hasVersions(subject)
  return { columns: [only.name], evidence: 'name', ...(repeats && { repeats: true as const }) }
}

/** Returns true if columns state the version of a row, or a history has the time of the change that made it. */
function hasVersions({ columns, name: { table } }: Subject): boolean {
  const isHistory = toSnakeCase(table).endsWith('_history')
  return columns.some(({ name }) => {
    const plain = toSnakeCase(name)
    return EXTRACT_MARKS.has(plain) || (isHistory && CHANGE_TIMES.has(plain))
  })
}

/**
 * Returns true if rows are numbered within a parent, as some loaders unfold lists: `checkout_id`, `index`,
 * `id`.
 */
function isElement({ columns }: Subject): boolean {
  const [parent = '', number] = columns.map(({ name }) => toSnakeCase(name))
  return parent.endsWith('_id') && number === 'index'
}

function mayBeKey(type: string, { settings }: Subject): boolean {
  const { arguments: numbers, family } = parseType(type, settings.dialect)
  if (family === 'decimal') return (numbers[1] ?? 0) === 0
  return family === 'integer' || family === 'string' || family === 'uuid'
}

function withHistory(key: Key, { columns, loader }: Subject): Key {
  const start = columns.find((column) => column.name.toLowerCase() === loader?.historyKey)
  if (!start || key.columns.includes(start.name) || key.evidence === 'loader') return key
  return { ...key, columns: [...key.columns, start.name] }
}

function inTableOrder(key: Key, { columns }: Subject): Key {
  const ordered = columns.filter(({ name }) => key.columns.includes(name))
  return { ...key, columns: ordered.map(({ name }) => name) }
}
