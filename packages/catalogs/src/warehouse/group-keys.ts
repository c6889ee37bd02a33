import type { ForeignKeyRow, KeyRow, TablePlace } from './warehouse.ts'

/** One column of a key, as engines list them that know no arrays. Rows come in key order. */
export interface KeyColumnRow extends TablePlace {
  /** Tells the keys of a table apart. */
  readonly key: string
  readonly kind: KeyRow['kind']
  /** Null for an expression: such a key says nothing of the columns. */
  readonly column: string | null
}

export interface ForeignKeyColumnRow extends TablePlace {
  readonly key: string
  readonly column: string
  readonly toSchema: string
  readonly toTable: string
  /** Null when the referenced table, or its key, is not there. */
  readonly toColumn: string | null
}

/** Puts the columns of each key together. */
export function groupKeys(rows: readonly KeyColumnRow[]): readonly KeyRow[] {
  return groupByKey(rows).flatMap(([first, ...rest]) => {
    const columns = [first, ...rest].flatMap(({ column }) => column ?? [])
    const { kind, schema, table } = first
    return columns.length === rest.length + 1 ? [{ schema, table, kind, columns }] : []
  })
}

/** Puts the columns of each foreign key together. */
export function groupForeignKeys(rows: readonly ForeignKeyColumnRow[]): readonly ForeignKeyRow[] {
  return groupByKey(rows).flatMap(([first, ...rest]) => {
    const all = [first, ...rest]
    const toColumns = all.flatMap(({ toColumn }) => toColumn ?? [])
    if (toColumns.length < all.length) return []
    const references = { schema: first.toSchema, table: first.toTable, columns: toColumns }
    return [
      { schema: first.schema, table: first.table, columns: all.map(({ column }) => column), references },
    ]
  })
}

function groupByKey<Row extends TablePlace & { readonly key: string }>(
  rows: readonly Row[],
): readonly (readonly [Row, ...Row[]])[] {
  const groups = Map.groupBy(rows, ({ key, schema, table }) => JSON.stringify([schema, table, key]))
  return [...groups.values()].flatMap(([first, ...rest]) => (first ? [[first, ...rest] as const] : []))
}
