import { type RawBuilder, sql } from 'kysely'

/** Returns the condition that one of several columns contains a text, ignoring case. */
export function hasText(columns: readonly string[], text: string): RawBuilder<boolean> {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const tests = columns.map((column) => sql`lower(${sql.ref(column)}) like ${pattern} escape '\\'`)
  return sql<boolean>`(${sql.join(tests, sql` or `)})`
}

export interface Period {
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** Returns the conditions of a period: `since` is its first millisecond, `until` the first after it. */
export function inPeriod({ since, until }: Period, column = 'created_at'): readonly RawBuilder<boolean>[] {
  const time = sql.ref(column)
  return [
    ...(since === undefined ? [] : [sql<boolean>`${time} >= ${Date.parse(since)}`]),
    ...(until === undefined ? [] : [sql<boolean>`${time} < ${Date.parse(until)}`]),
  ]
}

/** Combines conditions; without any, every row matches. */
export function allOf(conditions: readonly (RawBuilder<boolean> | undefined)[]): RawBuilder<boolean> {
  const given = conditions.filter((condition) => condition !== undefined)
  return given.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`(${sql.join(given, sql` and `)})`
}

/** Returns the condition that a column has a value; undefined if no value is given. */
export function isValue(column: string, value: string | number | undefined): RawBuilder<boolean> | undefined {
  return value === undefined ? undefined : sql<boolean>`${sql.ref(column)} = ${value}`
}
