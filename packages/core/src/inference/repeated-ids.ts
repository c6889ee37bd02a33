import { namedKeys } from './propose-keys.ts'
import type { Subject, SubjectColumn } from './read-subjects.ts'

/** Rules for names that state that the column is the id of the row. */
const OF_IDS: ReadonlySet<string> = new Set(['own_id', 'table_id'])

/** The share of distinct values from which an id is a key that only a few rows break. */
const NEARLY_ALL = 0.9

/**
 * Returns true if the id of a table is missing or repeated in a few of its rows. Columns that distinguish those rows
 * today are not a key.
 *
 * @param tables The names of all tables.
 */
export function hasBrokenId(subject: Subject, tables: ReadonlySet<string>): boolean {
  const { rows = 0 } = subject.profile ?? {}
  return namedKeys(subject, tables)
    .filter(({ rule }) => OF_IDS.has(rule))
    .flatMap(({ columns }) => columns)
    .some(({ profile }) => {
      const { approximate, distinct = 0 } = profile ?? {}
      return approximate !== true && distinct < rows && distinct >= NEARLY_ALL * rows
    })
}

/**
 * Returns the id of a table that several rows with different times share: versions of a row, as loaders append them.
 *
 * @param tables The names of all tables.
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
