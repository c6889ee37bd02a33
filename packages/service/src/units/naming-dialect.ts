import { DIALECTS } from '@stagecraft/core'
import { type DialectName, StagecraftError } from '@stagecraft/spec'
import type { Kysely } from 'kysely'
import type { ProjectSettings } from '../projects/project-settings.ts'
import type { Database } from '../store/schema.ts'

/** The most permissive rules for source names, for projects whose warehouse is unknown. */
const WIDEST: DialectName = 'bigquery'

export interface NamingContext {
  readonly projectId: string
  readonly connectionId: string | null | undefined
}

/**
 * Returns the dialect that names models before their tables are read.
 *
 * @throws {StagecraftError} NOT_FOUND for a connection that the project does not have.
 */
export async function namingDialect(
  db: Kysely<Database>,
  settings: ProjectSettings,
  place: NamingContext,
): Promise<DialectName> {
  return dialectOf(settings, await connectionKind(db, place))
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
