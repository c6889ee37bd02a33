import type { Verify } from './inference.ts'
import { namedKeys } from './propose-keys.ts'
import { hasEstimates, isRefuted, type Subject, type SubjectColumn } from './read-subjects.ts'

/** The most columns of a table to check. */
const MOST_COLUMNS = 3

/**
 * Checks which of the likeliest keys are unique in tables whose distinct values were only estimated or sampled. Their
 * profiles then record the exact count.
 */
export async function verifyLikelyKeys(
  subjects: readonly Subject[],
  verify: Verify,
): Promise<readonly Subject[]> {
  const tables = new Set(subjects.map(({ words }) => words.whole))
  const open = subjects
    .filter(hasEstimates)
    .flatMap((subject) => likelyKeys(subject, tables).map((column) => ({ column, subject })))
  if (open.length === 0) return subjects
  const answers = await verify(
    open.map(({ column, subject: { table } }) => ({
      kind: 'unique',
      key: { table, columns: [column.name] },
    })),
  )
  const settled = new Map(
    open.flatMap(({ column, subject }, at) => {
      const answer = answers[at]
      return answer ? [[column, settle(column, subject, answer)] as const] : []
    }),
  )
  return subjects.map((subject) => ({
    ...subject,
    columns: subject.columns.map((column) => settled.get(column) ?? column),
  }))
}

/** Returns the columns that are named like the key of their table, come first, or end like a key. */
function likelyKeys(subject: Subject, tables: ReadonlySet<string>): readonly SubjectColumn[] {
  const named = namedKeys(subject, tables).flatMap(({ columns }) => (columns.length === 1 ? columns : []))
  const others = subject.columns.filter(
    ({ kind, position, words }) => kind !== undefined && (position === 0 || words.ending !== ''),
  )
  return [...new Set([...named, ...others])]
    .filter((column) => column.profile && !isRefuted(column, subject))
    .slice(0, MOST_COLUMNS)
}

function settle(
  column: SubjectColumn,
  { profile: table }: Subject,
  { checked, violations }: { readonly checked: number; readonly violations: number },
): SubjectColumn {
  const { profile } = column
  if (!profile || !table || checked === 0) return column
  const { approximate: _, ...known } = profile
  const isUnique = violations === 0
  return {
    ...column,
    profile: { ...known, distinct: isUnique ? table.rows : Math.max(0, table.rows - 1) },
    ...(isUnique && { uniqueIn: checked }),
  }
}
