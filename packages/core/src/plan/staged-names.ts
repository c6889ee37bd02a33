import { planColumns } from './columns.ts'
import { findKey } from './key.ts'
import { findDeletedRows } from './rows.ts'
import type { Subject } from './subject.ts'

/** The staged names of a table's columns, by their stored names. */
export interface StagedNames {
  readonly all: ReadonlyMap<string, string>
  /** Names that the rules alone would not give to the current table: columns got them before others were added. */
  readonly kept: ReadonlyMap<string, string>
  /** Staged names that the configuration gives to single columns. */
  readonly configured: ReadonlySet<string>
}

const NONE: StagedNames = { all: new Map(), kept: new Map(), configured: new Set() }

/** Returns the names that the columns of a table are staged under. */
export function stagedNames(subject: Subject): StagedNames {
  if (subject.type === 'snapshot') return NONE
  const columns = columnsOf(subject)
  const all = namesIn(columns)
  const configured = new Set(columns.flatMap(({ config, name }) => (config.name === undefined ? [] : name)))
  if ((subject.item.names?.size ?? 0) === 0) return { ...NONE, all, configured }
  const byRules = namesIn(columnsOf({ ...subject, item: { ...subject.item, names: undefined } }))
  const kept = new Map([...all].filter(([stored, name]) => byRules.get(stored) !== name))
  return { all, kept, configured }
}

type Columns = ReturnType<typeof planColumns>['columns']

function columnsOf(subject: Subject): Columns {
  return planColumns({ subject, key: findKey(subject), deleted: findDeletedRows(subject) }).columns
}

function namesIn(columns: Columns): ReadonlyMap<string, string> {
  return new Map(columns.flatMap(({ column, name }) => (column ? [[column.name, name] as const] : [])))
}
