import type { Kysely } from 'kysely'
import type { Database } from '../store/schema.ts'
import type { AssistantSettingsRow } from '../store/talk-rows.ts'

/** Reads the settings of a project; without any, all are null. */
export async function readSettings(db: Kysely<Database>, projectId: string): Promise<AssistantSettingsRow> {
  const row = await db
    .selectFrom('assistant_settings')
    .selectAll()
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return (
    row ?? {
      project_id: projectId,
      provider: null,
      model: null,
      base_url: null,
      api_key: null,
      tokens_per_day: null,
    }
  )
}

/** Returns the place that the encrypted key is bound to. */
export function apiKeyPlace(projectId: string): string {
  return `assistant_settings/${projectId}/api_key`
}
