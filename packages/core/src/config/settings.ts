import { checkDialect } from './check-shape.ts'
import { type Dialect, DIALECTS } from '@stagecraft/dialects'
import {
  type Catalog,
  type CatalogTable,
  type Config,
  type DialectName,
  type GenerationOptions,
  MODEL_TYPES,
  type ModelType,
  type Naming,
  type Project,
  type SourceConfig,
  StagecraftError,
  type TableConfig,
  type TypeNaming,
  type Warning,
} from '@stagecraft/spec'
import { createVocabulary, type Vocabulary } from '../naming/tokens.ts'
import { PRESETS } from '../presets/index.ts'
import { placePreset } from '../presets/place-preset.ts'
import type { Decided, DecidedNaming, DecidedOptions, Preset } from '../presets/preset.ts'
import type { StoredName } from '../source-name.ts'
import { chooseProfile, type YamlProfile } from '../yaml/profiles.ts'
import { decideLlm } from '../edit/settings.ts'

/** The settings of a whole run. */
export interface RunSettings {
  readonly dialect: Dialect
  readonly preset: Preset
  readonly profile: YamlProfile
  readonly config: Config
  readonly project: Project | undefined
  /** The caller's defaults, which the preset and the configuration override. */
  readonly defaults: GenerationOptions
  /** Settings of tables that the configuration does not name, by source and requested options. */
  readonly shared: Map<SourceConfig, Map<string, TableSettings>>
}

/** The settings of one table of a run. */
export interface TableSettings extends RunSettings {
  readonly options: DecidedOptions
  readonly naming: DecidedNaming
  readonly vocabulary: Vocabulary
  readonly source: SourceConfig
  readonly table: TableConfig
}

interface RunSettingsInput {
  readonly dialect: Dialect
  readonly config: Config
  readonly project: Project | undefined
  readonly defaults: GenerationOptions
}

/** @throws {StagecraftError} INVALID_REQUEST for a configured dbt version that is not a version. */
export function createRunSettings({ config, defaults, dialect, project }: RunSettingsInput): RunSettings {
  return {
    dialect,
    preset: placePreset(PRESETS[config.preset ?? 'dbt-labs'], project),
    profile: chooseProfile(config.dbtVersion, project),
    config: withNewNames(config),
    project,
    defaults,
    shared: new Map(),
  }
}

/** Moves settings from their deprecated names to the current ones, which win if a file has both. */
export function withNewNames(config: Config): Config {
  const sources = mapEntries(config.sources, (source) => {
    const tables = mapEntries(source.tables, (table) => ({ ...table, ...renamed(table) }))
    return { ...source, ...renamed(source), ...(tables && { tables }) }
  })
  return { ...config, ...renamed(config), ...(sources && { sources }) }
}

function renamed({ naming }: { readonly naming?: Naming | undefined }): { readonly naming?: Naming } {
  if (naming?.kinds === undefined) return {}
  const { kinds, types = {}, ...rest } = naming
  const set = MODEL_TYPES.filter((type) => kinds[type] ?? types[type])
  const merged = set.map((type) => [type, { ...kinds[type], ...types[type] }])
  return { naming: { ...rest, types: Object.fromEntries(merged) } }
}

function mapEntries<Entry>(
  entries: Readonly<Record<string, Entry>> | undefined,
  change: (entry: Entry) => Entry,
): Readonly<Record<string, Entry>> | undefined {
  return entries && Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, change(entry)]))
}

const NOT_CONFIGURED: SourceConfig & TableConfig = {}

/** Applies the overrides of the source, the table and the request to the settings of the run. */
export function settingsFor(run: RunSettings, name: StoredName, requested: GenerationOptions): TableSettings {
  const source = sourceConfig(run.config, name)
  const table = lookUp(source.tables, name.table)
  if (table) return overlayAll(run, { source, table, requested })
  const alike = run.shared.get(source) ?? new Map<string, TableSettings>()
  run.shared.set(source, alike)
  const key = JSON.stringify(requested)
  const settings = alike.get(key) ?? overlayAll(run, { source, table: NOT_CONFIGURED, requested })
  alike.set(key, settings)
  return settings
}

interface Layers {
  readonly source: SourceConfig
  readonly table: TableConfig
  readonly requested: GenerationOptions
}

