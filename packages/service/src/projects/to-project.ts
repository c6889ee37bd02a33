import type { Config, DialectName } from '@stagecraft/spec'
import type { ProjectResource } from '@stagecraft/spec/api'
import { toIso } from '../resources/times.ts'
import type { ProjectRow } from '../store/schema.ts'
import { gitOf } from './git-settings.ts'

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
    version: row.version,
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
  }
}
