import type { Migrations } from '../migrate.ts'
import { firstTables } from './first-tables.ts'
import { pushContents } from './push-contents.ts'
import { skippedParts } from './skipped-parts.ts'

/** In the order of their names, which never change once they were released. */
export const MIGRATIONS: Migrations = {
  '0001_first_tables': firstTables,
  '0002_push_contents': pushContents,
  '0003_skipped_parts': skippedParts,
}
