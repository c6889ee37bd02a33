import type { Config, SourceConfig, Table, TableConfig } from '@stagecraft/spec'
import type { Lock } from '../lock/lock.ts'
import { findReaders, findSource, type ProjectView } from './project-view.ts'

/** A table to generate for, with the name of its model where the project decided it. */
export interface TableToPlan {
  readonly table: Table & { readonly name: string }
  /** The model that a person moved or wrote. @default the name that configuration gives */
  readonly model?: string | undefined
  /** The model is there, so that its name counts whatever the configuration says. @default the configuration counts */
  readonly isThere?: boolean
  /** The name that dbt knows the table by, where nothing declares it. @default the name that configuration gives */
  readonly name?: string | undefined
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

export interface DeclaredNames {
  readonly project: ProjectView
  /** The tables that are followed, with the names of their models. @default none are */
  readonly lock?: Lock
  /** Tells of a declared table whether its names are needed. */
  readonly isRead: (schema: string, table: string) => boolean
}

/** Adds to the configuration the names of all sources and tables that a project declares, and of the models that read them. */
export function withDeclaredNames(
  config: Config,
  { isRead, lock = new Map(), project }: DeclaredNames,
): Config {
  const followed = [...lock.values()]
  const tables = project.sources.flatMap(({ database, name: source, schema, tables }) =>
    tables
      .filter(({ identifier }) => schema !== undefined && isRead(schema, identifier))
      .map(({ identifier, name }): TableToPlan => {
        const known = followed.find((one) => one.source?.name === source && one.source.table === name)
        const readers = findReaders(project, { source, table: name }).map((model) => model.name)
        const isSure = readers.length === 1 || readers.includes(known?.model.name ?? '')
        const model = readers.find((reader) => reader === known?.model.name) ?? readers[0]
        return {
          table: { database, schema, name: identifier, columns: [] },
          model: isSure ? model : undefined,
        }
      }),
  )
  return overlayConfig(config, project, tables)
}

type Sources = NonNullable<Config['sources']>

function overlayTable(sources: Sources, project: ProjectView, given: TableToPlan): Sources {
  const { isThere = false, model, table } = given
  const found = findSource(project, table)
  const known = found?.table?.name ?? given.name
  const name = known !== table.name ? known : undefined
  const own = { ...(name !== undefined && { name }), ...(model !== undefined && { model }) }
  const hasOwn = Object.keys(own).length > 0
  if (table.schema === undefined || (!found && !hasOwn)) return sources
  const kept = isThere && model !== undefined ? { model } : {}
  const overlay = hasOwn ? { table: table.name, own, kept } : undefined
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

interface TableOverlay {
  readonly table: string
  /** Names where the configuration has none. */
  readonly own: TableConfig
  /** Names in the place of those of the configuration. */
  readonly kept: TableConfig
}

function overlaySource(
  source: SourceConfig,
  name: string | undefined,
  overlay: TableOverlay | undefined,
): SourceConfig {
  const key = overlay?.table
  const own =
    Object.keys(source.tables ?? {}).find((other) => other.toLowerCase() === key?.toLowerCase()) ?? key
  return {
    ...(name !== undefined && { name }),
    ...source,
    ...(own !== undefined && {
      tables: { ...source.tables, [own]: { ...overlay?.own, ...source.tables?.[own], ...overlay?.kept } },
    }),
  }
}
