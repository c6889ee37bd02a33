import { resolveEscapes } from '../sql/texts.ts'
import { readEnumType, readJsonCheck } from '../sql/value-list.ts'
import { keyOf } from '../warehouse/assemble-tables.ts'
import { standardTables } from '../warehouse/standard-tables.ts'
import type { Results } from '../warehouse/statement.ts'
import type { CheckRow, ColumnRow, TableRows } from '../warehouse/warehouse.ts'

/**
 * Reads the answers to `statements`. Types contain the values of enums, and checks show which columns are
 * JSON in MariaDB.
 */
export function toTables(results: Results): TableRows {
  const { checks = [] } = results
  const rows = standardTables({
    ...results,
    checks: checks.map((row) => ({
      ...row,
      definition: clauseOf(row['definition'], row['constraint_name']),
    })),
  })
  return { ...rows, columns: rows.columns.map((row) => correctColumn(row, rows.checks)) }
}

/** Removes the second escaping of MySQL, which prints 'it\'s' as \'it\\\'s\'. */
function clauseOf(definition: unknown, engine: unknown): string {
  const text = typeof definition === 'string' ? definition : ''
  return engine === 'MySQL' ? resolveEscapes(text) : text
}

function correctColumn(row: ColumnRow, checks: readonly CheckRow[]): ColumnRow {
  const values = readEnumType(row.type, 'mysql') ?? null
  return { ...row, type: isJson(row, checks) ? 'json' : row.type, values }
}

/**
 * Returns true for JSON, which MariaDB stores as text with a check:
 * https://mariadb.com/docs/server/reference/data-types/string-data-types/json
 */
export function isJson(
  column: Pick<ColumnRow, 'name' | 'schema' | 'table' | 'type'>,
  checks: readonly CheckRow[],
): boolean {
  if (column.type !== 'longtext') return false
  return checks.some(
    (check) => keyOf(check) === keyOf(column) && readJsonCheck(check.expression)?.text === column.name,
  )
}
