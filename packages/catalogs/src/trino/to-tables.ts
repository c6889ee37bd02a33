import { standardTables } from '../warehouse/standard-tables.ts'
import type { Results, Row } from '../warehouse/statement.ts'
import type { TableRows } from '../warehouse/warehouse.ts'

/** The tables of the answers to `statements`. Trino knows no keys and, before release 470 or so, no NOT NULL either. */
export function toTables({ comments = [], tables = [], ...others }: Results): TableRows {
  const byTable = new Map(comments.map((row) => [keyOf(row), row['table_comment']]))
  return standardTables({
    ...others,
    tables: tables.map((row) => ({ ...row, table_comment: byTable.get(keyOf(row)) ?? row['table_comment'] })),
  })
}

function keyOf(row: Row): string {
  return JSON.stringify([row['table_schema'], row['table_name']])
}
