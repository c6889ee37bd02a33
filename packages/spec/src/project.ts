/** A model of the user's project, as far as generated tests refer to it. */
export interface ProjectModel {
  readonly name: string
  /** Its documented columns; undefined when nothing lists them. */
  readonly columns: readonly string[] | undefined
}

/** The renames and descriptions found in a project, as examples for a backend. */
export interface HouseStyle {
  /** Source column and the name it was given, each pair once, the most frequent first. */
  readonly renames: readonly (readonly [column: string, name: string])[]
  /** Staged column and its description, in the same order. */
  readonly descriptions: readonly (readonly [column: string, description: string])[]
}

/** The dbt project that the output goes into, as far as it is known. */
export interface Project {
  readonly models: readonly ProjectModel[]
  /** Installed dbt packages: `dbt_utils`. */
  readonly packages: readonly string[]
  /** `require-dbt-version`, as written: `>=1.8.0,<2.0.0`. */
  readonly requireDbtVersion: string | undefined
  /** The dbt that last parsed the project, as its `manifest.json` says: `1.11.2`. Default: not known. */
  readonly installedDbtVersion?: string | undefined
  /** False when `flags.require_generic_test_arguments_property` is switched off. */
  readonly testArgumentsProperty: boolean
  /** Default: nothing is known of it. */
  readonly style?: HouseStyle
}