function overlayAll(run: RunSettings, { requested, source, table }: Layers): TableSettings {
  const layers = [run.config, source, table]
  const naming = layers.map((layer) => layer.naming).reduce(mergeNaming, run.preset.naming)
  const options = [...layers.map((layer) => layer.options), requested].reduce<DecidedOptions>(
    (under, over) => overlay(under, over),
    { ...run.defaults, ...run.preset.options },
  )
  return { ...run, options, naming, vocabulary: createVocabulary(naming.words), source, table }
}

/** Returns `over` if it is set, else `under`. */
function overlay<Under extends object>(
  under: Under,
  over: { readonly [Key in keyof Under]?: Under[Key] | undefined } | undefined,
): Under {
  const given = Object.entries(over ?? {}).filter(([, value]) => value !== undefined)
  return given.length === 0 ? under : { ...under, ...Object.fromEntries(given) }
}

/**
 * Returns true if the configuration leaves a table out.
 *
 * @param isSchemaNamed True if the request names its schema, but not the table.
 */
export function isExcluded(
  config: Config,
  name: StoredName,
  { isSchemaNamed }: { readonly isSchemaNamed: boolean },
): boolean {
  const { exclude, tables } = sourceConfig(config, name)
  return (exclude === true && !isSchemaNamed) || lookUp(tables, name.table)?.exclude === true
}

function sourceConfig(config: Config, name: StoredName): SourceConfig {
  const key = sourceKey(config, name)
  return (key === undefined ? undefined : config.sources?.[key]) ?? NOT_CONFIGURED
}

/** Returns the key under `sources` with the settings of a table, if there is one. */
export function sourceKey({ sources }: Config, { database, schema }: StoredName): string | undefined {
  const qualified = database === undefined ? undefined : lookUpKey(sources, `${database}.${schema ?? ''}`)
  return qualified ?? lookUpKey(sources, schema ?? '')
}

/**
 * Looks up a name: exact spelling first, then any case, because users do not always write a name as it is
 * stored.
 */
export function lookUp<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  const key = lookUpKey(record, name)
  return key === undefined ? undefined : record?.[key]
}

/** Returns the key by which `lookUp` finds a name. */
export function lookUpKey(record: object | undefined, name: string): string | undefined {
  if (!record || Object.hasOwn(record, name)) return record && name
  return Object.keys(record).find((other) => other.toLowerCase() === name.toLowerCase())
}

function mergeNaming(under: DecidedNaming, over: Naming | undefined): DecidedNaming {
  if (!over) return under
  const { glossary, patterns, renames, types, ...rest } = over
  return {
    ...overlay(under, rest),
    glossary: { ...under.glossary, ...glossary },
    renames: { ...under.renames, ...renames },
    patterns: overlay(under.patterns, patterns),
    types: mergeTypes(under.types, types),
  }
}

function mergeTypes(under: DecidedNaming['types'], over: Naming['types']): DecidedNaming['types'] {
  const merged = (type: ModelType): Decided<TypeNaming> => overlay(under[type], over?.[type])
  return { staging: merged('staging'), base: merged('base'), snapshot: merged('snapshot') }
}

/**
 * Finds schemas and tables in the configuration that do not exist, most likely because of a misspelled name.
 * Reports only within schemas that were read as a whole.
 *
 * @param isWhole True if all tables of a schema were requested.
 * @param isAll True if all schemas were requested.
 */
export function unusedConfig(
  { sources = {} }: Config,
  tables: readonly CatalogTable[],
  { isAll, isWhole }: { readonly isAll: boolean; readonly isWhole: (schema: string) => boolean },
): readonly Warning[] {
  const bySchema = Map.groupBy(tables, ({ schema = '' }) => schema.toLowerCase())
  return Object.entries(sources).flatMap(([source, config]) => {
    const schema = source.slice(source.lastIndexOf('.') + 1).toLowerCase()
    const found = bySchema.get(schema)
    if (!found)
      return isAll && !config.exclude ? [unused(`sources.${source}`, 'there is no such schema')] : []
    const hidden = hidingKeys(sources, source, found)
    if (hidden.length > 0)
      return hidden.map((key) =>
        unused(`sources.${source}`, `sources.${JSON.stringify(key)} has the settings of ${key}`),
      )
    if (!isAll && !isWhole(schema)) return []
    const names = Object.fromEntries(found.map((table) => [table.name, table]))
    return Object.entries(config.tables ?? {})
      .filter(([table, { exclude }]) => !exclude && lookUp(names, table) === undefined)
      .map(([table]) => unused(`sources.${source}.tables.${table}`, 'the schema has no such table'))
  })
}

