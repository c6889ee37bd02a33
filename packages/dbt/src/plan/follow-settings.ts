import { type EditedItem, lookUp, lookUpKey } from '@stagecraft/core/run'
import type { Config, SourceConfig, Table, Warning } from '@stagecraft/spec'
import { lockKey, type LockedFormerKeys, type LockedTable } from '../lock/lock.ts'
import {
  type FormerSetting,
  renameSettings,
  type RenamedTable,
  sourceKeys,
  withSource,
  withTable,
} from './named-settings.ts'
import { findRenames } from './table-drift.ts'

/** A table that the configuration may name by a former name. */
export interface NamedItem {
  readonly item: EditedItem
  readonly locked: LockedTable | undefined
  /** Returns true if a table of this name exists, which owns the settings. */
  readonly isTable: (name: string) => boolean
}

/** Settings under former names of tables and columns. */
export interface FormerSettings {
  /** The configuration with these settings under the current names of tables as well. */
  readonly config: Config
  /** The settings under former names, by the keys of their tables. */
  readonly former: ReadonlyMap<string, readonly FormerSetting[]>
  /** The tables at the time when the lock was written. */
  readonly before: readonly RenamedTable[]
  /** The current tables. */
  readonly after: readonly RenamedTable[]
}

/** Finds the settings of renamed tables and columns that the configuration still has under former names. */
export function followSettings(config: Config, items: readonly NamedItem[]): FormerSettings {
  const known = items.flatMap(({ locked, ...one }) => (locked ? [{ ...one, locked }] : []))
  const moved = known.flatMap((one) => formerTables(config, one))
  const all = moved.reduce(
    (under, { settings, source, table }) => withTable(under, source, [table, settings]),
    config,
  )
  const tableKeys = new Map(moved.map(({ setting, source, table }) => [`${source}.${table}`, setting.text]))
  const after = known.map(asNow).filter(hasFormer)
  const { found } = renameSettings(all, after, tableKeys)
  return {
    config: all,
    former: Map.groupBy([...moved.map(({ setting }) => setting), ...found], ({ key }) => key),
    before: known.map(asThen).filter(hasFormer),
    after,
  }
}

interface Known extends NamedItem {
  readonly locked: LockedTable
}

interface MovedTable {
  readonly source: string
  /** The current key of its settings. */
  readonly table: string
  readonly settings: NonNullable<SourceConfig['tables']>[string]
  readonly setting: FormerSetting
}

/** Returns the settings of a table under its former name. */
function formerTables(config: Config, { isTable, item, locked }: Known): readonly MovedTable[] {
  const { name = '' } = item.table
  return sourceKeys(config, item.table).flatMap((source) => {
    const { tables } = config.sources?.[source] ?? {}
    if (lookUp(tables, name)) return []
    const former = formerTableNames({ isTable, item, locked }).find((one) => lookUp(tables, one))
    const text = former === undefined ? undefined : lookUpKey(tables, former)
    if (text === undefined) return []
    const path = `sources.${source}.tables.${text}`
    const setting = { key: lockKey(item), table: text, path, kind: 'key', text, now: name } as const
    return [{ source, table: name, settings: tables?.[text] ?? {}, setting }]
  })
}

function formerTableNames({ isTable, item: { table }, locked: { former, item } }: Known): readonly string[] {
  const names = [item.table.name, former?.table].filter((name) => name !== undefined)
  return names.filter((name) => name.toLowerCase() !== table.name?.toLowerCase() && !isTable(name))
}

function hasFormer({ columns, former }: RenamedTable): boolean {
  return columns.size + former.length > 0
}

function asNow(known: Known): RenamedTable {
  const { item, locked } = known
  const renames = findRenames(locked.item.table, item.table)
  const namesOf = (name: string): readonly (string | undefined)[] => {
    const was = renames.get(name)
    return [was, locked.former?.columns?.[was ?? name]]
  }
  const { table } = item
  return { key: lockKey(item), table, former: formerTableNames(known), columns: byFormerName(table, namesOf) }
}

function asThen({ isTable, item, locked: { former, item: was } }: Known): RenamedTable {
  const { table } = was
  const isFormer = former?.table !== undefined && former.table !== table.name && !isTable(former.table)
  return {
    key: lockKey(item),
    table,
    former: isFormer ? [former.table] : [],
    columns: byFormerName(table, (name) => [former?.columns?.[name]]),
  }
}

/** Returns the columns of a table by former names that no column has now, in lower case. */
function byFormerName(
  { columns }: Pick<Table, 'columns'>,
  namesOf: (name: string) => readonly (string | undefined)[],
): ReadonlyMap<string, string> {
  const there = new Set(columns.map(({ name }) => name.toLowerCase()))
  return new Map(
    columns.flatMap(({ name }) =>
      namesOf(name).flatMap((former) => {
        const key = former?.toLowerCase()
        return key === undefined || there.has(key) ? [] : [[key, name] as const]
      }),
    ),
  )
}

/** Returns the configuration without the former names of tables. */
export function withoutFormerTables(config: Config, former: FormerSettings['former']): Config {
  const paths = new Set(
    [...former.values()].flat().flatMap(({ column, kind, path }) => (column || kind !== 'key' ? [] : path)),
  )
  return Object.entries(config.sources ?? {}).reduce((under, [source, settings]) => {
    const rest = Object.entries(settings.tables ?? {}).filter(
      ([table]) => !paths.has(`sources.${source}.tables.${table}`),
    )
    return withSource(under, source, {
      ...settings,
      ...(settings.tables && { tables: Object.fromEntries(rest) }),
    })
  }, config)
}

/** Returns the names to store in the lock, so that settings under former names keep applying. */
export function lockedKeys(settings: readonly FormerSetting[]): LockedFormerKeys | undefined {
  if (settings.length === 0) return undefined
  const table = settings.find((one) => one.table !== undefined)?.table
  const columns = settings.flatMap(({ column }) => (column ? [column] : []))
  return {
    ...(table !== undefined && { table }),
    ...(columns.length > 0 && { columns: Object.fromEntries(columns) }),
  }
}

/** Warns of settings under former names, which still apply but are confusing. */
export function formerKeyWarnings(settings: readonly FormerSetting[]): readonly Warning[] {
  return settings.map((setting) => ({
    code: 'CONFIG_NOT_USED',
    message: `${setting.path} in the configuration ${REMEDIES[setting.kind](setting)}`,
    ...(setting.column && { column: setting.column[0] }),
  }))
}

const REMEDIES: Readonly<Record<FormerSetting['kind'], (setting: FormerSetting) => string>> = {
  key: ({ now }) =>
    `is called ${now} in the warehouse now; its settings still apply; rename the key to ${now}`,
  value: ({ now, text }) =>
    `names ${text}, which is ${now} in the warehouse now; the setting still applies; write ${now} there`,
  several: ({ key, now }) =>
    `is called ${now} in ${key} now; the name still applies there; add the key ${now} there`,
}
