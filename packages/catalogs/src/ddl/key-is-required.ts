import type { DialectName } from '@stagecraft/spec'
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
  if (dialect !== 'sqlite') return dialect !== 'bigquery' && dialect !== 'clickhouse'
  return (
    others.length === 0 &&
    columns.some((column) => column.name === name && /^integer$/i.test(column.type ?? ''))
  )
}
