import type { TableKey } from './choose-keys.ts'
import type { Check, CheckResult, ProposedReference } from './inference.ts'
import { isComparable, type Subject, type SubjectColumn } from './read-subjects.ts'

/** Columns that may hold a key of several columns, in the order of that key. */
export interface CompositeCandidate {
  readonly subject: Subject
  readonly children: readonly SubjectColumn[]
  readonly parent: TableKey
}

/** Shorter common prefixes are coincidences. */
const SHORTEST_PART = 3

/**
 * Finds tables that have all key columns of another table, with the same names. The other table must be named after a
 * part of its key (`order_id` of `order_lines`); otherwise two tables that refer to the same tables would be taken
 * for parent and child.
 */
export function compositeReferences(
  subjects: readonly Subject[],
  keys: readonly TableKey[],
): readonly CompositeCandidate[] {
  const parents = keys.filter(({ columns, subject }) => columns.length > 1 && isCalledAfter(subject, columns))
  return parents.flatMap((parent) =>
    subjects.flatMap((subject): readonly CompositeCandidate[] => {
      const { table } = parent.subject
      if (subject === parent.subject || subject.table.schema !== table.schema) return []
      const children = parent.columns.flatMap(
        (key) =>
          subject.columns.find(
            (column) => column.words.whole === key.words.whole && isComparable(column, key),
          ) ?? [],
      )
      const isWhole = children.length === parent.columns.length && new Set(children).size === children.length
      return isWhole && !isKeyOf(subject, children, keys) ? [{ subject, children, parent }] : []
    }),
  )
}

function isCalledAfter({ words }: Subject, columns: readonly SubjectColumn[]): boolean {
  return columns.some(({ words: { stem, words: all } }) => {
    const part = stem.words.join('')
    // `enc_seq` of `enc`, `dx_cd` of `dx_ref`: a short form that both have as their first word
    const isFirst = all.length > 1 && all[0] === words.words[0]
    return isFirst || (part.length >= SHORTEST_PART && words.whole.startsWith(part))
  })
}

/** Returns true if a table has the same key: it is then a sibling, because either could be the parent. */
function isKeyOf(subject: Subject, columns: readonly SubjectColumn[], keys: readonly TableKey[]): boolean {
  const own = keys.find((key) => key.subject === subject)?.columns ?? []
  return own.length === columns.length && columns.every((column) => own.includes(column))
}

export function compositeCheck({ children, parent, subject }: CompositeCandidate): Check {
  return {
    kind: 'contained',
    child: { table: subject.table, columns: children.map(({ name }) => name) },
    parent: { table: parent.subject.table, columns: parent.columns.map(({ name }) => name) },
    isStrict: true,
  }
}

/** The fewest combinations that cannot all be present by coincidence. */
const FEWEST = 20

/** Returns a reference that all rows confirm. Names alone are right only one time in three. */
export function judgeComposite(
  { children, parent, subject }: CompositeCandidate,
  answer: CheckResult,
): ProposedReference | undefined {
  if (!answer || answer.checked < FEWEST || answer.violations > 0) return undefined
  return {
    child: { table: subject.table, columns: children.map(({ name }) => name) },
    parent: { table: parent.subject.table, columns: parent.columns.map(({ name }) => name) },
    rule: 'key_of_several_columns',
    origin: 'data',
    confidence: 0.9,
    values: { checked: answer.checked, orphans: 0 },
    ...(subject.profile?.sampled && { sampled: true }),
  }
}
