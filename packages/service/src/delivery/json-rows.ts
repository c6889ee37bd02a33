import { type RawBuilder, sql } from 'kysely'
import type { Engine } from '../store/store.ts'

/** The columns to read from each row, by type. */
export interface JsonColumns<Row> {
  readonly text?: readonly (keyof Row & string)[]
  readonly bigint?: readonly (keyof Row & string)[]
}

/** Passes rows to a query as a table `given`, in one parameter: the statement stays the same for any number of rows. */
export function jsonRows<Row extends object>(
  engine: Engine,
  rows: readonly Row[],
  { bigint = [], text = [] }: JsonColumns<Row>,
): RawBuilder<unknown> {
  const json = JSON.stringify(rows, [...text, ...bigint])
  if (engine === 'postgres') {
    const typed = [
      ...text.map((name) => sql`${sql.id(name)} text`),
      ...bigint.map((name) => sql`${sql.id(name)} bigint`),
    ]
    return sql`json_to_recordset(${json}::json) as given (${sql.join(typed)})`
  }
  const members = [...text, ...bigint].map((name) => sql`value ->> ${sql.lit(name)} as ${sql.id(name)}`)
  return sql`(select ${sql.join(members)} from json_each(${json})) as given`
}
