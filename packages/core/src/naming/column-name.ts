import pluralize from 'pluralize'
import type { Dialect, Family } from '../dialects/dialect.ts'
import type { DecidedNaming } from '../presets/preset.ts'
import { byteLength, isReserved } from '../sql/identifiers.ts'
import { shorten } from './shorten.ts'
import { PAST_FORMS, UPDATED_STEMS } from './irregular.ts'
import { DATE_WORDS, FLAG_WORDS, OWN_ID_NAMES, STATEMENT_WORDS, TIME_WORDS, VERBS } from './rules.ts'
import { splitWord, toSnakeCase, type Vocabulary } from './tokens.ts'

export interface ColumnNaming {
  /** What one row is: `payment`. */
  readonly entity: string
  readonly dialect: Dialect
  readonly rules: DecidedNaming
  readonly vocabulary: Vocabulary
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
  const names = column.isMetadata ? [plain] : applyRules(toWords(plain, naming), column, naming)
  return names.map((name) => legalName(name, column, naming))
}

/** Names that are not made by rules: the user's own, and those of presets that rename nothing. */
function fixedName(column: NamedColumn, { rules }: ColumnNaming): string | undefined {
  const lower = column.name.toLowerCase()
  const renamed = Object.entries(rules.renames).find(([from]) => from.toLowerCase() === lower)
  if (renamed) return renamed[1]
  if (rules.columns === 'keep') return column.name
  return rules.columns === 'lower' ? lower : undefined
}

/** The words of a name, run-together ones split, those in the glossary expanded. */
function toWords(plain: string, { rules, vocabulary }: ColumnNaming): readonly string[] {
  const expand = (word: string): readonly string[] => {
    const expansion = Object.hasOwn(rules.glossary, word) ? rules.glossary[word] : undefined
    return expansion === undefined ? [word] : toSnakeCase(expansion).split('_')
  }
  return plain
    .split('_')
    .flatMap((word) =>
      Object.hasOwn(rules.glossary, word) ? expand(word) : splitWord(word, vocabulary).flatMap(expand),
    )
}

function applyRules(words: readonly string[], column: NamedColumn, naming: ColumnNaming): readonly string[] {
  const { entity, rules } = naming
  const plain = words.join('_')
  if (rules.ids && OWN_ID_NAMES.has(plain)) return [`${entity}_id`, 'id']
  if (rules.booleans && column.family === 'boolean') return [statement(words)]
  if (rules.timestamps && column.family.startsWith('timestamp')) return moment(words, entity)
  if (rules.dates && column.family === 'date') return [day(words, entity)]
  return [plain]
}

/** `active_flag` is `is_active`, `attachments` is `has_attachments`; what reads as a statement stays. */
function statement(words: readonly string[]): string {
  const known = words.filter(Boolean)
  const isStatement = STATEMENT_WORDS.has(known[0] ?? '') || known.some((word) => VERBS.has(word))
  if (isStatement) return words.join('_')
  const last = known.at(-1) ?? ''
  const bare = FLAG_WORDS.has(last) && known.length > 1 ? known.slice(0, -1) : known
  const noun = bare.at(-1) ?? ''
  const isPlural = pluralize.isPlural(noun) && !pluralize.isSingular(noun)
  return [isPlural ? 'has' : 'is', ...bare].join('_')
}

/** `created`, `date_created` and `createdate` are `created_at`; a time zone after `_at` stays. */
function moment(words: readonly string[], entity: string): readonly string[] {
  if (words.slice(1).includes('at')) return [words.join('_')]
  const stem = stemOf(words)
  if (stem.length === 0) return [`${entity}_at`]
  const past = [...stem.slice(0, -1), pastForm(stem.at(-1) ?? '')].join('_')
  const direct = `${past}_at`
  return UPDATED_STEMS.has(past) && past !== 'updated' ? ['updated_at', direct] : [direct]
}

/** `ordered_on` is `ordered_date`; what already names a day or a month stays. */
function day(words: readonly string[], entity: string): string {
  if (words.length === 1 && words[0] === 'date') return `${entity}_date`
  if (DATE_WORDS.has(words.at(-1) ?? '')) return words.join('_')
  const stem = stemOf(words)
  return stem.length === 0 ? `${entity}_date` : [...stem, 'date'].join('_')
}

function pastForm(word: string): string {
  return Object.hasOwn(PAST_FORMS, word) ? (PAST_FORMS[word] ?? word) : word
}

/** The words without those at either end that only say that this is a time. */
function stemOf(words: readonly string[]): readonly string[] {
  const isTime = (word: string): boolean => TIME_WORDS.has(word)
  const end = words.findLastIndex((word) => !isTime(word)) + 1
  const start = words.findIndex((word) => !isTime(word) || word === 'on')
  return end === 0 ? [] : words.slice(start < 0 ? 0 : start, end)
}

/** A name that needs no quotes anywhere. */
function legalName(name: string, column: NamedColumn, { dialect, entity, rules }: ColumnNaming): string {
  const present = name === '' ? `column_${column.ordinal}` : name
  const clashes = isReserved(present, dialect) || rules.prefixWords.includes(present) || /^\d/.test(present)
  if (!clashes) return present
  return column.isMetadata || /^\d/.test(entity) ? `_${present}` : `${entity}_${present}`
}
