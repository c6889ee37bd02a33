import { locateCatalog } from '@stagecraft/catalogs'
import type { Catalog } from '@stagecraft/spec'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  findConnection,
  openConnection,
  projectDialect,
  readCatalogText,
} from '../connections/stored-connection.ts'
import type { ServiceContext } from '../context.ts'
import type { ConnectionRow } from '../store/schema.ts'
import type { CachedConnection } from './catalog-cache.ts'

/**
 * Returns the result, or rejects with the signal's reason as soon as it aborts; the work continues, and its result is
 * ignored.
 */
export async function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (!signal) return work
  const abortion = Promise.withResolvers<never>()
  const onAbort = (): void => abortion.reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([work, abortion.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

interface CatalogOf {
  readonly projectId: string
  /** Default: the connection of the project. */
  readonly connectionId?: string | undefined
  /** Stops waiting; the query itself runs until the warehouse responds. */
  readonly signal?: AbortSignal | undefined
}

const IDLE_MS = 60_000
/** DuckDB blocks writers while the file is open. */
const DUCKDB_IDLE_MS = 1000

/**
 * Does work with the catalog of a connection, which is open or gets opened, and is shared with others. The work may be
 * done twice, and does not close the catalog.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a project that has no connection; NOT_FOUND for a connection of another
 * project; CONNECTION_FAILED when it cannot be opened.
 */
export async function withCatalog<Result>(
  context: ServiceContext,
  { connectionId, projectId, signal }: CatalogOf,
  work: (catalog: Catalog) => Promise<Result>,
): Promise<Result> {
  const row = await findConnection(context, { projectId, connectionId })
  const connection = await cachedConnection(context, row)
  signal?.throwIfAborted()
  return untilAborted(context.catalogs.use(connection, work), signal)
}

async function cachedConnection(context: ServiceContext, row: ConnectionRow): Promise<CachedConnection> {
  const { isServer, kind, target } = locateCatalog(readCatalogText(context, row))
  const file = isServer ? '' : await fileState(target)
  const dialect = isServer ? undefined : await projectDialect(context, row.project_id)
  return {
    connectionId: row.id,
    state: file === undefined ? undefined : `${row.version}:${dialect ?? ''}:${file}`,
    idleMs: kind === 'duckdb' ? DUCKDB_IDLE_MS : IDLE_MS,
    open: () => openConnection(context, row),
  }
}

/** The maximum number of files to compare. Beyond it, reading them again is faster. */
const MOST_FILES = 200

/**
 * Returns a text that changes when a file or a file in the folder changes; earlier reads are then stale.
 * Undefined if that cannot be determined.
 */
async function fileState(path: string): Promise<string | undefined> {
  try {
    const files = await filesOf(path)
    if (files.length > MOST_FILES) return undefined
    const states = await Promise.all(files.map(stateOf))
    return states.join('\n')
  } catch {
    // Opening it fails with the reason.
    return undefined
  }
}

async function filesOf(path: string): Promise<readonly string[]> {
  const entry = await stat(path)
  if (!entry.isDirectory()) return [path]
  const names = await readdir(path, { recursive: true })
  return names.toSorted().map((name) => join(path, name))
}

async function stateOf(file: string): Promise<string> {
  const { ino, mtimeNs, size } = await stat(file, { bigint: true })
  return `${file}:${ino}:${size}:${mtimeNs}`
}
