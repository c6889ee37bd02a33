import type { Family } from '@stagecraft/dialects'
import type { Key } from './key.ts'
import { COLUMN_GROUPS, type ColumnGroup } from './plan.ts'
import type { StagedColumn } from './staged-column.ts'

const FAMILY_GROUPS: Readonly<Record<Family, ColumnGroup>> = {
  integer: 'numerics',
  decimal: 'numerics',
  float: 'numerics',
  boolean: 'booleans',
  string: 'strings',
  uuid: 'ids',
  date: 'dates',
  time: 'other',
  timestamp_ntz: 'timestamps',
  timestamp_tz: 'timestamps',
  interval: 'other',
  json: 'semi-structured',
  struct: 'semi-structured',
  array: 'semi-structured',
  map: 'semi-structured',
  binary: 'other',
  geo: 'other',
  other: 'other',
}

/** Names of columns that identify something; the number is that of a name that was taken. */
const ID_NAME = /(?:^|_)(?:id|uuid|guid)(?:_\d+)?$/

/** The group that a column stands in. */
export function groupOf(
  column: Pick<StagedColumn, 'family' | 'isMetadata' | 'name'>,
  isReference: boolean,
): ColumnGroup {
  const { family, isMetadata, name } = column
  if (isMetadata) return 'metadata'
  const mayBeId = family === 'integer' || family === 'string' || family === 'decimal'
  return isReference || (mayBeId && ID_NAME.test(name)) ? 'ids' : FAMILY_GROUPS[family]
}

/** By group, the table's own key first, then as in the source. */
export function inGroups(columns: readonly StagedColumn[], key: Key | undefined): readonly StagedColumn[] {
  const rank = ({ column, group }: StagedColumn): number =>
    COLUMN_GROUPS.indexOf(group) * 2 + (column && key?.columns.includes(column.name) ? 0 : 1)
  return columns.toSorted((a, b) => rank(a) - rank(b) || a.ordinal - b.ordinal)
}
