import type { Migration } from 'kysely/migration'
import { firstTables } from './first-tables.ts'

/** In the order of their names, which never change once they were released. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001_first_tables': firstTables,
}
