import type { Dialect } from '@stagecraft/dialects'
import {
  type Catalog,
  type Config,
  type GenerationOptions,
  type ModelKind,
  StagecraftError,
  type Warning,
} from '@stagecraft/spec'
import { unusedConfig } from '../config/unused-config.ts'
import type { GenerateItem } from '../run/run-item.ts'
import { readTables } from './read-tables.ts'

/** The tables of a whole run. */
export interface ProjectRequest {
  readonly type: ModelKind
  /** Source names and `schema.*`; empty for every table of the catalog. */
  readonly sources: readonly string[]
  readonly options?: GenerationOptions
}

export interface ReadItems {
  readonly items: readonly GenerateItem[]
  /** About the run as a whole. */
  readonly warnings: readonly Warning[]
}

interface ReadSource {
  readonly catalog: Catalog
  readonly config: Config
  readonly dialect: Dialect
}

/** The tables that a request names, each with a request of its own. */
export async function readItems(
  { options = {}, sources, type }: ProjectRequest,
  { catalog, config, dialect }: ReadSource,
  signal: AbortSignal | undefined,
): Promise<ReadItems> {
  const { isWhole, tables, warnings } = await readTables(catalog, sources, { config, dialect })
  signal?.throwIfAborted()
  const all = tables.map(({ table }) => table)
  const unused = unusedConfig(config, all, { isAll: sources.length === 0, isWhole })
  return {
    items: tables.map(({ name, table }) => ({ request: { type, source: name, options }, table })),
    warnings: [...unused, ...warnings],
  }
}

/** A table that a request names, or why a name of it has none. */
export type ReadItem = { readonly item: GenerateItem } | { readonly error: StagecraftError }

/**
 * Reads the tables that a request names, each once, in the order of the names. Of several names, one that cannot be read
 * has its error in its place.
 *
 * @throws {StagecraftError} When there is one name, and CONNECTION_FAILED always.
 */
export async function readEach(
  request: ProjectRequest,
  source: ReadSource,
  signal: AbortSignal | undefined,
): Promise<readonly ReadItem[]> {
  try {
    return (await readItems(request, source, signal)).items.map((item) => ({ item }))
  } catch (error) {
    assertOfOneName(error)
    if (request.sources.length < 2) throw error
  }
  const seen = new Set<string>()
  const outcomes: ReadItem[] = []
  for (const name of request.sources) {
    try {
      const { items } = await readItems({ ...request, sources: [name] }, source, signal)
      const fresh = items.filter(({ request: { source } }) => !seen.has(source))
      for (const item of fresh) seen.add(item.request.source)
      outcomes.push(...fresh.map((item) => ({ item })))
    } catch (error) {
      outcomes.push({ error: assertOfOneName(error) })
    }
  }
  return outcomes
}

/** Lets through what is wrong with a name, and throws what is wrong with the catalog. */
function assertOfOneName(error: unknown): StagecraftError {
  if (error instanceof StagecraftError && error.code !== 'CONNECTION_FAILED') return error
  throw error
}
