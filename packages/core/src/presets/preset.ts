import type { GenerationOptions, TypeNaming, ModelType, Naming, PresetName } from '@stagecraft/spec'

/** Options without a default value. */
type Unset = 'loadMode' | 'materialized' | 'addTests' | 'addDocs'

/** All members present, none undefined. */
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
  /** Spells types in YAML like `Column.data_type` of the dbt adapter, not like the warehouse. */
  readonly typesAsAdapter: boolean
}
