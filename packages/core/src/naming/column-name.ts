import type { Dialect, Family } from '@stagecraft/dialects'
import type { Conversion } from '@stagecraft/spec'
import type { DecidedNaming } from '../presets/preset.ts'
import { byteLength } from '../sql/identifiers.ts'
import { applyPattern, dropColumnPrefix, fillPattern, findRename, isEmpty } from './house-names.ts'
import { nameConverted } from './converted-names.ts'
import { OWN_ID_NAMES, VERBS } from './rules.ts'
import { type Vocabulary, customName, isWholeWord, joinCapitals, splitWord, toSnakeCase } from './tokens.ts'
import { isState, nameDay, nameFlag, nameMoment } from './typed-names.ts'
import { shorten } from './unique-names.ts'

/**
 * Words that name no column without quotes in at least five warehouses. They get the entity as a prefix in all of
 * them, so that a column has the same name everywhere. `user` is one; `index` and `rows`, which four warehouses
 * reserve, are in common use. This is a list and not a count, because adding a warehouse must not rename columns of
 * existing projects.
 */
export const WIDELY_RESERVED: ReadonlySet<string> = new Set(
  `
  all alter and any array as asc authorization between binary both by case cast check collate column
  constraint create cross current_date current_time current_timestamp current_user default delete desc
  distinct drop else end escape except exists false fetch for foreign from full grant group having ilike in
  inner insert intersect into is join lateral leading left like limit localtime localtimestamp natural not
  null of on or order outer primary references right select session_user set some table tablesample then to
  trailing true union unique update user using values when where with
`
    .trim()
    .split(/\s+/),
)

/** Returns true for a word that many warehouses reserve. */
function isReservedWidely(name: string): boolean {
  return WIDELY_RESERVED.has(name)
}

/** The settings for naming the columns of a table. */
export interface ColumnNaming {
  /** The name of one row: `payment`. */
  readonly entity: string
  readonly dialect: Dialect
  readonly rules: DecidedNaming
  readonly vocabulary: Vocabulary
  /** True if run-together names of the table are split; see `runsTogether`. */
  readonly splits: boolean
  /** The word that all columns of the table begin with, for `{shared}`. @default none */
  readonly shared?: string | undefined
}

/** A column as naming sees it. */
export interface NamedColumn {
  /** As stored. */
  readonly name: string
  /** 1-based; names a column whose own name has no letter. */
  readonly ordinal: number
  /** The family of what the model selects, after any conversion. */
  readonly family: Family
  /** A loader's own column keeps its name; no rule but legality applies. */
  readonly isMetadata: boolean
  /** Its conversion in the model, which may make words of its name wrong. */
  readonly conversion?: Conversion | undefined
}

/** A rule that contributed to a name; `core/src/explain` has a text for each. */
export type NameRule =
  | 'stored'
  | 'snake'
  | 'lower'
  | 'case'
  | 'renames'
  | 'metadata'
  | 'customFields'
  | 'columnPrefixes'
  | 'glossary'
  | 'splitting'
  | 'conversion'
  | 'ids'
  | 'booleans'
  | 'timestamps'
  | 'dates'
  | 'patterns'
  | 'reserved'
  | 'prefixWords'
  | 'digit'
  | 'placeholder'
  | 'shortened'
  | 'configured'
  | 'backend'
  | 'loadTime'
  | 'deletedRows'
  | 'borne'
  | 'numbered'
  | 'kept'

/** A name and the rules that made it, in the order in which they were applied. */
export interface RuledName {
  readonly name: string
  readonly rules: readonly NameRule[]
}

/** The candidate names of a column, and the rules that led to them. */
export interface ColumnNames {
  /** Best first; the second one is used if another column already has the first. */
  readonly candidates: readonly RuledName[]
  /** The stored name has no letter and no digit that a plain name can keep. */
  readonly wasReplaced: boolean
  /** The best name was longer than the warehouse allows. */
  readonly wasShortened: boolean
  /** The stored name in snake case, before any rule. */
  readonly plain: string
}

export function nameColumn(column: NamedColumn, naming: ColumnNaming): ColumnNames {
  const fixed = fixedName(column, naming)
  const plain = toSnakeCase(joinCapitals(column.name, naming.rules.words))
  const named = fixed === undefined ? ruledNames(plain, column, naming) : [fixed]
  const wanted = named.map((one) =>
    column.isMetadata ? one : then(one, 'case', inCase(one.name, naming.rules)),
  )
  const candidates = withinLimit(wanted, naming.dialect.identifiers.maxBytes)
  return {
    candidates,
    wasReplaced: fixed === undefined && plain === '',
    wasShortened: candidates[0]?.name !== wanted[0]?.name,
    plain,
  }
}

