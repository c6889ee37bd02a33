import { namedKeys } from './propose-keys.ts'
import type { Subject, SubjectColumn } from './read-subjects.ts'

/** Rules of names that say no more and no less than that the column is the id of the row. */
const OF_IDS: ReadonlySet<string> = new Set(['own_id', 'table_id'])

/**
 * Returns the id of a table that several rows share, each with a time of its own: versions of a row, as loaders append them.
 *
 * @param tables What all tables are called.
 */
export function repeatedId(subject: Subject, tables: ReadonlySet<string>): SubjectColumn | undefined {
  const { changedAt, profile: table } = subject
  if (changedAt === undefined || !table) return undefined
  const ids = namedKeys(subject, tables).filter(({ rule }) => OF_IDS.has(rule))
  return ids
    .flatMap(({ columns }) => columns)
    .find(({ profile }) => {
      const { approximate, distinct = 0, nulls } = profile ?? {}
      return nulls === 0 && approximate !== true && distinct > 1 && distinct < table.rows
    })
}
