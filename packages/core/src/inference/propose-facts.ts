import type { Dialect } from '@stagecraft/dialects'
import type { CatalogTable, ColumnProfile, Conversion } from '@stagecraft/spec'
import { findLoader } from '../loaders/detect.ts'
import { CONVERSION_RULES } from '../plan/conversions.ts'
import { mayBeFlag, parseType } from '../sql/types.ts'
import * as words from './fact-words.ts'
import { findAmbiguousDays, findConversion } from './find-conversions.ts'
import { closedList, flagList, foreignFlagList, isZeroOrOne } from './find-value-lists.ts'
import type { Finding, ProfiledColumn } from './finding.ts'
import type { Inference, ProposedFact } from './inference.ts'
import type { Subject } from './read-subjects.ts'
import { repeatedId } from './repeated-ids.ts'

/** Proposes facts about single columns from their rows, at most one of each kind per column. */
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
    const columns = subject.columns.flatMap((column): readonly ProfiledColumn[] => {
      if (!column.profile) return []
      return [
        {
          ...column,
          profile: column.profile,
          rows: profile.rows,
          filled: profile.rows - column.profile.nulls,
          identifies: keyOf.get(table)?.has(column.name) ?? false,
          refers: refers.has(column.name),
          mayBeFlag: mayBeFlag(typeOf(column, table), dialect),
        },
      ]
    })
    const found = columns.flatMap((column) =>
      findingsOf(column)
        .filter(({ fact }) => fact.kind !== 'conversion' || canConvert(column, fact.as, { table, dialect }))
        .filter(({ fact }) => fact.kind !== 'values' || !declaresValues(column, table))
        .map((finding) => ({ column, finding })),
    )
    const freshness = loadedBy(subject, dialect) ?? freshest(columns)
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

/** Returns true if the warehouse lists the values: the rows may lack some of them. */
function declaresValues({ name }: ProfiledColumn, { columns }: CatalogTable): boolean {
  return columns.some((column) => column.name === name && column.values !== undefined)
}

function typeOf({ name }: Pick<ProfiledColumn, 'name'>, { columns }: CatalogTable): string {
  return columns.find((column) => column.name === name)?.type ?? ''
}

/** Returns true if the dialect has an expression for the conversion of a column of that type. */
function canConvert(
  { name, profile }: ProfiledColumn,
  as: Conversion,
  { dialect, table }: { readonly dialect: Dialect; readonly table: CatalogTable },
): boolean {
  const { family } = parseType(typeOf({ name }, table), dialect)
  if (as === 'keep') return true
  const rule = CONVERSION_RULES[as]
  const operand = { sql: name, family, values: profile.values?.map(({ value }) => value) }
  return rule.from.includes(family) && rule.convert(operand, dialect) !== undefined
}

/** Returns the id that versions of a row share, if the table lacks a key. */
function versionsOf(
  subject: Subject,
  columns: readonly ProfiledColumn[],
  tables: ReadonlySet<string>,
): { readonly column: ProfiledColumn; readonly finding: Finding } | undefined {
  const { changedAt: by } = subject
  const id = columns.some(({ identifies }) => identifies) ? undefined : repeatedId(subject, tables)
  const column = columns.find(({ name }) => name === id?.name)
  if (!column || by === undefined) return undefined
  return { column, finding: { fact: { kind: 'versions', by }, rule: 'repeated_id', confidence: 0.8 } }
}

function findingsOf(column: ProfiledColumn): readonly Finding[] {
  const conversion = column.identifies || column.refers ? undefined : findConversion(column)
  const isFlag = conversion?.fact.kind === 'conversion' && conversion.fact.as === 'boolean'
  const others = conversion ? undefined : (foreignFlagList(column) ?? closedList(column))
  const list = isFlag || isZeroOrOne(column) ? flagList(column) : others
  return [
    conversion,
    list,
    form(column),
    findAmbiguousDays(column),
    range(column, conversion),
    neverNull(column),
    deletionMark(column),
  ].filter((finding) => finding !== undefined)
}

/** The share of texts from which their form counts as that of the column. */
const NEARLY_ALL = 0.95

function form({ filled, kind, profile: { distinct = 0, patterns } }: ProfiledColumn): Finding | undefined {
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
  { filled, identifies, kind, profile: { max, min }, refers, words: { ending, words: all } }: ProfiledColumn,
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
}: ProfiledColumn): Finding | undefined {
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

function deletionMark({
  name,
  profile: { distinct = 0, nulls },
  isMoment,
}: ProfiledColumn): Finding | undefined {
  const isNamed = words.DELETED_NAMES.has(name.toLowerCase())
  const isMark = isMoment ? nulls > 0 : distinct <= 2
  return isNamed && isMark
    ? { fact: { kind: 'deleted' }, rule: 'name_of_a_deletion_mark', confidence: 0.9 }
    : undefined
}

const FRESH_ENOUGH = 1.5

/**
 * Returns the column with the time when a row arrived or changed; undefined if the table has only planned or personal
 * dates.
 */
function freshest(
  columns: readonly ProfiledColumn[],
): { readonly column: ProfiledColumn; readonly finding: Finding } | undefined {
  const [best] = columns
    .filter(({ isMoment, profile }) => isMoment && (profile.distinct ?? 0) > 1 && !isUnlimited(profile))
    .map((column) => ({ column, score: freshnessScore(column) }))
    .toSorted((a, b) => b.score - a.score || a.column.position - b.column.position)
  if (!best || best.score < FRESH_ENOUGH) return undefined
  const confidence = best.score >= 5 ? 0.95 : 0.85
  return { column: best.column, finding: { fact: { kind: 'freshness' }, rule: 'row_time', confidence } }
}

/** Returns true if a bound is no day, as `infinity` is, or so late that it stands for never: 9999-12-31. */
function isUnlimited({ max, min }: Pick<ColumnProfile, 'max' | 'min'> = {}): boolean {
  return [min, max].some(
    (bound) => typeof bound === 'string' && /infinity|^[3-9]\d{3}-|^\+?\d{5}/i.test(bound),
  )
}

/** Returns the column in which the loader of a table records when a row arrived. */
function loadedBy(
  { profile, table: { columns } }: Subject,
  dialect: Dialect,
): { readonly column: { readonly name: string }; readonly finding: Finding } | undefined {
  const pack = findLoader(
    columns.map(({ name }) => name),
    'auto',
  )
  const [column] = (pack?.loaded ?? []).flatMap((one) =>
    columns.filter(
      ({ name, type }) =>
        name.toLowerCase() === one.column &&
        !isUnlimited(profile?.columns[name]) &&
        parseType(type, dialect).family.startsWith('timestamp'),
    ),
  )
  const finding = { fact: { kind: 'freshness' }, rule: 'column_of_the_loader', confidence: 0.95 } as const
  return column && { column, finding }
}

function freshnessScore({ profile: { nulls }, words: { words: all } }: ProfiledColumn): number {
  const has = (set: ReadonlySet<string>): boolean => all.some((word) => set.has(word))
  const score =
    (has(words.LOADED_WORDS) ? 5 : 0) +
    (has(words.CHANGED_WORDS) || all.join('_') === 'last_update' ? 3 : 0) +
    (has(words.MADE_WORDS) ? 2 : 0)
  return score - (nulls > 0 ? 1.5 : 0) - (has(words.OTHER_MOMENTS) ? 3 : 0)
}
