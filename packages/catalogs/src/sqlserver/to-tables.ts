import { standardTables } from '../warehouse/standard-tables.ts'
import type { Results, Row } from '../warehouse/statement.ts'
import type { TableRows } from '../warehouse/warehouse.ts'

/** Reads tables with the values that their checks list. A history table gets a comment that names its table. */
export function toTables(results: Results): TableRows {
  const { checks = [], columns = [], keys = [], tables = [] } = results
  const stored = new Map((results['storage'] ?? []).map((row) => [columnOf(row), row]))
  return standardTables({
    tables: tables.map(withHistory),
    columns: columns.map((row) => {
      const { cluster_position = null, partition_position = null } = stored.get(columnOf(row)) ?? {}
      return { ...row, cluster_position, partition_position }
    }),
    keys: [...keys, ...(results['foreign_keys'] ?? [])],
    checks,
  })
}

function columnOf(row: Row): string {
  return JSON.stringify([row['table_schema'], row['table_name'], row['column_name']])
}

function withHistory(row: Row): Row {
  const { history_of_schema: schema, history_of_table: table, table_comment: comment } = row
  if (typeof table !== 'string' || table === '' || comment) return row
  return { ...row, table_comment: `Earlier versions of the rows of ${String(schema)}.${table}.` }
}
