import type { Dialect } from '@stagecraft/dialects'
import type { CatalogTable, ColumnProfile, ColumnValue, Conversion, ProfiledValue } from '@stagecraft/spec'
import { CONVERSION_RULES } from '../plan/conversions.ts'
import { parseType, saysYesOrNo } from '../sql/types.ts'
import * as words from './fact-words.ts'
import type { Fact, Inference, ProposedFact } from './inference.ts'
import type { Subject, SubjectColumn } from './read-subjects.ts'
import { repeatedId } from './repeated-ids.ts'

/** A rule's finding: what, by which rule, and the share of such findings that were true. */
interface Finding {
  readonly fact: Fact
  readonly rule: string
  readonly confidence: number
}

interface Column extends SubjectColumn {
  /** Rows of the table, and those in which the column has a value. */
  readonly rows: number
  readonly filled: number
  readonly profile: ColumnProfile
  /** Part of the key of its table, or of a reference to another one. */
  readonly identifies: boolean
  readonly refers: boolean
}

/** Says what the rows show of single columns; a column gets no second finding of a kind. */
export function proposeFacts(
  subjects: readonly Subject[],
  { keys, references }: Pick<Inference, 'keys' | 'references'>,
  dialect: Dialect,
): readonly ProposedFact[] {
  const keyOf = new Map(keys.map((key) => [key.table, new Set(key.columns)] as const))
  const referring = Map.groupBy(references, ({ child }) => child.table)
  const tables = new Set(subjects.map(({ words: { whole } }) => whole))
  return subjects.flatMap((subject) => {
    const { profile, table } = subject
    if (!profile || profile.rows === 0) return []
    const refers = new Set(referring.get(table)?.flatMap(({ child }) => child.columns))
    const columns = subject.columns.flatMap((column): readonly Column[] => {
      if (!column.profile) return []
      return [
        {
          ...column,
          profile: column.profile,
          rows: profile.rows,
          filled: profile.rows - column.profile.nulls,
          identifies: keyOf.get(table)?.has(column.name) ?? false,
          refers: refers.has(column.name),
        },
      ]
    })
    const found = columns.flatMap((column) =>
      findingsOf(column)
        .filter(({ fact }) => fact.kind !== 'conversion' || canConvert(column, fact.as, { table, dialect }))
        .map((finding) => ({ column, finding })),
    )
    const freshness = freshest(columns)
    const versions = versionsOf(subject, columns, tables)
    return [...found, ...(freshness ? [freshness] : []), ...(versions ? [versions] : [])].map(
      ({ column, finding: { confidence, fact, rule } }): ProposedFact => ({
        table,
        column: column.name,
        fact,
        rule,
        origin: 'data',
        confidence,
        rows: profile.rows,
        ...(profile.sampled && { sampled: true }),
      }),
    )
  })
}

/** Returns true if the dialect has an expression for the conversion of a column of that type. */
function canConvert(
  { name, profile }: Column,
  as: Conversion,
  { dialect, table }: { readonly dialect: Dialect; readonly table: CatalogTable },
): boolean {
  const { family } = parseType(table.columns.find((column) => column.name === name)?.type ?? '', dialect)
  if (as === 'keep') return true
  const rule = CONVERSION_RULES[as]
  const operand = { sql: name, family, values: profile.values?.map(({ value }) => value) }
  return rule.from.includes(family) && rule.convert(operand, dialect) !== undefined
}

/** The id that versions of a row share, where it is the key that is missed. */
function versionsOf(
  subject: Subject,
  columns: readonly Column[],
  tables: ReadonlySet<string>,
): { readonly column: Column; readonly finding: Finding } | undefined {
  const { changedAt: by } = subject
  const id = columns.some(({ identifies }) => identifies) ? undefined : repeatedId(subject, tables)
  const column = columns.find(({ name }) => name === id?.name)
  if (!column || by === undefined) return undefined
  return { column, finding: { fact: { kind: 'versions', by }, rule: 'repeated_id', confidence: 0.8 } }
}

function findingsOf(column: Column): readonly Finding[] {
  const conversion = column.identifies || column.refers ? undefined : convert(column)
  const isFlag = conversion?.fact.kind === 'conversion' && conversion.fact.as === 'boolean'
  const list = isFlag ? flagList(column) : conversion ? undefined : closedList(column)
  return [
    conversion,
    list,
    form(column),
    range(column, conversion),
    neverNull(column),
    deletionMark(column),
  ].filter((finding) => finding !== undefined)
}

/** Fewest rows per value from which a list shows. */
const ROWS_PER_VALUE = 20
/**
 * Fewest rows of each value. One that is seen seldom stands for others that were not seen yet: where the rarest comes ten times, one
 * half as frequent is missed once in 150 tables.
 */
const FEWEST_OF_A_VALUE = 10
const MOST_TEXTS = 20
const MOST_NUMBERS = 8

/**
 * A list that is the same in the older and the newer half of the table. Columns that are called like a list may lack
 * values in one half; others may not, and without halves only such a name is believed.
 */
