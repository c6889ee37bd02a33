import { type RawBuilder, sql } from 'kysely'
import type { Engine } from '../store/store.ts'

/**
 * Rows as a table in a query, by one parameter: however many there are, the statement stays the same.
 *
 * @param columns The types of what is read of each row, by name.
 */
export function jsonRows<Row>(
  engine: Engine,
  rows: readonly Row[],
  columns: Readonly<Record<keyof Row & string, 'text' | 'bigint'>>,
): RawBuilder<unknown> {
  const json = JSON.stringify(rows)
  const names = Object.entries<string>(columns)
  if (engine === 'postgres') {
    const typed = names.map(([name, type]) => sql`${sql.id(name)} ${sql.raw(type)}`)
    return sql`json_to_recordset(${json}::json) as given (${sql.join(typed)})`
  }
  const members = names.map(([name]) => sql`value ->> ${sql.lit(name)} as ${sql.id(name)}`)
  return sql`(select ${sql.join(members)} from json_each(${json})) as given`
}