/** Returns a name of words with underscores as the project writes names: `accountName`. Two numbers keep theirs. */
export function inCase(name: string, { columns }: Pick<DecidedNaming, 'columns'>): string {
  if (columns !== 'camel' && columns !== 'pascal') return name
  const joined = name
    .replaceAll(/(?<=[a-z0-9])_+([a-z])/g, (_, letter: string) => letter.toUpperCase())
    .replaceAll(/(?<=[A-Za-z])_+(?=\d)/g, '')
  return columns === 'camel' ? joined : joined.replace(/^_*[a-z]/, (opening) => opening.toUpperCase())
}

function withinLimit(names: readonly RuledName[], limit: number): readonly RuledName[] {
  const isLong = ({ name }: RuledName): boolean => byteLength(name) > limit
  if (!names.some(isLong)) return names
  return names.map((one) => (isLong(one) ? then(one, 'shortened', shorten(one.name, limit)) : one))
}

/** Returns the name after a rule; a rule without effect is not recorded. */
function then(named: RuledName, rule: NameRule, changed: string): RuledName {
  return changed === named.name ? named : { name: changed, rules: [...named.rules, rule] }
}

const STORED: readonly NameRule[] = ['stored']
const SNAKE: readonly NameRule[] = ['snake']

function ruledNames(plain: string, column: NamedColumn, naming: ColumnNaming): readonly RuledName[] {
  const stored = { name: plain, rules: plain === column.name ? STORED : SNAKE }
  if (column.isMetadata) return [legalName(withRule(stored, 'metadata'), column, naming)]
  const custom = customName(plain)
  if (custom !== undefined && naming.rules.customFields === 'keep')
    return [legalName(withRule(stored, 'customFields'), column, naming)]
  const shorter = custom === undefined ? [] : [...new Set([custom.bare, custom.own])]
  const named = shorter.map((name) => withRule({ ...stored, name }, 'customFields'))
  const bases = named.length === 0 ? [stored] : named
  const names = bases.flatMap((base) => {
    const own = then(base, 'columnPrefixes', dropColumnPrefix(base.name, naming.rules, naming))
    return applyRules(withoutUnit(splitName(own, naming), column), column, naming)
  })
  return (custom === undefined ? names : [...names, stored]).map((name) => legalName(name, column, naming))
}

function withRule({ name, rules }: RuledName, rule: NameRule): RuledName {
  return { name, rules: [...rules, rule] }
}

/** The name without the unit that its value was in before the conversion. */
function withoutUnit(name: RuledName, { conversion }: NamedColumn): RuledName {
  if (conversion === undefined) return name
  return then(name, 'conversion', nameConverted(name.name.split('_'), conversion).join('_'))
}

/** Names that are not made by rules: the user's own, and those of presets that rename nothing. */
function fixedName(column: NamedColumn, naming: ColumnNaming): RuledName | undefined {
  const { rules } = naming
  const renamed = isEmpty(rules.renames) ? undefined : renameOf(column.name, naming)
  if (renamed !== undefined) return { name: renamed, rules: ['renames'] }
  if (rules.columns === 'keep') return { name: column.name, rules: STORED }
  return rules.columns === 'lower' ? { name: column.name.toLowerCase(), rules: ['lower'] } : undefined
}

function renameOf(stored: string, naming: ColumnNaming): string | undefined {
  const { entity, rules } = naming
  const finish = (name: string): string => splitName({ name, rules: SNAKE }, naming).name
  return findRename(stored, rules.renames, { entity, finish })
}

/** The name with its run-together words split, and those in the glossary expanded. */
function splitName(name: RuledName, { rules, splits, vocabulary }: ColumnNaming): RuledName {
  const hasGlossary = !isEmpty(rules.glossary)
  if (!splits && !hasGlossary) return name
  const words = name.name.split('_')
  const split = (word: string): readonly string[] => (splits ? splitWord(word, vocabulary) : [word])
  if (!hasGlossary) return then(name, 'splitting', words.flatMap(split).join('_'))
  const parts = words.flatMap((word) => (Object.hasOwn(rules.glossary, word) ? [word] : split(word)))
  return then(then(name, 'splitting', parts.join('_')), 'glossary', expandAll(parts, rules).join('_'))
}

/** Returns the entity as column names spell it: the glossary applies to it, as to references to it. */
export function expandEntity(entity: string, rules: DecidedNaming): string {
  return isEmpty(rules.glossary) ? entity : expandAll(entity.split('_'), rules).join('_')
}

/** Replaces words by the glossary, the longest row of words first. */
function expandAll(words: readonly string[], { glossary }: DecidedNaming): readonly string[] {
  const longest = Math.max(...Object.keys(glossary).map((key) => key.split('_').length))
  const expanded: string[] = []
  for (let at = 0; at < words.length;) {
    const lengths = Array.from({ length: Math.min(longest, words.length - at) }, (_, index) => index + 1)
    const length = lengths.findLast((count) => Object.hasOwn(glossary, words.slice(at, at + count).join('_')))
    const said = words.slice(at, at + (length ?? 1)).join('_')
    expanded.push(...(length === undefined ? [said] : toSnakeCase(glossary[said] ?? '').split('_')))
    at += length ?? 1
  }
  return expanded
}

