import type { GenerateContext } from '@stagecraft/core'
import { type Config, type DialectName, StagecraftError } from '@stagecraft/spec'
import type { Kysely } from 'kysely'
import type { Database, ProjectRow } from '../store/schema.ts'

/** The settings that generations of a project depend on. */
export interface ProjectSettings extends Pick<GenerateContext, 'config'> {
  readonly dialect?: DialectName
  readonly name: string
}

/** @throws {StagecraftError} NOT_FOUND. */
export async function projectSettings(db: Kysely<Database>, projectId: string): Promise<ProjectSettings> {
  const row = await db
    .selectFrom('projects')
    .select(['name', 'dialect', 'dbt_version', 'config'])
    .where('id', '=', projectId)
    .executeTakeFirst()
  if (!row) throw StagecraftError.unknownId('project', projectId)
  return toProjectSettings(row)
}

function toProjectSettings({
  config,
  dbt_version,
  dialect,
  name,
}: Pick<ProjectRow, 'name' | 'dialect' | 'dbt_version' | 'config'>): ProjectSettings {
  return {
    name,
    config: { ...(JSON.parse(config) as Config), ...(dbt_version !== null && { dbtVersion: dbt_version }) },
    ...(dialect !== null && { dialect: dialect as DialectName }),
  }
}
