import type { Config, SourceConfig, Table, TableConfig } from '@stagecraft/spec'
import { findSource, type ProjectView } from './project-view.ts'

/** A table to generate for, with the name of its model where the project decided it. */
export interface TableToPlan {
  readonly table: Table & { readonly name: string }
  /** The model that a person moved or wrote. @default the name that configuration gives */
  readonly model?: string | undefined
}

/**
 * Adds to the configuration what the project decided: names of sources and tables that are declared, and of models. What
 * the configuration says itself stays.
 */
export function overlayConfig(config: Config, project: ProjectView, tables: readonly TableToPlan[]): Config {
  const sources = tables.reduce<Sources>(
    (under, table) => overlayTable(under, project, table),
    config.sources ?? {},
  )
  return Object.keys(sources).length === 0 ? config : { ...config, sources }
}

type Sources = NonNullable<Config['sources']>

function overlayTable(sources: Sources, project: ProjectView, { model, table }: TableToPlan): Sources {
  const found = findSource(project, table)
  const name = found?.table && found.table.name !== table.name ? found.table.name : undefined
  const own = { ...(name !== undefined && { name }), ...(model !== undefined && { model }) }
  const hasOwn = Object.keys(own).length > 0
  if (table.schema === undefined || (!found && !hasOwn)) return sources
  const overlay = hasOwn ? ([table.name, own] as const) : undefined
  const changed = keysOf(sources, table).map(({ from, key }): readonly [string, SourceConfig] => [
    key,
    overlaySource(sources[key] ?? sources[from] ?? {}, found?.source.name, overlay),
  ])
  return { ...sources, ...Object.fromEntries(changed) }
}

interface OverlayKey {
  readonly key: string
  /** The key whose settings hold for it so far. */
  readonly from: string
}

/** The keys by which configuration is looked up, as they are spelled there: with the database first. */
function keysOf(sources: Sources, { database, schema = '' }: Table): readonly OverlayKey[] {
  const spelled = (key: string): string =>
    Object.keys(sources).find((other) => other.toLowerCase() === key.toLowerCase()) ?? key
  const plain = spelled(schema)
  const keys = database === undefined ? [plain] : [spelled(`${database}.${schema}`), plain]
  return keys.map((key) => ({ key, from: plain }))
}

function overlaySource(
  source: SourceConfig,
  name: string | undefined,
  table: readonly [string, TableConfig] | undefined,
): SourceConfig {
  const [key, overlay] = table ?? []
  const own =
    Object.keys(source.tables ?? {}).find((other) => other.toLowerCase() === key?.toLowerCase()) ?? key
  return {
    ...(name !== undefined && { name }),
    ...source,
    ...(own !== undefined && {
      tables: { ...source.tables, [own]: { ...overlay, ...source.tables?.[own] } },
    }),
  }
}
