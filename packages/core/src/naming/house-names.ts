import type { Family } from '@stagecraft/dialects'
import { remember } from '../memo.ts'
import type { DecidedNaming } from '../presets/preset.ts'
import { customName, toSnakeCase } from './tokens.ts'
import { nameDay, nameMoment } from './typed-names.ts'
import { FLAG_WORDS, STATEMENT_WORDS } from './rules.ts'

/** Returns true if a map of rules is empty. Most are, and they are read for every column. */
export function isEmpty(map: object): boolean {
  for (const key in map) if (Object.hasOwn(map, key)) return false
  return true
}

/** Puts values into a pattern: `stg_{source}__{entity}`. */
export function fillPattern(pattern: string, values: Readonly<Record<string, string>>): string {
  let filled = ''
  for (const { text, key } of piecesOf(pattern)) filled += key === undefined ? text : (values[key] ?? text)
  return filled
}

interface PatternPiece {
  readonly text: string
  /** The name of the value that takes its place. */
  readonly key: string | undefined
}

/** Patterns are few, and filled for every table. */
const piecesOf = remember(
  (pattern: string): readonly PatternPiece[] =>
    pattern.split(/(\{\w+\})/).map((text, index) => ({
      text,
      key: index % 2 === 1 ? text.slice(1, -1) : undefined,
    })),
  100,
)

/** The naming rules that a project configures with patterns. */
export type HouseRules = Pick<
  DecidedNaming,
  'columnPrefixes' | 'dates' | 'ids' | 'patterns' | 'renames' | 'timestamps'
>

/** The values that patterns refer to. */
export interface HouseWords {
  /** The name of one row: `payment`. */
  readonly entity: string
  /** The word that all columns of the table begin with; see `sharedWord`. @default none */
  readonly shared?: string | undefined
}

/**
 * Finds the name that `renames` gives a column: under its whole name, else under the longest name with `*` that fits.
 *
 * @param finish Makes a staged name from the text that `*` stands for.
 */
export function findRename(
  stored: string,
  renames: HouseRules['renames'],
  { entity, finish }: HouseWords & { readonly finish: (text: string) => string },
): string | undefined {
  const keys = Object.keys(renames)
  if (keys.length === 0) return undefined
  const lower = stored.toLowerCase()
  const whole = keys.find((key) => key.toLowerCase() === lower)
  if (whole !== undefined) return withEntity(renames[whole] ?? '', entity)
  const plain = toSnakeCase(stored)
  const found = keys
    .filter((key) => key.includes('*'))
    .toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .flatMap((key) => {
      const rest = restOf(plain, key.toLowerCase())
      return rest === undefined ? [] : [{ key, rest }]
    })[0]
  if (!found) return undefined
  return withEntity((renames[found.key] ?? '').replace('*', finish(found.rest)), entity)
}

/** The text that `*` stands for; undefined where the name does not fit. */
function restOf(plain: string, key: string): string | undefined {
  const star = key.indexOf('*')
  const [head, tail] = [key.slice(0, star), key.slice(star + 1)]
  const isFit = plain.startsWith(head) && plain.endsWith(tail) && plain.length > head.length + tail.length
  return isFit ? plain.slice(head.length, plain.length - tail.length) : undefined
}

/**
 * Fills in the entity, unless the name behind it begins with it: `{entity}_{name}` of `user_name` is no
 * `user_user_name`.
 */
function withEntity(pattern: string, entity: string): string {
  const [, rest] = /^\{entity\}_(.+)$/.exec(pattern) ?? []
  if (rest !== undefined && (rest === entity || rest.startsWith(`${entity}_`))) return rest
  return fillPattern(pattern, { entity })
}

/** The number of columns that must share a word before it says nothing about any of them. */
const SHARED_BY = 2

/** Returns the word that the names of all columns of a table begin with: `cust` of `CUST_NO` and `CUST_NAME`. */
export function sharedWord(names: readonly string[]): string | undefined {
  const own = names.map(toSnakeCase).filter((name) => !name.startsWith('_') && customName(name) === undefined)
  const words = new Set(own.map((name) => (name.includes('_') ? name.slice(0, name.indexOf('_')) : '')))
  const [word = ''] = words
  return own.length >= SHARED_BY && words.size === 1 && word !== '' ? word : undefined
}

