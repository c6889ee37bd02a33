import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { locateCatalog } from '@stagecraft/catalogs'
import type { Catalog } from '@stagecraft/spec'
import { openConnection, projectDialect, readCatalogText } from '../connections/connection-catalog.ts'
import { findConnection } from '../connections/find-connection.ts'
import type { ServiceContext } from '../context.ts'
import type { ConnectionRow } from '../store/schema.ts'
import type { CachedConnection } from './catalog-cache.ts'
import { untilAborted } from './until-aborted.ts'

interface CatalogOf {
  readonly projectId: string
  /** Default: the connection of the project. */
  readonly connectionId?: string | undefined
  /** Stops the waiting; what was asked of the warehouse goes on until it has answered. */
  readonly signal?: AbortSignal | undefined
}

const IDLE_MILLISECONDS = 60_000
/** DuckDB locks out those who write to the file for as long as it is open. */
const DUCKDB_IDLE_MILLISECONDS = 1000

/**
 * Does work with the catalog of a connection, which is open or gets opened, and is shared with others. The work may be done
 * twice, and does not close the catalog.
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
    idleMilliseconds: kind === 'duckdb' ? DUCKDB_IDLE_MILLISECONDS : IDLE_MILLISECONDS,
    open: () => openConnection(context, row),
  }
}

/** More than that takes longer than reading them anew. */
const MOST_FILES = 200

/**
 * Changes when a file does, or a file in the folder: what was read of it then is old. Undefined where that cannot be told.
 */
async function fileState(path: string): Promise<string | undefined> {
  try {
    const files = await filesOf(path)
    if (files.length > MOST_FILES) return undefined
    const states = await Promise.all(files.map(stateOf))
    return states.join('\n')
  } catch {
    // whoever opens it finds out what is wrong, and says so
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
