import { DIALECTS } from '@stagecraft/core'
import { nameModel } from '@stagecraft/core/run'
import { type DialectName, type GenerationRequest, StagecraftError } from '@stagecraft/spec'
import type { Kysely } from 'kysely'
import { type ProjectSettings, projectSettings } from '../projects/project-settings.ts'
import type { Database } from '../store/schema.ts'

/** The widest rules for source names, for projects of which nobody knows the warehouse. */
const WIDEST: DialectName = 'bigquery'

export interface NamingContext {
  readonly projectId: string
  readonly connectionId: string | null | undefined
}

/**
 * The name of the model that a unit is, without reading its table.
 *
 * @throws {StagecraftError} NOT_FOUND for another connection than those of the project; INVALID_REQUEST for a source
 * that is no dotted name.
 */
export async function nameUnit(
  db: Kysely<Database>,
  request: GenerationRequest,
  { connectionId, projectId }: NamingContext,
): Promise<string> {
  const settings = await projectSettings(db, projectId)
  const kind = await connectionKind(db, { connectionId, projectId })
  return nameModel(request, { ...settings, dialect: dialectOf(settings, kind) })
}

function dialectOf({ config, dialect }: ProjectSettings, kind: string | undefined): DialectName {
  return dialect ?? config?.dialect ?? (kind !== undefined && isDialect(kind) ? kind : WIDEST)
}

function isDialect(kind: string): kind is DialectName {
  return Object.hasOwn(DIALECTS, kind)
}

async function connectionKind(
  db: Kysely<Database>,
  { connectionId, projectId }: NamingContext,
): Promise<string | undefined> {
  const connections = db
    .selectFrom('connections')
    .select('kind')
    .where('connections.project_id', '=', projectId)
  if (connectionId === null || connectionId === undefined) {
    const row = await connections
      .innerJoin('projects', 'projects.connection_id', 'connections.id')
      .executeTakeFirst()
    return row?.kind
  }
  const row = await connections.where('connections.id', '=', connectionId).executeTakeFirst()
  if (!row) throw StagecraftError.unknownId('connection', connectionId)
  return row.kind
}
