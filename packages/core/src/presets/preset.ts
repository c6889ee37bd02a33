import type { GenerationOptions, TypeNaming, ModelType, Naming, PresetName } from '@stagecraft/spec'

/** Options without a value of their own when nobody sets them. */
type Unset = 'loadMode' | 'materialized' | 'addTests' | 'addDocs'

/** All members there, none undefined. */
export type Decided<Settings> = { readonly [Key in keyof Settings]-?: Exclude<Settings[Key], undefined> }

/** Every option, decided. */
export type DecidedOptions = Decided<Omit<GenerationOptions, Unset>> & Pick<GenerationOptions, Unset>

/** Every naming rule, decided. */
export type DecidedNaming = Decided<Omit<Naming, 'kinds' | 'types'>> & {
  readonly types: Readonly<Record<ModelType, Decided<TypeNaming>>>
}

/** The defaults to start from, and the templates to print with. */
export interface Preset {
  readonly name: PresetName
  /** Folder of `templates/` whose files come before those of `dbt-labs`. */
  readonly templates: PresetName
  readonly options: DecidedOptions
  readonly naming: DecidedNaming
  /** YAML has types as the dbt adapter's `Column.data_type` spells them, not as the warehouse does. */
  readonly typesAsAdapter: boolean
}
