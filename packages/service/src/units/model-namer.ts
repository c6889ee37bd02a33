import { DIALECTS } from '@stagecraft/core'
import { nameModel } from '@stagecraft/core/run'
import { type DialectName, type GenerationRequest } from '@stagecraft/spec'
import { projectSettings } from '../projects/project-settings.ts'
import { ownedRow } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

/** The most permissive rules for source names, for projects whose warehouse is unknown. */
const WIDEST: DialectName = 'bigquery'

interface NamingContext {
  readonly projectId: string
  readonly connectionId: string | undefined
}

/**
 * Returns a function that names models without reading their tables. It throws INVALID_REQUEST for a source that is not
 * a dotted name.
 *
 * @throws {StagecraftError} NOT_FOUND for a connection that the project does not have.
 */
export async function modelNamer(
  store: Store,
  place: NamingContext,
): Promise<(request: GenerationRequest) => string> {
  const settings = await projectSettings(store.db, place.projectId)
  const kind = await connectionKind(store, place)
  const known = kind !== undefined && isDialect(kind) ? kind : WIDEST
  const dialect = settings.dialect ?? settings.config?.dialect ?? known
  return (request) => nameModel(request, { ...settings, dialect })
}

function isDialect(kind: string): kind is DialectName {
  return Object.hasOwn(DIALECTS, kind)
}

async function connectionKind(
  store: Store,
  { connectionId, projectId }: NamingContext,
): Promise<string | undefined> {
  if (connectionId !== undefined)
    return (await ownedRow(store, 'connections', { projectId, id: connectionId })).kind
  const row = await store.db
    .selectFrom('connections')
    .innerJoin('projects', 'projects.connection_id', 'connections.id')
    .select('kind')
    .where('projects.id', '=', projectId)
    .executeTakeFirst()
  return row?.kind
}
