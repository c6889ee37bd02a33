import type { Catalog, Config, GenerationOptions, ModelKind, Warning } from '@stagecraft/spec'
import { unusedConfig } from '../config/unused-config.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { GenerateItem } from '../generate.ts'
import { readTables } from './read-tables.ts'

/** What to generate a whole run for. */
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
