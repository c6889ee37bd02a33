import { standardTables } from '../warehouse/standard-tables.ts'
import type { Results, Row } from '../warehouse/statement.ts'
import type { CheckRow, TableRows } from '../warehouse/warehouse.ts'

/** Tables of SQL Server with the values that their checks list; a table of history says of which. */
export function toTables(results: Results): TableRows {
  const { columns = [], keys = [], tables = [] } = results
  return {
    ...standardTables({
      tables: tables.map(withHistory),
      columns,
      keys: [...keys, ...(results['foreign_keys'] ?? [])],
    }),
    checks: (results['checks'] ?? []).map(toCheck),
  }
}

function withHistory(row: Row): Row {
  const { history_of_schema: schema, history_of_table: table, table_comment: comment } = row
  if (typeof table !== 'string' || table === '' || comment) return row
  return { ...row, table_comment: `Earlier versions of the rows of ${String(schema)}.${table}.` }
}

function toCheck(row: Row): CheckRow {
  return {
    schema: String(row['table_schema']),
    table: String(row['table_name']),
    expression: String(row['definition']),
  }
}
