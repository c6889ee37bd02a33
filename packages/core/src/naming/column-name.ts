import type { Dialect, Family } from '@stagecraft/dialects'
import type { DecidedNaming } from '../presets/preset.ts'
import { byteLength } from '../sql/identifiers.ts'
import { SALESFORCE_FIELD } from './custom-field.ts'
import { nameFlag } from './flag-name.ts'
import { nameDay, nameMoment } from './moment-name.ts'
import { isReservedWidely } from './reserved-widely.ts'
import { OWN_ID_NAMES, VERBS } from './rules.ts'
import { shorten } from './shorten.ts'
import { isState } from './states.ts'
import { isWholeWord, splitWord, toSnakeCase, type Vocabulary } from './tokens.ts'

export interface ColumnNaming {
  /** The name of one row: `payment`. */
  readonly entity: string
  readonly dialect: Dialect
  readonly rules: DecidedNaming
  readonly vocabulary: Vocabulary
  /** True if run-together names of the table are split; see `runsTogether`. */
  readonly splits: boolean
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
}

/** The names a column may take, and what was done to get them. */
export interface ColumnNames {
  /** Best first; the second is for tables where a column bears the first already. */
  readonly candidates: readonly string[]
  /** The stored name has no letter and no digit that a plain name can keep. */
  readonly wasReplaced: boolean
  /** The best name was longer than the warehouse allows. */
  readonly wasShortened: boolean
  /** The stored name in snake case, before any rule. */
  readonly plain: string
}

export function nameColumn(column: NamedColumn, naming: ColumnNaming): ColumnNames {
  const fixed = fixedName(column, naming)
  const plain = toSnakeCase(column.name)
  const wanted = fixed === undefined ? ruledNames(plain, column, naming) : [fixed]
  const { maxBytes } = naming.dialect.identifiers
  const candidates = wanted.map((name) => (byteLength(name) > maxBytes ? shorten(name, maxBytes) : name))
  return {
    candidates,
    wasReplaced: fixed === undefined && plain === '',
    wasShortened: candidates[0] !== wanted[0],
    plain,
  }
}

function ruledNames(plain: string, column: NamedColumn, naming: ColumnNaming): readonly string[] {
  if (column.isMetadata) return [legalName(plain, column, naming)]
  const custom = SALESFORCE_FIELD.exec(plain)
  if (custom && naming.rules.customFields === 'keep') return [legalName(plain, column, naming)]
  const names = applyRules(toWords(custom?.[1] ?? plain, naming), column, naming)
  return [...names, ...(custom ? [plain] : [])].map((name) => legalName(name, column, naming))
}

/** Names that are not made by rules: the user's own, and those of presets that rename nothing. */
function fixedName(column: NamedColumn, { rules }: ColumnNaming): string | undefined {
  const lower = column.name.toLowerCase()
  const renamed = Object.keys(rules.renames).find((from) => from.toLowerCase() === lower)
  if (renamed !== undefined) return rules.renames[renamed]
  if (rules.columns === 'keep') return column.name
  return rules.columns === 'lower' ? lower : undefined
}

/** The words of a name, run-together ones split, those in the glossary expanded. */
function toWords(plain: string, { rules, splits, vocabulary }: ColumnNaming): readonly string[] {
  const isTogether = splits && !plain.includes('_')
  const words = plain.split('_')
  if (Object.keys(rules.glossary).length === 0)
    return isTogether ? words.flatMap((word) => splitWord(word, vocabulary)) : words
  return words.flatMap((word) => {
    const own = expand(word, rules)
    if (own) return own
    const parts = isTogether ? splitWord(word, vocabulary) : [word]
    return parts.flatMap((part) => expand(part, rules) ?? [part])
  })
}

function expand(word: string, { glossary }: DecidedNaming): readonly string[] | undefined {
  const expansion = Object.hasOwn(glossary, word) ? glossary[word] : undefined
  return expansion === undefined ? undefined : toSnakeCase(expansion).split('_')
}

function applyRules(words: readonly string[], column: NamedColumn, naming: ColumnNaming): readonly string[] {
  const { rules } = naming
  const plain = words.join('_')
  if (rules.ids && OWN_ID_NAMES.has(plain)) return [withEntity('id', naming), 'id']
  const ruled = applyTypeRules(words, column, naming).join('_')
  return [ruled.length > longest(naming) ? plain : ruled]
}

function applyTypeRules(
  words: readonly string[],
  { family }: NamedColumn,
  { rules, vocabulary }: ColumnNaming,
): readonly string[] {
  if (rules.booleans && family === 'boolean') return nameFlag(splitOpening(words, vocabulary))
  if (rules.timestamps !== false && family.startsWith('timestamp')) return nameMoment(words, rules.timestamps)
  if (rules.dates !== false && family === 'date') return nameDay(words, rules.dates)
  return words
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

/** Returns the longest name that a prefix or suffix may make: that of PostgreSQL, or less. */
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

/** A name that needs no quotes but for words that few warehouses reserve: those are quoted there, and named alike. */
function legalName(name: string, column: NamedColumn, naming: ColumnNaming): string {
  const { entity, rules } = naming
  const present = name === '' ? `column_${column.ordinal}` : name
  const clashes = isReservedWidely(present) || rules.prefixWords.includes(present) || /^\d/.test(present)
  if (!clashes) return present
  return column.isMetadata || /^\d/.test(entity) ? `_${present}` : withEntity(present, naming)
}
