import type { DialectName } from '@stagecraft/spec'
import { ddlRulesOf } from './ddl-rules-of.ts'
import type { TableDefinition } from './definitions.ts'

/**
 * Tells whether a primary key keeps null out of its columns: not in BigQuery and ClickHouse, where nothing checks it, and
 * in SQLite only when it is the row's number.
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