function closedList({
  filled,
  identifies,
  kind,
  profile,
  refers,
  words: { ending, words: all },
}: Column): Finding | undefined {
  const { values } = profile
  const last = all.at(-1) ?? ''
  if (!values || identifies || refers || ending !== '' || words.OPEN_WORDS.has(last)) return undefined
  const isNamed = words.LIST_WORDS.has(last)
  const isNumbers = kind === 'number'
  const count = values.length
  if (count < 2 || count > (isNumbers ? MOST_NUMBERS : MOST_TEXTS) || (isNumbers && !isNamed))
    return undefined
  if (!isNumbers && values.some(({ value }) => !isCode(String(value)))) return undefined
  if (filled < ROWS_PER_VALUE * count || values.some(({ rows }) => rows < FEWEST_OF_A_VALUE)) return undefined
  const share = shareInBothHalves(values)
  const confidence =
    share === undefined
      ? isNamed
        ? 0.8
        : 0
      : isNamed
        ? share === 1
          ? 0.95
          : share >= 0.8
            ? 0.86
            : 0
        : share === 1
          ? 0.88
          : 0
  if (confidence === 0 || (isNumbers && share !== 1)) return undefined
  return {
    fact: { kind: 'values', values: sorted(values) },
    rule: isNamed ? 'named_list' : 'same_list_in_both_halves',
    confidence,
  }
}

