import type { Dialect } from '@stagecraft/dialects'
import type {
  Catalog,
  Config,
  GenerationOptions,
  ModelType,
  StagecraftError,
  Warning,
} from '@stagecraft/spec'
import { unusedConfig } from '../config/settings.ts'
import type { GenerateItem } from '../run/run-item.ts'
import { readTables } from './read-tables.ts'

/** The tables of a whole run. */
export interface ProjectRequest {
  readonly type: ModelType
  /** Source names and `schema.*`; empty for every table of the catalog. */
  readonly sources: readonly string[]
  readonly options?: GenerationOptions
}

export interface ReadItems {
  readonly items: readonly GenerateItem[]
  /** Warnings about the run as a whole. */
  readonly warnings: readonly Warning[]
}

interface ReadSource {
  readonly catalog: Catalog
  readonly config: Config
  readonly dialect: Dialect
}

/** Reads the tables that a request names, each with its own request. */
export async function readItems(
  { options = {}, sources, type }: ProjectRequest,
  { catalog, config, dialect }: ReadSource,
  signal: AbortSignal | undefined,
): Promise<ReadItems> {
  const { isWhole, tables, warnings } = await readTables(catalog, sources, { config, dialect, signal })
  signal?.throwIfAborted()
  const all = tables.map(({ table }) => table)
  const unused = unusedConfig(config, all, { isAll: sources.length === 0, isWhole })
  return {
    items: tables.map(({ name, table }) => ({ request: { type, source: name, options }, table })),
    warnings: [...unused, ...warnings],
  }
}

/** A table that a request names, or the error of a name. */
export type ReadItem = { readonly item: GenerateItem } | { readonly error: StagecraftError }

/**
 * Reads the tables that a request names, each once, in the order of the names. If one of several names cannot be
 * read, its place holds the error.
 *
 * @throws {StagecraftError} When there is one name, and CONNECTION_FAILED always.
 */
export async function readEach(
  { options = {}, sources, type }: ProjectRequest,
  { catalog, config, dialect }: ReadSource,
  signal: AbortSignal | undefined,
): Promise<readonly ReadItem[]> {
  const keepsGoing = sources.length > 1
  const { outcomes } = await readTables(catalog, sources, { config, dialect, keepsGoing, signal })
  signal?.throwIfAborted()
  const seen = new Set<string>()
  return outcomes.flatMap((one): readonly ReadItem[] => {
    if ('error' in one) return [one]
    return one.tables.flatMap(({ name, table }) => {
      if (seen.has(name)) return []
      seen.add(name)
      return { item: { request: { type, source: name, options }, table } }
    })
  })
}
