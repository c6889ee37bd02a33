import type { IndexedModel, ProjectSettings } from '@stagecraft/dbt'
import type { Entry } from './properties-file.ts'

/** The configuration of a model: a value, nothing, or something that is worked out when dbt runs. */
export type Configured =
  | { readonly status: 'set'; readonly value: unknown }
  | { readonly status: 'unset' }
  | { readonly status: 'unknown' }

export interface ConfigSources {
  readonly settings: ProjectSettings
  /** The entry of properties that describes the model. */
  readonly entry: Entry | undefined
}

/** Returns the configuration of a model in the order in which dbt looks: its file, its properties, the folders of the project. */
export function configOf(model: IndexedModel, key: string, { entry, settings }: ConfigSources): Configured {
  if (key in model.config) return toConfigured(model.config[key])
  const properties = asMap(entry?.get('config'))
  const written = properties[key] ?? entry?.get(key)
  if (written !== undefined) return toConfigured(written)
  if (model.kind !== 'model') return { status: 'unset' }
  const found = folderValue(model, key, settings)
  return found === undefined ? { status: 'unset' } : toConfigured(found)
}

function toConfigured(value: unknown): Configured {
  const isWorkedOut = value === undefined || (typeof value === 'string' && value.includes('{{'))
  return isWorkedOut ? { status: 'unknown' } : { status: 'set', value }
}

/** The value of the innermost folder of `models:` in `dbt_project.yml` that sets it. */
function folderValue(model: IndexedModel, key: string, settings: ProjectSettings): unknown {
  const root =
    settings.modelPaths.find((folder) => folder === '' || model.path.startsWith(`${folder}/`)) ?? ''
  const inner = root === '' ? model.path : model.path.slice(root.length + 1)
  const steps = [settings.name, ...inner.replace(/\.[^./]+$/, '').split('/')]
  let level: Readonly<Record<string, unknown>> = settings.models
  let value = level[`+${key}`] ?? scalar(level[key])
  for (const step of steps) {
    level = asMap(level[step])
    value = level[`+${key}`] ?? scalar(level[key]) ?? value
  }
  return value
}

/** A key without a plus is a folder when its value is a map. */
function scalar(value: unknown): unknown {
  return typeof value === 'object' ? undefined : value
}

export function asMap(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}
}
