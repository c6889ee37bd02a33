import { type EditedItem, lookUp, lookUpKey } from '@stagecraft/core/run'
import type { ColumnConfig, Config, SourceConfig, Table, TableConfig, Warning } from '@stagecraft/spec'
import type { LockedFormerKeys, LockedTable } from '../lock/lock.ts'
import { findRenames } from './table-drift.ts'

/** Settings of a table that the configuration has under names which it and its columns no longer have. */
export interface FormerKeys {
  /** The key below `sources`. */
  readonly source: string
  /** The key of the table; undefined when it stands under its name of now. */
  readonly table: string | undefined
  /** Keys of columns, by the names of now. */
  readonly columns: ReadonlyMap<string, string>
}

export interface FormerKeysInput {
  readonly config: Config
  readonly locked: LockedTable | undefined
  /** Tells whether a table of this name is there, whose settings are its own. */
  readonly isTable: (name: string) => boolean
}

/** Finds the settings of a table that was renamed, or whose columns were, and of which the configuration does not say so yet. */
export function formerKeys(
  { table }: Pick<EditedItem, 'table'>,
  { config, isTable, locked }: FormerKeysInput,
): readonly FormerKeys[] {
  if (!locked) return []
  return sourceKeys(config, table).flatMap((source): readonly FormerKeys[] => {
    const { tables } = config.sources?.[source] ?? {}
    const key = formerTableKey(tables, { table, locked, isTable })
    const settings = key === undefined ? lookUp(tables, table.name ?? '') : tables?.[key]
    const columns = formerColumnKeys(settings?.columns, table, locked)
    return key === undefined && columns.size === 0 ? [] : [{ source, table: key, columns }]
  })
}

/** The keys below which the configuration may have settings of a table. */
function sourceKeys({ sources }: Config, { database, schema = '' }: Table): readonly string[] {
  const names = [...(database === undefined ? [] : [`${database}.${schema}`]), schema]
  return names.flatMap((name) => lookUpKey(sources, name) ?? [])
}

function formerTableKey(
  tables: SourceConfig['tables'],
  { isTable, locked, table }: Pick<FormerKeysInput, 'isTable'> & { locked: LockedTable; table: Table },
): string | undefined {
  if (lookUp(tables, table.name ?? '')) return undefined
  const names = [locked.item.table.name, locked.former?.table].filter((name) => name !== undefined)
  const former = names.find((name) => lookUp(tables, name) && !isTable(name))
  return former === undefined ? undefined : lookUpKey(tables, former)
}

function formerColumnKeys(
  settings: TableConfig['columns'],
  { columns }: Table,
  { former, item }: LockedTable,
): ReadonlyMap<string, string> {
  if (!settings) return new Map()
  const renames = findRenames(item.table, { columns })
  const there = new Set(columns.map(({ name }) => name.toLowerCase()))
  return new Map(
    columns.flatMap(({ name }): readonly (readonly [string, string])[] => {
      const was = renames.get(name)
      const names = [was, former?.columns?.[was ?? name]].filter((one) => one !== undefined)
      if (lookUp(settings, name)) return []
      const found = names.find((one) => lookUp(settings, one) && !there.has(one.toLowerCase()))
      const key = found === undefined ? undefined : lookUpKey(settings, found)
      return key === undefined ? [] : [[name, key]]
    }),
  )
}

/** Returns the configuration with settings under the names of now too. */
export function withFormerKeys(config: Config, { name = '' }: Table, keys: readonly FormerKeys[]): Config {
  return keys.reduce((under, { columns, source, table }) => {
    const { tables } = under.sources?.[source] ?? {}
    const key = lookUpKey(tables, table ?? name)
    const settings = key === undefined ? undefined : tables?.[key]
    const moved = [...columns].map(([now, former]) => [now, settings?.columns?.[former] ?? {}] as const)
    const own = {
      ...settings,
      ...(moved.length > 0 && { columns: { ...settings?.columns, ...entries(moved) } }),
    }
    return withTable(under, source, [table === undefined ? (key ?? name) : name, own])
  }, config)
}

/** Returns the configuration without the former names of columns, of which nothing is to be said but how they are called now. */
export function withoutFormerKeys(config: Config, { name = '' }: Table, keys: readonly FormerKeys[]): Config {
  return keys.reduce((under, { columns, source }) => {
    const { tables } = under.sources?.[source] ?? {}
    const key = lookUpKey(tables, name) ?? name
    const former = new Set(columns.values())
    const rest = Object.entries(tables?.[key]?.columns ?? {}).filter(([column]) => !former.has(column))
    return former.size === 0
      ? under
      : withTable(under, source, [key, { ...tables?.[key], columns: entries(rest) }])
  }, config)
}

function entries(pairs: readonly (readonly [string, ColumnConfig])[]): Record<string, ColumnConfig> {
  return Object.fromEntries(pairs)
}

function withTable(config: Config, source: string, [key, table]: readonly [string, TableConfig]): Config {
  const own = config.sources?.[source]
  return withSource(config, source, { ...own, tables: { ...own?.tables, [key]: table } })
}

function withSource(config: Config, source: string, settings: SourceConfig): Config {
  return { ...config, sources: { ...config.sources, [source]: settings } }
}

/** Returns the configuration without the former name of a table. */
export function withoutFormerTable(config: Config, keys: readonly FormerKeys[]): Config {
  return keys.reduce((under, { source, table }) => {
    const own = under.sources?.[source]
    const rest = Object.entries(own?.tables ?? {}).filter(([key]) => key !== table)
    return withSource(under, source, { ...own, tables: Object.fromEntries(rest) })
  }, config)
}

/** Returns what the lock has to know, so that settings hold as long as they stand under former names. */
export function lockedKeys(keys: readonly FormerKeys[]): LockedFormerKeys | undefined {
  if (keys.length === 0) return undefined
  const table = keys.find((one) => one.table !== undefined)?.table
  const columns = keys.flatMap((one) => [...one.columns])
  return {
    ...(table !== undefined && { table }),
    ...(columns.length > 0 && { columns: Object.fromEntries(columns) }),
  }
}

/** Warns of settings under former names: they hold, and nobody who reads them knows what for. */
export function formerKeyWarnings({ name = '' }: Table, keys: readonly FormerKeys[]): readonly Warning[] {
  return keys.flatMap(({ columns, source, table }) => {
    const path = `sources.${source}.tables`
    const tables = table === undefined ? [] : [renameKey(`${path}.${table}`, name)]
    return [
      ...tables,
      ...[...columns].map(([now, former]) =>
        renameKey(`${path}.${table ?? name}.columns.${former}`, now, now),
      ),
    ]
  })
}

function renameKey(path: string, now: string, column?: string): Warning {
  const message = `${path} in the configuration is called ${now} in the warehouse now, so that its settings hold for that; rename the key to ${now}`
  return { code: 'CONFIG_NOT_USED', message, ...(column !== undefined && { column }) }
}
