import type { DialectName } from '@stagecraft/spec'
import { ddlRulesOf } from './script.ts'
import type { TableDefinition } from './definitions.ts'

/**
 * Returns true if a primary key makes its columns NOT NULL: not in BigQuery and ClickHouse, which do not
 * enforce it, and in SQLite only for the row id.
 */
export function keyIsRequired(
  [name, ...others]: readonly string[],
  { columns }: TableDefinition,
  dialect: DialectName | undefined,
): boolean {
  const { primaryKey } = ddlRulesOf(dialect)
  if (primaryKey !== 'required of a row number') return primaryKey === 'unique and required'
  return (
    others.length === 0 &&
    columns.some((column) => column.name === name && /^integer$/i.test(column.type ?? ''))
  )
}

/** Returns the table with the columns of its primary key required, if the dialect does that. */
export function requireKey(table: TableDefinition, dialect: DialectName | undefined): TableDefinition {
  const key = table.constraints.find((one) => one.kind === 'primary')
  if (key?.kind !== 'primary' || !keyIsRequired(key.columns, table, dialect)) return table
  const names = new Set(key.columns.map((name) => name.toLowerCase()))
  const columns = table.columns.map((column) =>
    names.has(column.name.toLowerCase()) ? { ...column, isRequired: true } : column,
  )
  return { ...table, columns }
}