function applyRules(plain: RuledName, column: NamedColumn, naming: ColumnNaming): readonly RuledName[] {
  const { rules } = naming
  if (rules.ids && isOwnId(plain.name, naming)) return [ownId(plain, naming), then(plain, 'snake', 'id')]
  const ruled = applyTypeRule(plain, column, naming)
  const named = isEmpty(rules.patterns) ? ruled : patterned({ plain, ruled }, column, naming)
  return [named.name.length > longest(naming) ? plain : named]
}

function patterned(
  { plain, ruled }: { readonly plain: RuledName; readonly ruled: RuledName },
  { family }: NamedColumn,
  naming: ColumnNaming,
): RuledName {
  const words = { plain: plain.name.split('_'), ruled: ruled.name.split('_') }
  return then(ruled, 'patterns', applyPattern(words, family, naming).join('_'))
}

/** Returns true for the table's own key. One that is called after the table is renamed only by a configured pattern. */
function isOwnId(name: string, { entity, rules }: ColumnNaming): boolean {
  return OWN_ID_NAMES.has(name) || (rules.patterns.id !== undefined && name === `${entity}_id`)
}

function ownId(plain: RuledName, naming: ColumnNaming): RuledName {
  const { entity, rules } = naming
  const own = rules.patterns.id
  return own === undefined
    ? then(plain, 'ids', withEntity('id', naming))
    : then(plain, 'patterns', fillPattern(own, { entity }))
}

function applyTypeRule(
  plain: RuledName,
  { family }: NamedColumn,
  { rules, vocabulary }: ColumnNaming,
): RuledName {
  const { booleans, dates, timestamps } = rules
  if (booleans && family === 'boolean')
    return inWords(plain, 'booleans', nameFlag(splitOpening(wordsOf(plain), vocabulary)))
  if (timestamps !== false && family.startsWith('timestamp'))
    return inWords(plain, 'timestamps', nameMoment(wordsOf(plain), timestamps))
  if (dates !== false && family === 'date') return inWords(plain, 'dates', nameDay(wordsOf(plain), dates))
  return plain
}

function wordsOf({ name }: RuledName): readonly string[] {
  return name.split('_')
}

function inWords(plain: RuledName, rule: NameRule, words: readonly string[]): RuledName {
  return then(plain, rule, words.join('_'))
}

/**
 * `issplit` is `is split` and `serializedflag` is `serialized flag`, whatever the style of the table, because a
 * boolean with such a word says so itself.
 */
function splitOpening(words: readonly string[], vocabulary: Vocabulary): readonly string[] {
  const [word = '', ...others] = words
  if (others.length > 0 || isWholeWord(word, vocabulary)) return words
  const { state } = /^(?<state>[a-z]{4,})flag$/.exec(word)?.groups ?? {}
  if (state !== undefined && isState(state)) return [state, 'flag']
  const { opening, rest } = /^(?<opening>is|has)(?<rest>[a-z]{3,})$/.exec(word)?.groups ?? {}
  if (opening === undefined || rest === undefined) return words
  const parts = splitWord(rest, vocabulary)
  const isKnown = parts.every((part) => isWholeWord(part, vocabulary) || VERBS.has(part) || isState(part))
  return isKnown ? [opening, ...parts] : words
}

/** Returns the limit on names after adding a prefix or suffix: that of PostgreSQL, or less. */
function longest({ dialect }: ColumnNaming): number {
  return Math.min(63, dialect.identifiers.maxBytes)
}

/** `payment_id`; of a long entity only the last words that leave room. */
function withEntity(name: string, naming: ColumnNaming): string {
  const { entity } = naming
  const limit = longest(naming)
  const words = entity.split('_')
  const start = words.findIndex((_, index) => [...words.slice(index), name].join('_').length <= limit)
  const kept = start < 0 ? [] : words.slice(start)
  return kept.at(-1) === name ? `${kept.join('_')}_value` : [...kept, name].join('_')
}

/**
 * Returns a name that needs no quotes, except for words that few warehouses reserve: those are quoted there, and
 * have the same name everywhere.
 */
function legalName(wanted: RuledName, column: NamedColumn, naming: ColumnNaming): RuledName {
  const { entity } = naming
  const present = wanted.name === '' ? then(wanted, 'placeholder', `column_${column.ordinal}`) : wanted
  const { name } = present
  const rule = clashOf(name, column, naming)
  if (rule === undefined) return present
  const isOpened = column.isMetadata || /^\d/.test(entity)
  return then(present, rule, isOpened ? `_${name}` : withEntity(name, naming))
}

/** The reason why a plain name is not enough. */
function clashOf(
  name: string,
  { isMetadata }: NamedColumn,
  { entity, rules: { prefixWords } }: ColumnNaming,
): NameRule | undefined {
  if (isReservedWidely(name)) return 'reserved'
  const isShort = !name.includes('_') && name !== entity && !isMetadata
  if (prefixWords.includes(name) || (isShort && prefixWords.includes('*'))) return 'prefixWords'
  return /^\d/.test(name) ? 'digit' : undefined
}
