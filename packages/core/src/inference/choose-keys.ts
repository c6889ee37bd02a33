import { AMOUNT_WORDS } from './fact-words.ts'
import { readEpoch } from './find-conversions.ts'
import type { Check, ProposedKey, Verify } from './inference.ts'
import { isLineNumber, type KeyCandidate, namedCompositeKeys, namedKeys } from './propose-keys.ts'
import { indexParents, namedReferences, type Parent } from './propose-references.ts'
import { isRefuted, type ReferenceCandidate, type Subject, type SubjectColumn } from './read-subjects.ts'
import { hasBrokenId, repeatedId } from './repeated-ids.ts'

/** A table with its key, if one was found. */
export interface TableKey {
  readonly subject: Subject
  readonly columns: readonly SubjectColumn[]
  readonly key: ProposedKey | undefined
}

/** With fewer rows, the data proves nothing, and names decide. */
const TINY = 12
/** The confidence required from names alone. */
const NAME_THRESHOLD = 0.78
/** The most combinations of columns to check for one table. */
const MOST_CHECKS = 36

/** Chooses the columns that identify the rows of each table. */
export async function chooseKeys(subjects: readonly Subject[], verify: Verify): Promise<readonly TableKey[]> {
  const tables = new Set(subjects.map(({ words }) => words.whole))
  const single = subjects.map((subject) => singleKey(subject, tables) ?? uniqueKey(subject, tables))
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
    const isProven = answer !== undefined && answer.violations === 0 && isConclusive(candidate, subject)
    const isNamed = answer === undefined && candidate.confidence >= NAME_THRESHOLD
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

function uniqueKey(subject: Subject, tables: ReadonlySet<string>): TableKey | undefined {
  const found = uniqueColumn(subject, tables)
  if (!found) return undefined
  // one row per parent may be a coincidence: a second one may be added
  const rule = leadsElsewhere(found.words, tables) ? ONE_TO_ONE : 'unique_column'
  // every parent has one line so far
  if (rule === ONE_TO_ONE && subject.columns.some(isConstantLine)) return undefined
  return toKey(subject, { columns: [found], rule, confidence: 0.85 }, 'data')
}

function isConstantLine(column: SubjectColumn): boolean {
  return isLineNumber(column) && column.profile?.distinct === 1
}

function isKnownUnique(column: SubjectColumn | undefined, { profile }: Subject): boolean {
  if (!column?.profile || !profile || profile.rows === 0) return false
  return (
    column.profile.nulls === 0 &&
    column.profile.approximate !== true &&
    column.profile.distinct === profile.rows
  )
}

const LONGEST_CODE = 40

/**
 * Finds a unique column that looks like a key: with the ending of a key, or a short code in first position. A few
 * rows are never enough.
 */
function uniqueColumn(subject: Subject, tables: ReadonlySet<string>): SubjectColumn | undefined {
  if ((subject.profile?.rows ?? 0) < TINY / 2) return undefined
  const links = subject.columns.filter(({ words }) => leadsElsewhere(words, tables)).length
  const unique = subject.columns.filter(
    (column) =>
      column.kind !== undefined &&
      column.kind !== 'unknown' &&
      !isMomentByValues(column, subject) &&
      !(links > 1 && leadsElsewhere(column.words, tables)) &&
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

function leadsElsewhere({ ending, stem }: SubjectColumn['words'], tables: ReadonlySet<string>): boolean {
  return ending !== '' && tables.has(stem.whole)
}

/** Returns true for short texts of almost the same length: codes have that, titles do not. */
function isCodeLike({ profile }: SubjectColumn): boolean {
  const { maxLength = 0, minLength = 0 } = profile ?? {}
  return maxLength <= LONGEST_CODE && maxLength - minLength <= 8
}

/** Returns the keys that names propose, and pairs of columns that look like keys, both with the likeliest first. */
function compositeCandidates(
  subject: Subject,
  references: readonly ReferenceCandidate[],
  tables: ReadonlySet<string>,
): { readonly named: readonly KeyCandidate[]; readonly searched: readonly KeyCandidate[] } {
  const pointing = new Set(references.map(({ child }) => child))
  const isUniqueAlone = (column: SubjectColumn): boolean =>
    !pointing.has(column) && (subject.profile?.rows ?? 0) >= TINY && isKnownUnique(column, subject)
  // an estimate or a sample may not show that the column alone is enough
  const mayBeUniqueAlone = (column: SubjectColumn): boolean =>
    !pointing.has(column) && (subject.profile?.rows ?? 0) >= TINY && !isRefuted(column, subject)
  const named = [
    ...copiedKeys(subject, references),
    ...namedCompositeKeys(subject, references).map((candidate) => narrowest(candidate, isUniqueAlone)),
  ]
  if (!subject.profile || subject.profile.rows === 0) return { named, searched: [] }
  const seen = new Set<string>()
  const isNew = ({ columns }: Pick<KeyCandidate, 'columns'>): boolean => {
    const id = columns.map(({ name }) => name).join('\0')
    return !seen.has(id) && seen.add(id) && canIdentify(columns, subject)
  }
  // columns that distinguish versions of a row today may not do so tomorrow
  if (repeatedId(subject, tables) || hasBrokenId(subject, tables))
    return { named: named.filter(isNew), searched: [] }
  return {
    named: named.filter(isNew),
    searched: searchPairs(subject, pointing)
      .filter(
        ({ columns }) =>
          !columns.some(mayBeUniqueAlone) &&
          // a pair with a column that is unique by itself shows nothing
          !columns.some((column) => isKnownUnique(column, subject)) &&
          isNew({ columns }),
      )
      .slice(0, MOST_CHECKS),
  }
}

/** Returns the key of a table of which this one has some columns and rows, as views have. */
function copiedKeys(subject: Subject, references: readonly ReferenceCandidate[]): readonly KeyCandidate[] {
  return references.flatMap(({ child, key, parent }) => {
    const names = new Set(parent.table.columns.map(({ name }) => name))
    const isCopy = child.name === key.name && subject.columns.every(({ name }) => names.has(name))
    return isCopy && subject.columns.length > 1
      ? [{ columns: [child], rule: 'copied_from_table', confidence: 0.85 }]
      : []
  })
}

/**
 * Reduces a combination to its unique column, if it has one: any combination with it is unique. A reference may be
 * unique by coincidence, until later rows repeat its value.
 */
function narrowest(candidate: KeyCandidate, isUniqueAlone: (column: SubjectColumn) => boolean): KeyCandidate {
  const alone = candidate.columns.find(isUniqueAlone)
  return alone ? { columns: [alone], rule: 'unique_column', confidence: 0.85 } : candidate
}

/** Returns true if there can be as many combinations as rows, and no part is missing. */
function canIdentify(columns: readonly SubjectColumn[], { profile }: Subject): boolean {
  const rows = profile?.rows ?? 0
  const combinations = columns.reduce((product, column) => product * (column.profile?.distinct ?? 0), 1)
  return combinations >= rows && columns.every((column) => column.profile?.nulls === 0)
}

/** The most columns to combine. */
const MOST_COLUMNS = 9

function searchPairs(subject: Subject, pointing: ReadonlySet<SubjectColumn>): readonly KeyCandidate[] {
  const parts = subject.columns
    .filter((column) => isPart(column, pointing))
    .toSorted((a, b) => rank(b, pointing) - rank(a, pointing) || a.position - b.position)
    .slice(0, MOST_COLUMNS)
  const pairs = parts.flatMap((a, index) => parts.slice(index + 1).map((b) => [a, b]))
  const leading = leadingParts(subject, pointing)
  return [
    ...pairs
      .map((pair) => ({ pair, score: pair.reduce((sum, column) => sum + rank(column, pointing), 0) }))
      .toSorted((a, b) => b.score - a.score)
      .map(({ pair, score }) => ({
        columns: pair.toSorted((a, b) => a.position - b.position),
        rule: 'found_by_rows',
        confidence: score >= 4 ? 0.75 : 0.6,
      })),
    ...leading,
  ]
}

/** Returns the first three and the first four columns, if they look like parts of a key. */
function leadingParts(subject: Subject, pointing: ReadonlySet<SubjectColumn>): readonly KeyCandidate[] {
  const run = subject.columns.slice(0, 4)
  const length = run.findIndex((column) => !isPart(column, pointing))
  const parts = length < 0 ? run : run.slice(0, length)
  return [3, 4]
    .filter((count) => count <= parts.length)
    .map((count) => ({ columns: parts.slice(0, count), rule: 'leading_columns', confidence: 0.7 }))
}

function isPart(column: SubjectColumn, pointing: ReadonlySet<SubjectColumn>): boolean {
  return column.isMoment || pointing.has(column) || (column.kind !== undefined && !isMeasure(column))
}

/** Returns true for an amount: it distinguishes rows only by coincidence. */
function isMeasure({ kind, words: { ending, words } }: SubjectColumn): boolean {
  return kind === 'number' && ending === '' && AMOUNT_WORDS.has(words.at(-1) ?? '')
}

/**
 * Ranks a column by how often its kind is part of a key: references, endings of keys and leading columns come first.
 */
function rank(column: SubjectColumn, pointing: ReadonlySet<SubjectColumn>): number {
  const leads = pointing.has(column) ? 2 : 0
  const ends = column.words.ending === '' ? 0 : 1
  const stands = column.position === 0 ? 1.5 : column.position === 1 ? 1 : 0
  const isOwnId = /^_?id$/.test(column.words.whole) ? 2 : 0
  return leads + ends + stands + isOwnId - (column.isMoment ? 0.5 : 0)
}

function uniqueCheck({ table }: Subject, { columns }: KeyCandidate): Check {
  return { kind: 'unique', key: { table, columns: columns.map(({ name }) => name) } }
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
          ? Math.max(confidence, 0.97)
          : confidence,
      ...(rows !== undefined && { rows, ...(profile?.sampled && { sampled: true }) }),
    },
  }
}
