import { StagecraftError } from '@stagecraft/spec'
import type { Kysely } from 'kysely'
import type { Database } from '../store/schema.ts'
import { TOLD_COLUMNS, type ToldGeneration } from './to-generation.ts'

export interface GenerationKey {
  readonly projectId: string
  readonly generationId: string
}

/** @throws {StagecraftError} NOT_FOUND. */
export async function findGeneration(
  db: Kysely<Database>,
  { generationId, projectId }: GenerationKey,
): Promise<ToldGeneration & { readonly is_request: 0 | 1 }> {
  const row = await db
    .selectFrom('generations')
    .select([...TOLD_COLUMNS, 'is_request'])
    .where('id', '=', generationId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (!row) throw StagecraftError.unknownId('generation', generationId)
  return row
}
