import { planColumns } from './columns.ts'
import { findKey } from './key.ts'
import { findDeletedRows } from './rows.ts'
import type { Subject } from './subject.ts'

/** The staged names of a table's columns, by their stored names. */
export interface StagedNames {
  readonly all: ReadonlyMap<string, string>
  /**
   * Names that the rules alone would not give to the current table: columns keep them from before others were
   * added.
   */
  readonly kept: ReadonlyMap<string, string>
}

const NONE: ReadonlyMap<string, string> = new Map()

/** Returns the names that the columns of a table are staged under. */
export function stagedNames(subject: Subject): StagedNames {
  if (subject.type === 'snapshot') return { all: NONE, kept: NONE }
  const all = namesIn(subject)
  if ((subject.item.names?.size ?? 0) === 0) return { all, kept: NONE }
  const byRules = namesIn({ ...subject, item: { ...subject.item, names: undefined } })
  return { all, kept: new Map([...all].filter(([stored, name]) => byRules.get(stored) !== name)) }
}

function namesIn(subject: Subject): ReadonlyMap<string, string> {
  const [key, deleted] = [findKey(subject), findDeletedRows(subject)]
  const { columns } = planColumns({ subject, key, deleted })
  return new Map(columns.flatMap(({ column, name }) => (column ? [[column.name, name] as const] : [])))
}
