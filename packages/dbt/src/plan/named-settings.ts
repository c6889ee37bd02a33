import { lookUpKey } from '@stagecraft/core/run'
import type { Config, Naming, SourceConfig, Table, TableConfig } from '@stagecraft/spec'

/** A table whose name or column names the configuration may have in former spelling. */
export interface RenamedTable {
  /** Its key in the lock. */
  readonly key: string
  readonly table: Pick<Table, 'database' | 'schema' | 'name'>
  /** Its former names that no other table has. */
  readonly former: readonly string[]
  /** The current names of columns, by former name, in lower case. */
  readonly columns: ReadonlyMap<string, string>
}

/** A setting with a former name. */
export interface FormerSetting {
  /** The key in the lock of the table, or of the table of the column. */
  readonly key: string
  /** The former name of the table, if the setting has it. */
  readonly table?: string
  /** The current name of the column, and the former one in the setting. */
  readonly column?: readonly [now: string, former: string]
  /** The place of the setting: `sources.shop.tables.orders.key`. */
  readonly path: string
  /** A `key` with its own settings, a `value`, or a key that applies to `several` tables. */
  readonly kind: 'key' | 'value' | 'several'
  /** The current text of the setting. */
  readonly text: string
  /** The text that it should have. */
  readonly now: string
}

export interface Renamed<Settings> {
  readonly settings: Settings
  readonly found: readonly FormerSetting[]
}

/**
 * Returns a configuration whose settings use current column names, and the settings that had former ones. Settings of
 * a table are under its current name, and are printed under `tableKeys`.
 */
export function renameSettings(
  config: Config,
  tables: readonly RenamedTable[],
  tableKeys: ReadonlyMap<string, string> = new Map(),
): Renamed<Config> {
  const start = { settings: config, found: [] }
  return tables
    .filter(({ columns }) => columns.size > 0)
    .flatMap((table) => sourceKeys(config, table.table).map((source) => ({ source, table })))
    .reduce<Renamed<Config>>(
      (under, { source, table }) => renameOwn(under, { source, table, tableKeys }),
      tables.length === 0 ? start : renameReferences(start, tables, tableKeys),
    )
}

/** Returns the keys of a table's settings in the configuration. */
export function sourceKeys(
  { sources }: Config,
  { database, schema = '' }: RenamedTable['table'],
): readonly string[] {
  const names = [...(database === undefined ? [] : [`${database}.${schema}`]), schema]
  return names.flatMap((name) => lookUpKey(sources, name) ?? [])
}

interface OwnSettings {
  readonly source: string
  readonly table: RenamedTable
  readonly tableKeys: ReadonlyMap<string, string>
}

/** Renames the settings of one table. */
function renameOwn(
  { found, settings }: Renamed<Config>,
  { source, table, tableKeys }: OwnSettings,
): Renamed<Config> {
  const { name = '' } = table.table
  const of = settings.sources?.[source]
  const key = lookUpKey(of?.tables, name) ?? name
  const place = { table, path: `sources.${source}.tables.${tableKeys.get(`${source}.${key}`) ?? key}` }
  const own = renameInTable(of?.tables?.[key] ?? {}, place)
  const shared = renameShared(own.settings, table, [
    ['naming', settings.naming],
    [`sources.${source}.naming`, of?.naming],
  ])
  const changes = [...own.found, ...shared.found]
  if (changes.length === 0) return { found, settings }
  return { settings: withTable(settings, source, [key, shared.settings]), found: [...found, ...changes] }
}

interface Place {
  readonly table: RenamedTable
  readonly path: string
}

function renameInTable(settings: TableConfig, { path, table }: Place): Renamed<TableConfig> {
  const { columns, key, loadedAt, naming } = settings
  const below = (member: string): Place => ({ table, path: `${path}.${member}` })
  const own = renameKeys(columns, below('columns'))
  const renames = renameKeys(naming?.renames, below('naming.renames'))
  const parts = key?.map((name) => renameValue(name, below('key')))
  const time = loadedAt === undefined ? undefined : renameValue(loadedAt, below('loadedAt'))
  return {
    settings: {
      ...settings,
      ...(own && { columns: own.settings }),
      ...(parts && { key: parts.map((part) => part.settings) }),
      ...(time && { loadedAt: time.settings }),
      ...(renames && { naming: { ...naming, renames: renames.settings } }),
    },
    found: [own, renames, ...(parts ?? []), time].flatMap((one) => one?.found ?? []),
  }
}

/**
 * Renames keys that are columns, or fields of columns (`address.city`), unless the current name already has settings.
 */
function renameKeys<Setting>(
  settings: Readonly<Record<string, Setting>> | undefined,
  place: Place,
): Renamed<Readonly<Record<string, Setting>>> | undefined {
  if (!settings) return undefined
  const renamed = Object.entries(settings).map(([text, setting]) => {
    const [column = '', ...fields] = text.split('.')
    const whole = nowOf(text, place.table)
    const root = whole === undefined ? nowOf(column, place.table) : undefined
    const now = whole ?? (root === undefined ? undefined : [root, ...fields].join('.'))
    if (now === undefined || lookUpKey(settings, now) !== undefined)
      return { settings: [text, setting] as const, found: [] }
    const former = [root ?? now, root === undefined ? text : column] as const
    return {
      settings: [now, setting] as const,
      found: [
        {
          key: place.table.key,
          column: former,
          path: `${place.path}.${text}`,
          kind: 'key' as const,
          text,
          now,
        },
      ],
    }
  })
  return {
    settings: Object.fromEntries(renamed.map((one) => one.settings)),
    found: renamed.flatMap((one) => one.found),
  }
}