/** Short words. Digits alone are ids, days go on, and braces and brackets hold lists. */
function isCode(text: string): boolean {
  return text.length <= 30 && !/^\s*\d*\s*$|[[\]{}"]|\d[./-]\d+[./-]\d/.test(text)
}

/** The rule of lists of yes and no. */
export const FLAG = 'both_of_a_flag'

/** Yes and no, as they are written: there is no third value to come, where both come often. */
function flagList({ filled, profile: { values = [] } }: Column): Finding | undefined {
  const isOften = values.every(({ rows }) => rows >= FEWEST_OF_A_VALUE)
  if (values.length !== 2 || !isOften || filled < ROWS_PER_VALUE * 2) return undefined
  if (shareInBothHalves(values) !== 1) return undefined
  return { fact: { kind: 'values', values: sorted(values) }, rule: FLAG, confidence: 0.95 }
}

function shareInBothHalves(values: readonly ProfiledValue[]): number | undefined {
  if (values.some(({ halves }) => halves === undefined)) return undefined
  return values.filter(({ halves }) => halves?.[0] && halves[1]).length / values.length
}

function sorted(values: readonly ProfiledValue[]): readonly ColumnValue[] {
  return values
    .map(({ value }) => value)
    .toSorted((a, b) =>
      typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1,
    )
}

/** What the raw values mean, when all of them say so. */
function convert(column: Column): Finding | undefined {
  return yesOrNo(column) ?? epoch(column) ?? dateText(column) ?? cents(column)
}

const PAIRS: readonly (readonly [string, string])[] = [
  ['y', 'n'],
  ['t', 'f'],
  ['yes', 'no'],
  ['true', 'false'],
]

function yesOrNo({ filled, kind, name, profile: { values } }: Column): Finding | undefined {
  if (!values || values.length === 0 || values.length > 2 || filled < 10) return undefined
  const texts = values.map(({ value }) => String(value).trim().toLowerCase())
  const isNamed = saysYesOrNo(name)
  const isPair = PAIRS.some((pair) => texts.every((text) => pair.includes(text)))
  const isText = kind === 'text' && isPair && (values.length === 2 || isNamed)
  const isNumber = isNamed && values.length === 2 && texts.every((text) => text === '0' || text === '1')
  if (!isText && !isNumber) return undefined
  return conversion('boolean', isText ? 'yes_and_no' : 'flag_of_0_and_1', isText ? 0.97 : 0.95)
}

/** 1990 to 2100, in seconds since 1970. */
const EPOCH_FROM = 631_152_000
const EPOCH_TO = 4_102_444_800
const EPOCH_UNITS = { epoch_seconds: 1, epoch_milliseconds: 1_000, epoch_microseconds: 1_000_000 } as const

/** Ids of some services lie in the same range, so that the name has to speak of a moment. */
function epoch({
  kind,
  profile: { distinct = 0, max, min },
  words: { ending, words: all },
}: Column): Finding | undefined {
  const isNamed = ending === '' && words.MOMENT_WORDS.has(all.at(-1) ?? '')
  if (kind !== 'number' || !isNamed || distinct < 2 || typeof min !== 'number' || typeof max !== 'number')
    return undefined
  for (const [as, factor] of Object.entries(EPOCH_UNITS)) {
    const isInside = min >= EPOCH_FROM * factor && max <= EPOCH_TO * factor
    if (isInside && as in EPOCH_UNITS)
      return conversion(as as keyof typeof EPOCH_UNITS, 'moment_as_number', 0.93)
  }
  return undefined
}

function dateText({ filled, kind, profile: { distinct = 0, patterns } }: Column): Finding | undefined {
  if (kind !== 'text' || distinct < 10) return undefined
  if (patterns?.date === filled) return conversion('date', 'text_of_dates', 0.95)
  return patterns?.timestamp === filled ? conversion('timestamp', 'text_of_moments', 0.95) : undefined
}

/** Amounts look alike in whole units and in hundredths: only the name can tell. */
function cents({ kind, words: { words: all } }: Column): Finding | undefined {
  const isNamed = kind === 'number' && all.some((word) => word === 'cent')
  return isNamed ? conversion('cents', 'called_cents', 0.9) : undefined
}

function conversion(as: Conversion, rule: string, confidence: number): Finding {
  return { fact: { kind: 'conversion', as }, rule, confidence }
}

/** Share of texts that makes their form that of the column. */
const NEARLY_ALL = 0.95

function form({ filled, kind, profile: { distinct = 0, patterns } }: Column): Finding | undefined {
  if (kind !== 'text' || distinct < 3) return undefined
  const found = (['json', 'email', 'url'] as const).find(
    (name) => (patterns?.[name] ?? 0) >= NEARLY_ALL * filled,
  )
  return found && { fact: { kind: 'form', form: found }, rule: `looks_like_${found}`, confidence: 0.95 }
}

const FEWEST_ROWS_OF_A_RANGE = 100
const DEGREES: Readonly<Record<string, number>> = {
  lat: 90,
  latitude: 90,
  lng: 180,
  lon: 180,
  longitude: 180,
}

function range(
  { filled, identifies, kind, profile: { max, min }, refers, words: { ending, words: all } }: Column,
  converted: Finding | undefined,
): Finding | undefined {
  if (kind === 'text' || typeof min !== 'number' || typeof max !== 'number') return undefined
  const isKey = identifies || refers || ending !== ''
  if (isKey || converted || filled < FEWEST_ROWS_OF_A_RANGE) return undefined
  const last = all.at(-1) ?? ''
  const degrees = DEGREES[last]
  if (degrees !== undefined && min >= -degrees && max <= degrees) return within(-degrees, degrees)
  if (words.SHARE_WORDS.has(last) && min >= 0 && max <= 100) return within(0, max <= 1 ? 1 : 100)
  const isMeasure = words.MEASURE_WORDS.has(last) && !all.some((word) => words.SIGNED_WORDS.has(word))
  return isMeasure && min >= 0 ? within(0, undefined) : undefined
}

function within(min: number, max: number | undefined): Finding {
  return {
    fact: { kind: 'range', min, ...(max !== undefined && { max }) },
    rule: 'measure_in_range',
    confidence: 0.9,
  }
}

/** With so many rows and no null among them, fewer than 3 in 1,000 later rows have one (rule of three). */
const FEWEST_ROWS_WITHOUT_NULL = 1_000

function neverNull({
  identifies,
  isMoment,
  nullable,
  profile: { nulls },
  refers,
  rows,
  words: { words: all },
}: Column): Finding | undefined {
  const [first = ''] = all
  const isRowMade = isMoment && (words.MADE_WORDS.has(first) || words.MADE_WORDS.has(all.at(-1) ?? ''))
  if (!nullable || identifies || nulls > 0 || rows < FEWEST_ROWS_WITHOUT_NULL || !(refers || isRowMade))
    return undefined
  return {
    fact: { kind: 'not_null' },
    rule: refers ? 'reference_without_null' : 'creation_without_null',
    confidence: 0.95,
  }
}

function deletionMark({ name, profile: { distinct = 0, nulls }, isMoment }: Column): Finding | undefined {
  const isNamed = words.DELETED_NAMES.has(name.toLowerCase())
  const isMark = isMoment ? nulls > 0 : distinct <= 2
  return isNamed && isMark
    ? { fact: { kind: 'deleted' }, rule: 'called_deleted', confidence: 0.9 }
    : undefined
}

const FRESH_ENOUGH = 1.5

/** The moment that says when a row came or was changed; none where only planned or personal dates are there. */
function freshest(
  columns: readonly Column[],
): { readonly column: Column; readonly finding: Finding } | undefined {
  const [best] = columns
    .filter(({ isMoment, profile }) => isMoment && (profile.distinct ?? 0) > 1)
    .map((column) => ({ column, score: freshnessScore(column) }))
    .toSorted((a, b) => b.score - a.score || a.column.position - b.column.position)
  if (!best || best.score < FRESH_ENOUGH) return undefined
  const confidence = best.score >= 5 ? 0.95 : 0.85
  return { column: best.column, finding: { fact: { kind: 'freshness' }, rule: 'row_time', confidence } }
}

function freshnessScore({ profile: { nulls }, words: { words: all } }: Column): number {
  const has = (set: ReadonlySet<string>): boolean => all.some((word) => set.has(word))
  const score =
    (has(words.LOADED_WORDS) ? 5 : 0) +
    (has(words.CHANGED_WORDS) || all.join('_') === 'last_update' ? 3 : 0) +
    (has(words.MADE_WORDS) ? 2 : 0)
  return score - (nulls > 0 ? 1.5 : 0) - (has(words.OTHER_MOMENTS) ? 3 : 0)
}
