import { folderValues, type IndexedModel, type ProjectSettings } from '@stagecraft/dbt'
import type { Entry } from './properties-file.ts'

/** A configured value of a model: known, missing, or computed when dbt runs. */
export type Configured =
  | { readonly status: 'set'; readonly value: unknown }
  | { readonly status: 'unset' }
  | { readonly status: 'unknown' }

export type ConfigOf = (model: IndexedModel, key: string) => Configured

export interface ConfigSources {
  readonly settings: ProjectSettings
  /** The entry of properties that describes the model. */
  readonly entry: Entry | undefined
}

/** Returns the configuration of a model in dbt's order: its file, its version, its properties, the folders of the project. */
function configOf(model: IndexedModel, key: string, { entry, settings }: ConfigSources): Configured {
  if (key in model.config) return toConfigured(model.config[key])
  const written = [entry && versionOf(entry, model), entry]
    .map((one) => asMap(one?.get('config'))[key] ?? one?.get(key))
    .find((value) => value !== undefined)
  if (written !== undefined) return toConfigured(written)
  if (model.kind !== 'model') return { status: 'unset' }
  const found = folderValue(model, key, settings)
  return found === undefined ? { status: 'unset' } : toConfigured(found)
}

/** Returns `configOf` that remembers its answers, because most rules ask for the same. */
export function rememberedConfig(sourcesOf: (model: IndexedModel) => ConfigSources): ConfigOf {
  const known = new Map<IndexedModel, Map<string, Configured>>()
  return (model, key) => {
    const own = known.get(model) ?? new Map<string, Configured>()
    known.set(model, own)
    const value = own.get(key) ?? configOf(model, key, sourcesOf(model))
    own.set(key, value)
    return value
  }
}

/** Returns the entry of the version of a model, in the entry of the model; undefined if it has no versions. */
export function versionOf(entry: Entry, { version }: IndexedModel): Entry | undefined {
  return version === undefined ? undefined : entry.entries('versions').find(({ name }) => name === version)
}

function toConfigured(value: unknown): Configured {
  const isWorkedOut = value === undefined || (typeof value === 'string' && value.includes('{{'))
  return isWorkedOut ? { status: 'unknown' } : { status: 'set', value }
}

/** Returns the value of the innermost folder below `models:` in `dbt_project.yml` that sets it. */
function folderValue(model: IndexedModel, key: string, settings: ProjectSettings): unknown {
  return folderValues(model, key, settings).at(-1)
}

export function asMap(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}
}