function renameValue(text: string, { path, table }: Place): Renamed<string> {
  const now = nowOf(text, table)
  if (now === undefined) return { settings: text, found: [] }
  return { settings: now, found: [{ key: table.key, column: [now, text], path, kind: 'value', text, now }] }
}

function nowOf(name: string, { columns }: RenamedTable): string | undefined {
  return columns.get(name.toLowerCase())
}

/** Names that apply to several tables stay for columns of other tables, if only one table's column was renamed. */
function renameShared(
  settings: TableConfig,
  table: RenamedTable,
  layers: readonly (readonly [path: string, naming: Naming | undefined])[],
): Renamed<TableConfig> {
  const all = Object.assign(
    {},
    ...layers.map(([, naming]) => naming?.renames),
    settings.naming?.renames,
  ) as object
  const found = layers.flatMap(([path, naming]) =>
    Object.entries(naming?.renames ?? {}).flatMap(([text, name]) => {
      const now = nowOf(text, table)
      if (now === undefined || lookUpKey(all, now) !== undefined) return []
      const setting = {
        key: table.key,
        column: [now, text],
        path: `${path}.renames.${text}`,
        text,
        now,
      } as const
      return [{ name, setting: { ...setting, kind: 'several' as const } }]
    }),
  )
  if (found.length === 0) return { settings, found: [] }
  const renames = Object.fromEntries(found.map(({ name, setting }) => [setting.now, name]))
  return {
    settings: {
      ...settings,
      naming: { ...settings.naming, renames: { ...renames, ...settings.naming?.renames } },
    },
    found: found.map(({ setting }) => setting),
  }
}

/** Renames references to columns of any table. */
function renameReferences(
  { found, settings: config }: Renamed<Config>,
  tables: readonly RenamedTable[],
  tableKeys: ReadonlyMap<string, string>,
): Renamed<Config> {
  const changes = Object.entries(config.sources ?? {}).flatMap(([source, { tables: own }]) =>
    Object.entries(own ?? {}).flatMap(([table, { columns }]) =>
      Object.entries(columns ?? {}).flatMap(([column, { references }]) => {
        const renamed = references === undefined ? undefined : renameReference(references, source, tables)
        const key = tableKeys.get(`${source}.${table}`) ?? table
        const path = `sources.${source}.tables.${key}.columns.${column}.references`
        return renamed ? [{ source, table, column, setting: { ...renamed, path } }] : []
      }),
    ),
  )
  const settings = changes.reduce((under, { column, setting, source, table }) => {
    const own = under.sources?.[source]?.tables?.[table]
    const columns = { ...own?.columns, [column]: { ...own?.columns?.[column], references: setting.now } }
    return withTable(under, source, [table, { ...own, columns }])
  }, config)
  return { settings, found: [...found, ...changes.map(({ setting }) => setting)] }
}

/** Resolves `customers.id` and `shop.customers.id`, from a table of the source. */
function renameReference(
  text: string,
  source: string,
  tables: readonly RenamedTable[],
): Omit<FormerSetting, 'path'> | undefined {
  const path = text.split('.')
  const [ownDatabase, ownSchema] = source.includes('.') ? source.split('.', 2) : [undefined, source]
  const [column = '', name = '', schema = ownSchema, database = ownDatabase] = path.toReversed()
  const place = { database, schema, name }
  const parent = tables.find((one) => isAt(one, place)) ?? tables.find((one) => wasAt(one, place))
  if (!parent) return undefined
  const former = wasAt(parent, place) && !isAt(parent, place) ? name : undefined
  const renamed = nowOf(column, parent)
  if (former === undefined && renamed === undefined) return undefined
  const now = [
    ...path.slice(0, -2),
    former === undefined ? name : (parent.table.name ?? ''),
    renamed ?? column,
  ]
  return {
    key: parent.key,
    ...(former !== undefined && { table: former }),
    ...(renamed !== undefined && { column: [renamed, column] }),
    kind: 'value',
    text,
    now: now.join('.'),
  }
}

type Where = RenamedTable['table']

function isAt({ table }: RenamedTable, place: Where): boolean {
  const isAlike = (a: string | undefined, b: string | undefined): boolean =>
    a?.toLowerCase() === b?.toLowerCase()
  const { database = table.database, name, schema = table.schema } = place
  return (
    isAlike(table.name, name) &&
    isAlike(table.schema, schema) &&
    isAlike(table.database ?? database, database)
  )
}

function wasAt(one: RenamedTable, place: Where): boolean {
  return one.former.some((name) => isAt({ ...one, table: { ...one.table, name } }, place))
}

/** Returns the configuration with other settings for a table. */
export function withTable(
  config: Config,
  source: string,
  [key, table]: readonly [string, TableConfig],
): Config {
  const own = config.sources?.[source]
  return withSource(config, source, { ...own, tables: { ...own?.tables, [key]: table } })
}

/** Returns the configuration with other settings for a source. */
export function withSource(config: Config, source: string, settings: SourceConfig): Config {
  return { ...config, sources: { ...config.sources, [source]: settings } }
}
