import { compositeCandidates } from './composite-keys.ts'
import { readEpoch } from './find-conversions.ts'
import type { Check, ProposedKey, Verify } from './inference.ts'
import { isLineNumber, isPartOfVersion, type KeyCandidate, namedKeys } from './propose-keys.ts'
import { indexParents, namedReferences, type Parent } from './propose-references.ts'
import {
  hasUnreadKey,
  ID_ENDINGS,
  isComparable,
  isKnownUnique,
  isRefuted,
  type ReferenceCandidate,
  type Subject,
  type SubjectColumn,
  TINY,
} from './read-subjects.ts'

/** A table with its key, if one was found. */
export interface TableKey {
  readonly subject: Subject
  readonly columns: readonly SubjectColumn[]
  readonly key: ProposedKey | undefined
}

/** The confidence required from names alone. */
const NAME_THRESHOLD = 0.78

/** Chooses the columns that identify the rows of each table. */
export async function chooseKeys(subjects: readonly Subject[], verify: Verify): Promise<readonly TableKey[]> {
  const tables = new Set(subjects.map(({ words }) => words.whole))
  const leads = leadsElsewhere(subjects)
  const single = subjects.map((subject) => singleKey(subject, tables) ?? uniqueKey(subject, tables, leads))
  const parents = subjects.flatMap((subject, index): readonly Parent[] => {
    const [key] = single[index]?.columns ?? []
    return key && single[index]?.columns.length === 1 ? [{ subject, key }] : []
  })
  const index = indexParents(parents)
  const open = subjects
    .filter((_, at) => !single[at])
    .map((subject) => ({ subject, ...compositeCandidates(subject, referencesOf(subject, index), tables) }))
  // arbitrary pairs of columns are many, and only checked if no name suggests the key
  const named = await firstProven(
    open.flatMap(({ named, subject }) => named.map((candidate) => ({ candidate, subject }))),
    verify,
  )
  const searched = await firstProven(
    open.flatMap(({ searched, subject }) =>
      named.has(subject) ? [] : searched.map((candidate) => ({ candidate, subject })),
    ),
    verify,
  )
  return subjects.map(
    (subject, at) =>
      single[at] ?? named.get(subject) ?? searched.get(subject) ?? { subject, columns: [], key: undefined },
  )
}

interface Asked {
  readonly candidate: KeyCandidate
  readonly subject: Subject
}

/**
 * Checks keys, and returns the first key of each table that its rows confirm, or that is certain enough without rows.
 */
async function firstProven(asked: readonly Asked[], verify: Verify): Promise<ReadonlyMap<Subject, TableKey>> {
  const checks = asked.map(({ candidate, subject }) => uniqueCheck(subject, candidate))
  const answers = await verify(checks, { isOneEnough: true })
  const found = new Map<Subject, TableKey>()
  for (const [at, { candidate, subject }] of asked.entries()) {
    if (found.has(subject)) continue
    const answer = answers[at]
    const isProven =
      answer !== undefined &&
      answer.checked > 0 &&
      answer.violations === 0 &&
      isConclusive(candidate, subject)
    const isNamed = (answer === undefined || answer.checked === 0) && candidate.confidence >= NAME_THRESHOLD
    if (isProven || isNamed)
      found.set(subject, toKey(subject, candidate, isProven ? 'data' : 'name', answer?.checked))
  }
  return found
}

/** Returns true if there are enough rows for a conclusion: almost any columns distinguish a few rows. */
function isConclusive(candidate: KeyCandidate, { profile }: Subject): boolean {
  return (profile?.rows ?? 0) >= TINY || candidate.confidence >= NAME_THRESHOLD
}

function referencesOf(
  subject: Subject,
  index: ReturnType<typeof indexParents>,
): readonly ReferenceCandidate[] {
  return subject.columns.flatMap((column) =>
    namedReferences(subject, column, index)
      .filter(({ confidence }) => confidence >= 0.75)
      .slice(0, 1),
  )
}

/** Returns the declared key, or the best single column that the rows do not refute. */
function singleKey(subject: Subject, tables: ReadonlySet<string>): TableKey | undefined {
  const declared = subject.table.primaryKey
  if (declared) {
    const columns = subject.columns.filter(({ name }) => declared.includes(name))
    return toKey(subject, { columns, rule: 'declared', confidence: 1 }, 'declared')
  }
  const best = namedKeys(subject, tables).find(({ columns }) =>
    columns.every((column) => !isRefuted(column, subject)),
  )
  const isProven = isKnownUnique(best?.columns[0], subject)
  const isSure = best !== undefined && (isProven || best.confidence >= NAME_THRESHOLD)
  return isSure ? toKey(subject, best, isProven ? 'data' : 'name') : undefined
}

