import { openCatalog, type OpenCatalogOptions } from '@stagecraft/catalogs'
import { type Catalog, type DialectName, StagecraftError } from '@stagecraft/spec'
import type { ServiceContext } from '../context.ts'
import { projectSettings } from '../projects/project-settings.ts'
import type { ConnectionRow } from '../store/schema.ts'
import { allowedPlace } from './allowed-place.ts'

/** Returns the place that the sealed catalog of a connection is bound to. */
export function sealedPlace(connectionId: string): string {
  return `connections/${connectionId}/catalog`
}

/** The catalog as it was given. It holds passwords. */
export function readCatalogText(
  { cipher }: Pick<ServiceContext, 'cipher'>,
  { catalog, id }: Pick<ConnectionRow, 'id' | 'catalog'>,
): string {
  return cipher.open(catalog, sealedPlace(id))
}

/**
 * Opens the catalog of a connection, for the caller alone, who closes it. SQL files that do not tell their dialect are read
 * in that of the project.
 *
 * @throws {StagecraftError} CONNECTION_FAILED whatever is wrong with it: the request was a good one.
 */
export async function openConnection(
  context: Pick<ServiceContext, 'cipher' | 'settings' | 'store'>,
  row: Pick<ConnectionRow, 'id' | 'catalog' | 'project_id'>,
  { signal }: Pick<OpenCatalogOptions, 'signal'> = {},
): Promise<Catalog> {
  try {
    const text = readCatalogText(context, row)
    allowedPlace(text, context.settings) // the settings may have changed since it was created
    return await openCatalog(text, { signal, dialect: await projectDialect(context, row.project_id) })
  } catch (error) {
    throw asConnectionFailure(error)
  }
}

/** The dialect that a project generates code in, where it says one. */
export async function projectDialect(
  { store }: Pick<ServiceContext, 'store'>,
  projectId: string,
): Promise<DialectName | undefined> {
  const { config, dialect } = await projectSettings(store.db, projectId)
  return dialect ?? config?.dialect
}

function asConnectionFailure(error: unknown): unknown {
  if (!(error instanceof StagecraftError) || error.code === 'CONNECTION_FAILED') return error
  const { details, message } = error
  return new StagecraftError('CONNECTION_FAILED', message, { details: { reason: message, ...details } })
}
