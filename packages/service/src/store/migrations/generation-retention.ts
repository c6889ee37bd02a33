import type { Migration } from 'kysely/migration'
import type { Plain } from './table-parts.ts'

/** Adds the number of generations that a project keeps of each unit. */
export const generationRetention: Migration = {
  async up({ schema }: Plain) {
    await schema.alterTable('projects').addColumn('keep_generations', 'integer').execute()
  },
}
