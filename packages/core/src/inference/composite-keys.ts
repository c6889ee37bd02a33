import { AMOUNT_WORDS } from './fact-words.ts'
import { type KeyCandidate, namedCompositeKeys } from './propose-keys.ts'
import {
  hasUnreadKey,
  isKnownUnique,
  isRefuted,
  type ReferenceCandidate,
  type Subject,
  type SubjectColumn,
  TINY,
} from './read-subjects.ts'
import { hasBrokenId, repeatedId } from './repeated-ids.ts'

/** The most combinations of columns to check for one table. */
const MOST_CHECKS = 36

/** Returns the keys that names propose, and pairs of columns that look like keys, both with the likeliest first. */
export function compositeCandidates(
  subject: Subject,
  references: readonly ReferenceCandidate[],
  tables: ReadonlySet<string>,
): { readonly named: readonly KeyCandidate[]; readonly searched: readonly KeyCandidate[] } {
  const pointing = new Set(references.map(({ child }) => child))
  const isUniqueAlone = (column: SubjectColumn): boolean =>
    !pointing.has(column) &&
    !column.isMoment &&
    (subject.profile?.rows ?? 0) >= TINY &&
    isKnownUnique(column, subject)
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
  if (repeatedId(subject, tables) || hasBrokenId(subject, tables) || hasUnreadKey(subject, tables))
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
 * unique by coincidence, until later rows repeat its value, and so may a time: versions of two things may begin together.
 */
function narrowest(candidate: KeyCandidate, isUniqueAlone: (column: SubjectColumn) => boolean): KeyCandidate {
  if (candidate.rule === 'version_of_parent') return candidate
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