/** Returns the keys with a database that have the settings of all tables of a schema. */
function hidingKeys(
  sources: NonNullable<Config['sources']>,
  source: string,
  tables: readonly CatalogTable[],
): readonly string[] {
  const keys = tables.map(({ database, schema }) => sourceKey({ sources }, { database, schema, table: '' }))
  return keys.includes(source) ? [] : [...new Set(keys.flatMap((key) => key ?? []))]
}

/**
 * Finds columns in the settings of a table that it does not have.
 *
 * @param path The key of the table: `sources.shop.tables.orders`.
 */
export function unusedColumns(
  { columns: configured = {}, key = [], loadedAt }: TableConfig,
  { columns }: Pick<CatalogTable, 'columns'>,
  keyOf: (...members: readonly string[]) => string,
): readonly Warning[] {
  const settings = missingColumns(Object.keys(configured), columns)
  const parts = missingColumns(key, columns)
  const times = missingColumns(loadedAt === undefined ? [] : [loadedAt], columns)
  return [
    ...settings.map((column) => unused(keyOf('columns', column), 'the table has no such column')),
    ...(parts.length > 0 ? [unused(keyOf('key'), `the table has no column ${parts.join(', ')}`)] : []),
    ...times.map((column) => unused(keyOf('loadedAt'), `the table has no column ${column}`)),
  ]
}

/** Returns the names that match no column of a table, ignoring case. */
export function missingColumns(
  names: readonly string[],
  columns: readonly { readonly name: string }[],
): readonly string[] {
  if (names.length === 0) return []
  const there = new Set(columns.map(({ name }) => name.toLowerCase()))
  return names.filter((name) => !there.has(name.toLowerCase()))
}

function unused(path: string, reason: string): Warning {
  return { code: 'CONFIG_NOT_USED', message: `${path} in the configuration has no effect: ${reason}` }
}

interface Choices<Named> {
  readonly dialect?: Named | undefined
  readonly config?: Config | undefined
}

/**
 * Returns the dialect named by the caller, the configuration or the catalog, in this order.
 *
 * @throws {StagecraftError} INVALID_REQUEST if none is named, or the name is unknown.
 */
export function chooseDialect({ config, dialect }: Choices<DialectName>, catalog?: Catalog): DialectName {
  const chosen = dialect ?? config?.dialect ?? catalog?.dialect
  if (chosen !== undefined && Object.hasOwn(DIALECTS, chosen)) return chosen
  const expected = `one of ${Object.keys(DIALECTS).join(', ')}`
  const received = chosen === undefined ? 'nothing' : JSON.stringify(chosen)
  throw StagecraftError.invalid(
    { path: 'dialect', expected, received },
    { suggestion: 'name the dialect that your dbt project uses' },
  )
}

/**
 * Returns the dialect as an object: the caller's own, or the named one.
 *
 * @throws {StagecraftError} INVALID_REQUEST if none is named, the name is unknown, or members of an object are missing.
 */
export function resolveDialect(
  { config, dialect }: Choices<DialectName | Dialect>,
  catalog?: Catalog,
): Dialect {
  if (typeof dialect !== 'object') return DIALECTS[chooseDialect({ config, dialect }, catalog)]
  checkDialect(dialect)
  return dialect
}

/** Returns the effective configuration: the settings of the user over the defaults of preset and backend. */
export function fillConfig(config: Config): Config {
  const run = createRunSettings({
    dialect: DIALECTS[config.dialect ?? 'postgres'],
    config,
    project: undefined,
    defaults: {},
  })
  const { naming, options } = settingsFor(run, { database: undefined, schema: undefined, table: '' }, {})
  const backend = config.backend && { ...decideLlm(), ...config.backend }
  return { preset: run.preset.name, ...config, options, naming, ...(backend && { backend }) }
}
