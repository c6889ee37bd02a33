import { clickhouse } from './clickhouse.ts'
import { duckdb } from './duckdb.ts'
import type { Engine } from './engine.ts'
import { mariadb } from './mariadb.ts'
import { postgres } from './postgres.ts'
import { snowflake } from './snowflake.ts'
import { sqlite } from './sqlite.ts'

/** Every engine that runs generated SQL in tests. */
export const ENGINES: readonly Engine[] = [duckdb, postgres, mariadb, sqlite, clickhouse, snowflake]
