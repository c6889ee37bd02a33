import type { CatalogTable, Column } from '@stagecraft/spec'
import type { ScanChanges } from '@stagecraft/spec/api'

export type ColumnChanges = Pick<ScanChanges, 'columnsAdded' | 'columnsRemoved' | 'columnsRetyped'>

/** Compares the columns of one table before and after. */
export function compareColumns(
  table: string,
  { after, before }: { readonly before: CatalogTable; readonly after: CatalogTable },
): ColumnChanges {
  const old = byName(before.columns)
  const current = byName(after.columns)
  const change = ({ name, type }: Column) => ({ table, column: name, type })
  return {
    columnsAdded: after.columns.filter(({ name }) => !old.has(name)).map(change),
    columnsRemoved: before.columns.filter(({ name }) => !current.has(name)).map(change),
    columnsRetyped: after.columns.flatMap(({ name, type: to }) => {
      const from = old.get(name)
      return from === undefined || from === to ? [] : [{ table, column: name, from, to }]
    }),
  }
}

function byName(columns: readonly Column[]): ReadonlyMap<string, string> {
  return new Map(columns.map(({ name, type }) => [name, type]))
}
