import type { EvidenceKind, GenerationOptions } from '@stagecraft/spec'
import { PRESETS } from '../presets/index.ts'
import { lookUpKey, type TableSettings } from '../config/settings.ts'
import type { StoredName } from '../source-name.ts'

/** A setting of `stagecraft.yml`: `options.casts`, `naming.types.staging.model`. */
type SettingPath = readonly [group: 'options' | 'naming', ...members: readonly string[]]

/** The value of a setting for a table, and where it was set. */
export interface Setting {
  /** `naming.ids is true, by the preset dbt-labs`. */
  readonly text: string
  readonly evidence: Extract<EvidenceKind, 'configuration' | 'convention'>
  /** The key that sets it, or the one that would set it for all tables. */
  readonly key: string
  /** True if it is set, and not false. */
  readonly isOn: boolean
}

/** A table with its effective settings. */
interface Configured {
  readonly name: StoredName
  readonly settings: TableSettings
  /** The request. */
  readonly item: { readonly options: GenerationOptions }
}

/** Finds the keys of `stagecraft.yml` that apply to a table, and the origin of its settings. */
export class SettingsOf {
  readonly #subject: Configured

  constructor(subject: Configured) {
    this.#subject = subject
  }

  /** The key of a member of the source: `sources.stripe.name`. */
  source(...members: readonly string[]): string {
    return printKey(['sources', this.#sourceKey(), ...members])
  }

  /** The key of a member of the table: `sources.stripe.tables.payments.key`. */
  table(...members: readonly string[]): string {
    const { name, settings } = this.#subject
    const table = lookUpKey(settings.source.tables, name.table) ?? name.table
    return this.source('tables', table, ...members)
  }

  /** The key of a member of a column: `sources.stripe.tables.payments.columns.id.name`. */
  column(stored: string, ...members: readonly string[]): string {
    const column = lookUpKey(this.#subject.settings.table.columns, stored) ?? stored
    return this.table('columns', column, ...members)
  }

  /**
   * Looks a setting up by precedence: request, table, source, file, preset, the caller's defaults.
   */
  setting(...path: SettingPath): Setting {
    const { item, settings } = this.#subject
    const name = path.join('.')
    const describe = (value: unknown, origin: string): Pick<Setting, 'text' | 'isOn'> => ({
      text: `${name} is ${typeof value === 'string' ? value : JSON.stringify(value)}, ${origin}`,
      isOn: value !== false && value !== NOT_SET,
    })
    const asked = valueAt({ options: item.options }, path)
    if (asked !== undefined)
      return { ...describe(asked, 'as requested'), evidence: 'configuration', key: name }
    const layers = [
      [this.table(...path), settings.table],
      [this.source(...path), settings.source],
      [name, settings.config],
    ] as const
    for (const [key, layer] of layers) {
      const value = valueAt(layer, path)
      if (value !== undefined)
        return { ...describe(value, `by ${key} in stagecraft.yml`), evidence: 'configuration', key }
    }
    const preset = valueAt(settings.preset, path)
    const value = preset ?? valueAt({ options: settings.defaults }, path)
    const isPlaced = preset !== valueAt(PRESETS[settings.preset.name], path)
    const by = `by the preset ${settings.preset.name}${isPlaced ? ', in a folder that dbt_project.yml names' : ''}`
    const origin = preset === undefined ? 'by default' : by
    return { ...describe(value ?? NOT_SET, origin), evidence: 'convention', key: name }
  }

  /** The key of `naming.renames` that names a column exactly: `naming.renames.cust_no`. */
  rename(stored: string): string {
    const { config, source, table } = this.#subject.settings
    const layers = [
      [table, (key: string) => this.table('naming', 'renames', key)],
      [source, (key: string) => this.source('naming', 'renames', key)],
      [config, (key: string) => printKey(['naming', 'renames', key])],
    ] as const
    for (const [{ naming }, print] of layers) {
      const key = lookUpKey(naming?.renames, stored)
      if (key !== undefined) return print(key)
    }
    return this.setting('naming', 'renames').key
  }

  #sourceKey(): string {
    const { name, settings } = this.#subject
    const schema = name.schema ?? ''
    const { sources } = settings.config
    const qualified =
      name.database === undefined ? undefined : lookUpKey(sources, `${name.database}.${schema}`)
    return qualified ?? lookUpKey(sources, schema) ?? schema
  }
}

function valueAt(layer: object, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (under, key) =>
      typeof under === 'object' && under !== null && Object.hasOwn(under, key)
        ? (under as Readonly<Record<string, unknown>>)[key]
        : undefined,
    layer,
  )
}

const NOT_SET = 'not set'

/** Prints a path of keys, with quotes around those that are not plain names: `sources."raw.stripe".name`. */
function printKey(keys: readonly string[]): string {
  return keys.map((key) => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key))).join('.')
}
