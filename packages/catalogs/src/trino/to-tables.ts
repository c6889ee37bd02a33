import { standardTables } from '../warehouse/standard-tables.ts'
import type { Results, Row } from '../warehouse/statement.ts'
import type { TableRows } from '../warehouse/warehouse.ts'

/** Reads the answers to `statements`. Trino does not have keys and, before about release 470, no NOT NULL. */
export function toTables({ columns = [], comments = [], tables = [], ...others }: Results): TableRows {
  const byTable = new Map(comments.map((row) => [keyOf(row), row['table_comment']]))
  return standardTables({
    ...others,
    columns: columns.map(withPartition),
    tables: tables.map((row) => ({ ...row, table_comment: byTable.get(keyOf(row)) ?? row['table_comment'] })),
  })
}

/**
 * Marks partition columns, which only the Hive connector reports:
 * https://trino.io/docs/current/sql/show-columns.html
 */
function withPartition(row: Row): Row {
  const { extra_info: extra } = row
  const isPartition = typeof extra === 'string' && /\bpartition key\b/i.test(extra)
  return { ...row, ...(isPartition && { partition_position: row['ordinal_position'] }) }
}

function keyOf(row: Row): string {
  return JSON.stringify([row['table_schema'], row['table_name']])
}
