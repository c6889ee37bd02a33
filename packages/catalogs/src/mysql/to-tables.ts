import { resolveEscapes } from '../sql/texts.ts'
import { readEnumType, readJsonCheck } from '../sql/value-list.ts'
import { keyOf } from '../warehouse/assemble-tables.ts'
import { standardTables } from '../warehouse/standard-tables.ts'
import type { Results } from '../warehouse/statement.ts'
import type { CheckRow, ColumnRow, TableRows } from '../warehouse/warehouse.ts'

/** The tables of the answers to `statements`, whose types tell the values of an enum, and whose checks those of MariaDB's JSON. */
export function toTables(results: Results): TableRows {
  const { checks = [] } = results
  const rows = standardTables({
    ...results,
    checks: checks.map((row) => ({
      ...row,
      definition: clauseOf(row['definition'], row['constraint_name']),
    })),
  })
  return { ...rows, columns: rows.columns.map((row) => mendColumn(row, rows.checks)) }
}

/** MySQL escapes twice here: 'it\'s' is printed as \'it\\\'s\'. */
function clauseOf(definition: unknown, engine: unknown): string {
  const text = typeof definition === 'string' ? definition : ''
  return engine === 'MySQL' ? resolveEscapes(text) : text
}

function mendColumn(row: ColumnRow, checks: readonly CheckRow[]): ColumnRow {
  const values = readEnumType(row.type, 'mysql') ?? null
  return { ...row, type: isJson(row, checks) ? 'json' : row.type, values }
}

/** MariaDB keeps JSON as a text that is checked: https://mariadb.com/docs/server/reference/data-types/string-data-types/json */
export function isJson(
  column: Pick<ColumnRow, 'name' | 'schema' | 'table' | 'type'>,
  checks: readonly CheckRow[],
): boolean {
  if (column.type !== 'longtext') return false
  return checks.some(
    (check) => keyOf(check) === keyOf(column) && readJsonCheck(check.expression)?.text === column.name,
  )
}
