import type { Migration } from 'kysely/migration'
import type { Plain } from './table-parts.ts'

/** What a push left out, because other files of the branch define it. */
export const skippedParts: Migration = {
  async up({ schema }: Plain) {
    await schema.alterTable('pushes').addColumn('skipped', 'text').execute()
  },
}
