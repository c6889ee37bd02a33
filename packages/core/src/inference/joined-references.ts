import type { ColumnOf, WrittenJoin } from './inference.ts'
import { isOfManyTables, type Parent } from './propose-references.ts'
import { isComparable, type ReferenceCandidate, type Subject, type SubjectColumn } from './read-subjects.ts'

/** The rule of references that only joins propose. */
export const JOINED = 'join_in_project'

/** The confidence of a join to the key of a table: its author knew that the column holds that key. */
const CONFIDENCE = 0.85
/** The extra confidence if a name and a join agree. */
const GAIN = 0.06

/** The columns that each column is joined with, and the places. */
export type Joined = ReadonlyMap<SubjectColumn, ReadonlyMap<SubjectColumn, readonly string[]>>

/** Finds the columns of joins among those of the tables. */
export function readJoined(subjects: readonly Subject[], joins: readonly WrittenJoin[]): Joined {
  const columns = new Map(
    subjects.map(({ columns: own, table }) => [table, new Map(own.map((one) => [one.name, one]))] as const),
  )
  const find = ({ column, table }: ColumnOf): SubjectColumn | undefined => columns.get(table)?.get(column)
  const joined = new Map<SubjectColumn, Map<SubjectColumn, readonly string[]>>()
  const add = (from: SubjectColumn, to: SubjectColumn, place: string): void => {
    const own = joined.get(from) ?? new Map<SubjectColumn, readonly string[]>()
    joined.set(from, own.set(to, [...new Set([...(own.get(to) ?? []), place])]))
  }
  for (const { left, place, right } of joins) {
    const [a, b] = [find(left), find(right)]
    if (!a || !b || a === b) continue
    add(a, b, place)
    add(b, a, place)
  }
  return joined
}

interface JoinsOptions extends Pick<ReferenceCandidate, 'child' | 'subject'> {
  readonly parents: readonly Parent[]
  readonly joined: Joined
  /** True for the key of its table: only a name shows which of two joined keys is the parent. */
  readonly isKey: boolean
}

/**
 * Raises the confidence of references that SQL joins on, and adds joined keys that no name proposes. A column that
 * leads to several tables is left alone: each of its joins holds for some rows only.
 */
export function withJoins(
  named: readonly ReferenceCandidate[],
  { child, isKey, joined, parents, subject }: JoinsOptions,
): readonly ReferenceCandidate[] {
  const partners = joined.get(child)
  if (!partners || isOfManyTables(child, subject)) return named
  const sure = named.map((candidate) => {
    const joins = partners.get(candidate.key)
    if (!joins) return candidate
    return { ...candidate, joins, confidence: Math.max(CONFIDENCE, candidate.confidence) + GAIN }
  })
  const known = new Set(named.map(({ key }) => key))
  const others = isKey ? [] : parents.filter(({ key }) => !known.has(key) && isComparable(child, key))
  return [
    ...sure,
    ...others.flatMap(({ key, subject: parent }): readonly ReferenceCandidate[] => {
      const joins = partners.get(key)
      return joins ? [{ subject, child, parent, key, rule: JOINED, confidence: CONFIDENCE, joins }] : []
    }),
  ]
}
