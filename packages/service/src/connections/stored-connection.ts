import { guardedNetwork } from '@stagecraft/webhooks'
import { type CatalogPlace, type OpenCatalogOptions, locateCatalog, openCatalog } from '@stagecraft/catalogs'
import { type Catalog, type DialectName, StagecraftError } from '@stagecraft/spec'
import type { ConnectionResource } from '@stagecraft/spec/api'
import { isAbsolute } from 'node:path'
import type { ServiceContext, ServiceSettings } from '../context.ts'
import { projectSettings } from '../projects/project-settings.ts'
import { toIso } from '../resources/job-members.ts'
import { fromJson, ownedRow, toJson } from '../store/rows.ts'
import type { ConnectionRow } from '../store/schema.ts'

/** The result of a test. */
interface LastTest {
  /** By the clock of the database. */
  readonly at: number
  readonly ok: boolean
  /** The reason of a failure, without secrets. */
  readonly reason?: string
}

export function printLastTest(test: LastTest): string {
  return toJson(test)
}

/** Returns the public fields of a connection, without its catalog. */
export function toConnection(
  row: Omit<ConnectionRow, 'catalog' | 'project_id'>,
  { isDefault }: { readonly isDefault: boolean },
): ConnectionResource {
  const test = row.last_test === null ? undefined : (fromJson(row.last_test) as LastTest)
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    target: row.target,
    isDefault,
    ...(test && { lastTest: { ...test, at: toIso(test.at) } }),
    version: row.version,
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
  }
}

export interface ConnectionOf {
  readonly projectId: string
  /** Default: the connection of the project. */
  readonly connectionId?: string | undefined
}

/**
 * Returns the named connection, or the default of the project.
 *
 * @throws {StagecraftError} NOT_FOUND for an id that the project does not have; INVALID_REQUEST without an id if the
 * project has no default.
 */
export async function findConnection(
  { store }: Pick<ServiceContext, 'store'>,
  { connectionId, projectId }: ConnectionOf,
): Promise<ConnectionRow> {
  if (connectionId !== undefined) return await ownedRow(store, 'connections', { projectId, id: connectionId })
  const row = await store.db
    .selectFrom('connections')
    .innerJoin('projects', 'projects.connection_id', 'connections.id')
    .selectAll('connections')
    .where('projects.id', '=', projectId)
    .executeTakeFirst()
  if (!row) throw noConnection(projectId)
  return row
}

function noConnection(projectId: string): Error {
  const suggestion = `create one with POST /v1/projects/${projectId}/connections, or name an existing one`
  const fault = {
    path: 'connectionId',
    expected: 'a connection, since the project has no default',
    received: 'nothing',
  }
  return StagecraftError.invalid([fault], { suggestion })
}

/** Returns the place that the sealed catalog of a connection is bound to. */
function sealedPlace(connectionId: string): string {
  return `connections/${connectionId}/catalog`
}

/** Returns the catalog as it was entered, including passwords. */
export function readCatalogText(
  { cipher }: Pick<ServiceContext, 'cipher'>,
  { catalog, id }: Pick<ConnectionRow, 'id' | 'catalog'>,
): string {
  return cipher.open(catalog, sealedPlace(id))
}

/**
 * Opens the catalog of a connection. The caller closes it. SQL files without a stated dialect are read in the dialect of the
 * project.
 *
 * @throws {StagecraftError} CONNECTION_FAILED for every failure, because the request itself is valid.
 */
export async function openConnection(
  context: Pick<ServiceContext, 'cipher' | 'settings' | 'store'>,
  row: Pick<ConnectionRow, 'id' | 'catalog' | 'project_id'>,
  { signal }: Pick<OpenCatalogOptions, 'signal'> = {},
): Promise<Catalog> {
  try {
    const text = readCatalogText(context, row)
    const { allowLocalFiles, connectionNetworks: networks } = context.settings
    allowedPlace(text, context.settings) // The operator settings may have changed since the connection was created.
    return await openCatalog(text, {
      signal,
      dialect: await projectDialect(context, row.project_id),
      // People outside this machine could otherwise reach servers that trust it.
      ...(!allowLocalFiles && guardedNetwork({ networks })),
    })
  } catch (error) {
    throw asConnectionFailure(error)
  }
}

/** Returns the configured dialect of a project; undefined if it has none. */
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

/**
 * Returns the columns of a connection that follow from its catalog text. They reset the last test.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a text that no connection may have.
 */
export function catalogColumns(
  text: string,
  id: string,
  { cipher, settings }: Pick<ServiceContext, 'cipher' | 'settings'>,
): Pick<ConnectionRow, 'id' | 'kind' | 'target' | 'catalog' | 'last_test'> {
  const { kind, target } = allowedPlace(text, settings)
  return { id, kind, target, catalog: cipher.seal(text, sealedPlace(id)), last_test: null }
}

/**
 * Returns the place of a catalog if a connection may use it. Where files are not allowed, neither are the
 * passwords that pg finds in the environment and the home folder of the operator.
 *
 * @throws {StagecraftError} INVALID_REQUEST for text of an unknown form, for a catalog of files if they are not allowed,
 * and for a relative path, because the working folder of the service is not part of its interface.
 */
export function allowedPlace(
  text: string,
  { allowLocalFiles }: Pick<ServiceSettings, 'allowLocalFiles'>,
): CatalogPlace {
  const place = locateCatalog(text)
  if (!allowLocalFiles) assertRemote(place)
  if (!place.localPaths.every((path) => isAbsolute(path)))
    throw StagecraftError.invalid([
      { path: 'catalog', expected: 'an absolute path', received: 'a relative one' },
    ])
  return place
}

function assertRemote({ borrowsPassword, isServer, kind, localPaths }: CatalogPlace): void {
  if (localPaths.length === 0 && !borrowsPassword) return
  const expected = 'a server that needs no local files, such as postgres://user:password@…'
  const received = !isServer
    ? `${kind}:…`
    : localPaths.length > 0
      ? 'an address with the path of a file or socket'
      : 'an address without a password or a project, which would be looked up on this machine'
  throw StagecraftError.invalid([{ path: 'catalog', expected, received }], {
    suggestion: 'this service reads no local files',
  })
}
