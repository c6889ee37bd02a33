import type { Kysely } from 'kysely'
import { notFound } from '../resources/errors.ts'
import type { Database, PushRow } from '../store/schema.ts'

export interface PushKey {
  readonly projectId: string
  readonly pushId: string
}

/** @throws {StagecraftError} NOT_FOUND. */
export async function findPush(db: Kysely<Database>, { projectId, pushId }: PushKey): Promise<PushRow> {
  const row = await db
    .selectFrom('pushes')
    .selectAll()
    .where('id', '=', pushId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (!row) throw notFound('push', pushId)
  return row
}
