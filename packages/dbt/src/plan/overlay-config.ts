import { plainName } from '@stagecraft/core/run'
import type { Config, SourceConfig, Table, TableConfig } from '@stagecraft/spec'
import type { Lock } from '../lock/lock.ts'
import { findReaders, findSource, mayStage, type ProjectView } from './project-view.ts'

/** A table to generate for, with its model's name if the project decides it. */
export interface TableToPlan {
  readonly table: Table & { readonly name: string }
  /** The model that a person moved or wrote. @default the configured name */
  readonly model?: string | undefined
  /** True if the model exists, so its name overrides the configuration. @default the configuration counts */
  readonly isThere?: boolean
  /** True if the project enforces a contract of the model, which needs the types of its columns. @default false */
  readonly hasContract?: boolean
  /** Names of other tables that differ only in case, so only exact matches apply to this table. @default none */
  readonly twins?: readonly string[]
  /** The table's name in dbt, if nothing declares it. @default the configured name */
  readonly name?: string | undefined
}

/**
 * Adds decisions of the project to the configuration: names of declared sources and tables, and of models. Existing
 * settings stay.
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
  /** The followed tables with the names of their models. @default none */
  readonly lock?: Lock
  /** Returns true if the names of a declared table are needed. */
  readonly isRead: (schema: string, table: string) => boolean
}

/** Adds the names of all declared sources and tables, and of the models that read them, to the configuration. */
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
        const readers = findReaders(project, { source, table: name })
          .filter((model) => model.name === known?.model.name || mayStage(model))
          .map((model) => model.name)
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
  const { hasContract = false, isThere = false, model, table, twins = [] } = given
  const found = findSource(project, table)
  const isOwn = twins.length === 0 || found?.table?.identifier === table.name
  const known = (isOwn ? found?.table?.name : undefined) ?? given.name
  // without the configuration, a table is called by its plain name
  const name = known !== plainName(table.name) || twins.length > 0 ? known : undefined
  const own = { ...(name !== undefined && { name }), ...(model !== undefined && { model }) }
  const hasOwn = Object.keys(own).length > 0 || twins.length > 0 || hasContract
  if (table.schema === undefined || (!found && !hasOwn)) return sources
  const kept = isThere && model !== undefined ? { model } : {}
  const overlay = hasOwn ? { table: table.name, own, kept, twins, hasContract } : undefined
  const changed = keysOf(sources, table).map(({ from, key }): readonly [string, SourceConfig] => [
    key,
    overlaySource(sources[key] ?? sources[from] ?? {}, found?.source.name, overlay),
  ])
  return { ...sources, ...Object.fromEntries(changed) }
}

interface OverlayKey {
  readonly key: string
  /** The key with its present settings. */
  readonly from: string
}

/** The lookup keys of the configuration in their spelling there; the one with the database comes first. */
function keysOf(sources: Sources, { database, schema = '' }: Table): readonly OverlayKey[] {
  const spelled = (key: string): string =>
    Object.keys(sources).find((other) => other.toLowerCase() === key.toLowerCase()) ?? key
  const plain = spelled(schema)
  const keys = database === undefined ? [plain] : [spelled(`${database}.${schema}`), plain]
  return keys.map((key) => ({ key, from: plain }))
}

interface TableOverlay extends Required<Pick<TableToPlan, 'hasContract'>> {
  readonly table: string
  /** Names to use if the configuration has none. */
  readonly own: TableConfig
  /** Names that replace those of the configuration. */
  readonly kept: TableConfig
  /** Names whose settings belong to other tables. */
  readonly twins: readonly string[]
}

function overlaySource(
  source: SourceConfig,
  name: string | undefined,
  overlay: TableOverlay | undefined,
): SourceConfig {
  const tables = source.tables ?? {}
  const from = overlay && keyIn(tables, overlay)
  const own = overlay && (overlay.twins.length > 0 ? overlay.table : (from ?? overlay.table))
  const settings = own === undefined ? undefined : tables[from ?? own]
  const types = overlay?.hasContract ? { options: { dataTypes: true, ...settings?.options } } : {}
  return {
    ...(name !== undefined && { name }),
    ...source,
    ...(own !== undefined && {
      tables: { ...tables, [own]: { ...overlay?.own, ...settings, ...overlay?.kept, ...types } },
    }),
  }
}

/** Returns the key with the settings of a table: an exact match, otherwise ignoring case. */
function keyIn(
  tables: NonNullable<SourceConfig['tables']>,
  { table, twins }: TableOverlay,
): string | undefined {
  if (Object.hasOwn(tables, table)) return table
  return Object.keys(tables).find(
    (other) => other.toLowerCase() === table.toLowerCase() && !twins.includes(other),
  )
}
