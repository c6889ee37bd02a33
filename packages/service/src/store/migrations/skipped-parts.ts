import type { Migration } from 'kysely/migration'
import type { Plain } from './table-parts.ts'

/** Adds the parts that a push left out because other files of the branch define them. */
export const skippedParts: Migration = {
  async up({ schema }: Plain) {
    await schema.alterTable('pushes').addColumn('skipped', 'text').execute()
  },
}
