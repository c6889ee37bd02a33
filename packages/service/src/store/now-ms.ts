import { type RawBuilder, sql } from 'kysely'
import type { Engine } from './store.ts'

/**
 * The database's clock in milliseconds since 1970: one clock for all processes that share a store.
 * On PostgreSQL it runs on within a transaction.
 *
 * @param offset is added to it, in milliseconds: tests live through days that way.
 */
export function nowMs(engine: Engine, offset = 0): RawBuilder<number> {
  const clock =
    engine === 'sqlite'
      ? sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
      : sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
  return offset === 0 ? clock : sql<number>`(${clock} + ${sql.lit(Math.round(offset))})`
}
