import type { Dialect } from '@stagecraft/dialects'
import type {
  Config,
  GenerationOptions,
  KindNaming,
  ModelKind,
  Naming,
  Project,
  SourceConfig,
  TableConfig,
} from '@stagecraft/spec'
import { createVocabulary, type Vocabulary } from '../naming/tokens.ts'
import { PRESETS } from '../presets/index.ts'
import type { Decided, DecidedNaming, DecidedOptions, Preset } from '../presets/preset.ts'
import type { StoredName } from '../source-name/stored-name.ts'
import { chooseProfile } from '../yaml/choose-profile.ts'
import type { YamlProfile } from '../yaml/profiles.ts'

/** The settings of a whole run. */
export interface RunSettings {
  readonly dialect: Dialect
  readonly preset: Preset
  readonly profile: YamlProfile
  readonly config: Config
  readonly project: Project | undefined
  /** Options below preset and configuration: the shell's own defaults. */
  readonly defaults: GenerationOptions
  /** Settings of tables that the configuration does not name, by their source and the options asked for. */
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

export interface RunSettingsInput {
  readonly dialect: Dialect
  readonly config: Config
  readonly project: Project | undefined
  readonly defaults: GenerationOptions
}

/** @throws {StagecraftError} INVALID_REQUEST for a configured dbt version that is not a version. */
export function createRunSettings({ config, defaults, dialect, project }: RunSettingsInput): RunSettings {
  return {
    dialect,
    preset: PRESETS[config.preset ?? 'dbt-labs'],
    profile: chooseProfile(config.dbtVersion, project),
    config,
    project,
    defaults,
    shared: new Map(),
  }
}

const NOT_CONFIGURED: SourceConfig & TableConfig = {}

/** Lays the overrides of the table's source, of the table and of the request over the run's settings. */
export function settingsFor(run: RunSettings, name: StoredName, asked: GenerationOptions): TableSettings {
  const source = sourceConfig(run.config, name)
  const table = lookUp(source.tables, name.table)
  if (table) return overlayAll(run, { source, table, asked })
  const alike = run.shared.get(source) ?? new Map<string, TableSettings>()
  run.shared.set(source, alike)
  const key = JSON.stringify(asked)
  const settings = alike.get(key) ?? overlayAll(run, { source, table: NOT_CONFIGURED, asked })
  alike.set(key, settings)
  return settings
}

interface Layers {
  readonly source: SourceConfig
  readonly table: TableConfig
  readonly asked: GenerationOptions
}

function overlayAll(run: RunSettings, { asked, source, table }: Layers): TableSettings {
  const layers = [run.config, source, table]
  const naming = layers.map((layer) => layer.naming).reduce(mergeNaming, run.preset.naming)
  const options = [...layers.map((layer) => layer.options), asked].reduce<DecidedOptions>(
    (under, over) => overlay(under, over),
    { ...run.defaults, ...run.preset.options },
  )
  return { ...run, options, naming, vocabulary: createVocabulary(naming.words), source, table }
}

/** `over` where it says something, else `under`. */
function overlay<Under extends object>(
  under: Under,
  over: { readonly [Key in keyof Under]?: Under[Key] | undefined } | undefined,
): Under {
  const said = Object.entries(over ?? {}).filter(([, value]) => value !== undefined)
  return said.length === 0 ? under : { ...under, ...Object.fromEntries(said) }
}

/**
 * Returns true if the configuration leaves a table out.
 *
 * @param isSchemaNamed Somebody asked for its schema, though not for the table.
 */
export function isExcluded(
  config: Config,
  name: StoredName,
  { isSchemaNamed }: { readonly isSchemaNamed: boolean },
): boolean {
  const { exclude, tables } = sourceConfig(config, name)
  return (exclude === true && !isSchemaNamed) || lookUp(tables, name.table)?.exclude === true
}

function sourceConfig(config: Config, { database, schema }: StoredName): SourceConfig {
  const qualified = database === undefined ? undefined : lookUp(config.sources, `${database}.${schema ?? ''}`)
  return qualified ?? lookUp(config.sources, schema ?? '') ?? NOT_CONFIGURED
}

/** Exact spelling first, then any case: users write names as they type them. */
export function lookUp<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  if (!record) return undefined
  if (Object.hasOwn(record, name)) return record[name]
  const key = Object.keys(record).find((other) => other.toLowerCase() === name.toLowerCase())
  return key === undefined ? undefined : record[key]
}

function mergeNaming(under: DecidedNaming, over: Naming | undefined): DecidedNaming {
  if (!over) return under
  const { glossary, kinds, renames, ...rest } = over
  return {
    ...overlay(under, rest),
    glossary: { ...under.glossary, ...glossary },
    renames: { ...under.renames, ...renames },
    kinds: mergeKinds(under.kinds, kinds),
  }
}

function mergeKinds(under: DecidedNaming['kinds'], over: Naming['kinds']): DecidedNaming['kinds'] {
  const merged = (kind: ModelKind): Decided<KindNaming> => overlay(under[kind], over?.[kind])
  return { staging: merged('staging'), base: merged('base'), snapshot: merged('snapshot') }
}