/** Removes the first matching prefix, unless the rest would be empty or begin with a digit. */
export function dropColumnPrefix(
  plain: string,
  { columnPrefixes }: Pick<HouseRules, 'columnPrefixes'>,
  { entity, shared }: HouseWords,
): string {
  for (const pattern of columnPrefixes) {
    if (pattern.includes('{shared}') && shared === undefined) continue
    const prefix = fillPattern(pattern.toLowerCase(), { entity, shared: shared ?? '' })
    const rest = plain.startsWith(prefix) ? plain.slice(prefix.length) : ''
    if (/^[a-z_]/.test(rest)) return rest
  }
  return plain
}

/** The kind of pattern that a column's name follows. */
type PatternKind = keyof DecidedNaming['patterns']

/**
 * Applies a configured pattern to the name that the rules produced.
 *
 * @param plain The words of the name before any rule for its type.
 * @param ruled The words after it.
 */
export function applyPattern(
  { plain, ruled }: { readonly plain: readonly string[]; readonly ruled: readonly string[] },
  family: Family,
  { entity, rules }: HouseWords & { readonly rules: HouseRules },
): readonly string[] {
  const { patterns } = rules
  const kind = kindOf(ruled, family)
  const pattern = patterns[kind]
  if (pattern !== undefined && kind !== 'default') {
    const isWhole = pattern.endsWith(`{name}_${plain.join('_')}`)
    const stem = isWhole ? plain : STEMS[kind]({ plain, ruled, rules })
    if (stem === undefined) return ruled
    return fill(stateless(pattern, stem), stem.join('_'), entity)
  }
  if (kind === 'reference' || patterns.default === undefined) return ruled
  return fill(patterns.default, ruled.join('_'), entity)
}

function fill(pattern: string, name: string, entity: string): readonly string[] {
  const isOpened = name === entity || name.startsWith(`${entity}_`)
  const isClosed = name === entity || name.endsWith(`_${entity}`)
  const opened = isOpened ? pattern.replace('{entity}_', '') : pattern
  const shown = isClosed ? opened.replace(/_\{entity\}$/, '') : opened
  return fillUnrepeated(shown, { entity, name }).split('_')
}

/** Does not repeat words: `created_ts` and `{name}_ts_utc` are `created_ts_utc`, and so is `created_ts_utc` itself. */
function fillUnrepeated(
  pattern: string,
  { entity, name }: { readonly entity: string; readonly name: string },
): string {
  const [before = '', after = ''] = pattern.split('{name}_')
  const [words, ending] = [name.split('_'), after.split('_')]
  const shared = ending.findLastIndex(
    (_, index) => words.slice(-1 - index).join('_') === ending.slice(0, index + 1).join('_'),
  )
  const rest = words.slice(0, words.length - shared - 1)
  return shared < 0 || rest.length > 0
    ? fillPattern(pattern, { entity, name: rest.join('_') })
    : fillPattern(`${before}${after}`, { entity })
}

/** `is_{name}` would say too much of `has_avatar`. */
function stateless(pattern: string, stem: readonly string[]): string {
  return STATEMENT_WORDS.has(stem[0] ?? '') ? pattern.replace('is_{name}', '{name}') : pattern
}

type Named = Exclude<PatternKind, 'default' | 'id'>

function kindOf(ruled: readonly string[], family: Family): Named | 'default' {
  if (family === 'boolean' || family === 'date') return family
  if (family.startsWith('timestamp')) return 'timestamp'
  return ruled.length > 1 && ruled.at(-1) === 'id' ? 'reference' : 'default'
}

interface StemInput {
  readonly plain: readonly string[]
  readonly ruled: readonly string[]
  readonly rules: HouseRules
}

/** The words without those that the pattern stands for; undefined where it does not apply. */
const STEMS: Readonly<Record<Named, (input: StemInput) => readonly string[] | undefined>> = {
  reference: ({ ruled }) => ruled.slice(0, -1),
  boolean: ({ plain }) => {
    const words = plain[0] === 'is' && plain.length > 1 ? plain.slice(1) : plain
    return words.length > 1 && FLAG_WORDS.has(words.at(-1) ?? '') ? words.slice(0, -1) : words
  },
  timestamp: ({ plain, ruled, rules }) => {
    if (rules.timestamps === false) return undefined
    const named = rules.timestamps === 'keep' ? ruled : nameMoment(plain, 'suffix')
    return named.length > 1 && named.at(-1) === 'at' ? named.slice(0, -1) : undefined
  },
  date: ({ plain, ruled, rules }) => {
    if (rules.dates === false) return undefined
    const named = rules.dates === 'keep' ? ruled : nameDay(plain, 'suffix')
    return named.length > 1 && named.at(-1) === 'date' ? named.slice(0, -1) : undefined
  },
}
