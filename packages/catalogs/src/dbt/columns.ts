import { UNKNOWN_TYPE } from '@stagecraft/spec'
import { findName } from '../find-table.ts'
import { toJson, toText } from './json.ts'
import type { Relation } from './relations.ts'

/** A column, as described by the artifacts. */
export interface KnownColumn {
  readonly name: string
  readonly type: string
  readonly comment: string | undefined
}

/**
 * Returns the columns of a table: from the warehouse, in its order, otherwise those that the project lists.
 *
 * @param isNested True if a dot in a name leads to a field of a struct, as in BigQuery. Such fields are not
 * columns.
 */
export function columnsOf({ columns, entry }: Relation, isNested: boolean): readonly KnownColumn[] {
  const described = columns.map((column) => ({
    name: toText(column['name']) ?? '',
    type: toText(column['data_type']) ?? UNKNOWN_TYPE,
    comment: toText(column['description']),
  }))
  const stored = Object.values(toJson(entry['columns'])).map(toJson)
  const sorted = stored.toSorted((a, b) => Number(a['index']) - Number(b['index']))
  const known = sorted.map((column) => {
    const name = toText(column['name']) ?? ''
    const found = findColumn(name, described)
    return {
      name,
      type: toText(column['type']) ?? found?.type ?? UNKNOWN_TYPE,
      comment: found?.comment ?? toText(column['comment']),
    }
  })
  const all = known.length > 0 ? known : described
  return all.filter(({ name }) => name !== '' && !(isNested && name.includes('.')))
}

/** Returns the column of a name, which YAML and tests may spell in another case. */
export function findColumn<Column extends { readonly name: string }>(
  name: string,
  columns: readonly Column[],
): Column | undefined {
  const names = columns.map((column) => column.name)
  const found = findName({ text: name, quoted: false }, names)
  return columns.find((column) => column.name === found)
}