const ONE_TO_ONE = 'one_to_one'

function uniqueKey(
  subject: Subject,
  tables: ReadonlySet<string>,
  leads: LeadsElsewhere,
): TableKey | undefined {
  const found = hasUnreadKey(subject, tables) ? undefined : uniqueColumn(subject, leads)
  if (!found) return undefined
  // one row per parent may be a coincidence: a second one may be added
  const rule = leads(found) ? ONE_TO_ONE : 'unique_column'
  // every parent has one line so far
  if (rule === ONE_TO_ONE && subject.columns.some(isConstantLine)) return undefined
  return toKey(subject, { columns: [found], rule, confidence: 0.85 }, 'data')
}

function isConstantLine(column: SubjectColumn): boolean {
  return isLineNumber(column) && column.profile?.distinct === 1
}

const LONGEST_CODE = 40

/**
 * Finds a unique column that looks like a key: with the ending of a key, or a short code in first position. A few
 * rows are never enough.
 */
function uniqueColumn(subject: Subject, leads: LeadsElsewhere): SubjectColumn | undefined {
  if ((subject.profile?.rows ?? 0) < TINY / 2) return undefined
  const links = subject.columns.filter(leads).length
  const unique = subject.columns.filter(
    (column) =>
      column.kind !== undefined &&
      column.kind !== 'unknown' &&
      !isMomentByValues(column, subject) &&
      !isPartOfVersion(column, subject) &&
      !(links > 1 && leads(column)) &&
      isKnownUnique(column, subject),
  )
  return (
    unique.find(({ position, words }) => position === 0 && words.ending !== '') ??
    unique.find((column) => column.position === 0 && (column.kind !== 'text' || isCodeLike(column))) ??
    unique.find(({ words }) => words.ending !== '' && words.ending !== 'number')
  )
}

/** Returns true for numbers and texts that are times: rows of a log differ in them only until two come at once. */
function isMomentByValues(column: SubjectColumn, subject: Subject): boolean {
  const { kind, profile } = column
  if (kind === 'text') return profile?.patterns?.timestamp === subject.profile?.rows
  return kind === 'number' && readEpoch(column) !== undefined
}

type LeadsElsewhere = (column: SubjectColumn) => boolean

/** Finds the columns that are named after a table in which their values may occur. */
function leadsElsewhere(subjects: readonly Subject[]): LeadsElsewhere {
  const called = Map.groupBy(subjects, ({ words }) => words.whole)
  return (column) => {
    const { ending, stem } = column.words
    if (ending === '') return false
    const parents = called.get(stem.whole) ?? []
    return parents.some(({ columns }) => columns.some((key) => isComparable(column, key)))
  }
}

/** Returns true for short texts of almost the same length: codes have that, titles do not. */
function isCodeLike({ profile }: SubjectColumn): boolean {
  const { maxLength = 0, minLength = 0 } = profile ?? {}
  return maxLength <= LONGEST_CODE && maxLength - minLength <= 8
}

function uniqueCheck({ table }: Subject, { columns }: KeyCandidate): Check {
  return { kind: 'unique', key: { table, columns: columns.map(({ name }) => name) } }
}

const RULES_OF_ROWS: ReadonlySet<string> = new Set(['unique_column', 'found_by_rows', 'leading_columns'])

/**
 * Returns true if names say that it is a key, too. Of keys that only rows show, such as a year or two titles, one in
 * eight is broken by later rows.
 */
function isCalledKey({ columns, rule }: KeyCandidate): boolean {
  return !RULES_OF_ROWS.has(rule) || columns.every(({ words }) => ID_ENDINGS.has(words.ending))
}

/** @param checked The number of checked rows. Default: those of the profile. */
function toKey(
  subject: Subject,
  candidate: KeyCandidate,
  origin: ProposedKey['origin'],
  checked = candidate.columns[0]?.uniqueIn,
): TableKey {
  const { columns, confidence, rule } = candidate
  const { profile, table } = subject
  const rows = origin === 'data' ? (checked ?? profile?.rows) : undefined
  return {
    subject,
    columns,
    key: {
      table,
      columns: columns.map(({ name }) => name),
      rule,
      origin,
      confidence:
        origin === 'data' && rows !== undefined && rows >= TINY && rule !== ONE_TO_ONE
          ? Math.max(confidence, isCalledKey(candidate) ? 0.97 : 0.9)
          : confidence,
      ...(rows !== undefined && { rows, ...(profile?.sampled && { sampled: true }) }),
    },
  }
}
