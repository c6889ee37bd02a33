import type { GenerateContext } from '@stagecraft/core'
import { type Config, type DialectName, StagecraftError } from '@stagecraft/spec'
import type { ProjectResource } from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import { toIso } from '../resources/job-members.ts'
import type { Database, ProjectRow } from '../store/schema.ts'
import { gitOf } from './git-settings.ts'

/** The settings that generations of a project depend on. */
export interface ProjectSettings extends Pick<GenerateContext, 'config'> {
  readonly dialect?: DialectName
  readonly name: string
}

/** @throws {StagecraftError} NOT_FOUND. */
export async function readProject(db: Kysely<Database>, projectId: string): Promise<ProjectRow> {
  const row = await db.selectFrom('projects').selectAll().where('id', '=', projectId).executeTakeFirst()
  if (!row) throw StagecraftError.unknownId('project', projectId)
  return row
}

/** @throws {StagecraftError} NOT_FOUND. */
export async function projectSettings(db: Kysely<Database>, projectId: string): Promise<ProjectSettings> {
  return toProjectSettings(await readProject(db, projectId))
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

export function toProject(row: ProjectRow): ProjectResource {
  const git = gitOf(row)
  return {
    id: row.id,
    name: row.name,
    ...(row.dialect !== null && { dialect: row.dialect as DialectName }),
    ...(row.dbt_version !== null && { dbtVersion: row.dbt_version }),
    config: JSON.parse(row.config) as Config,
    ...(row.connection_id !== null && { connectionId: row.connection_id }),
    ...(git && { git: { ...git, hasCredentials: row.git_secret !== null } }),
    ...(row.keep_generations !== null && { keepGenerations: row.keep_generations }),
    version: row.version,
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
  }
}
