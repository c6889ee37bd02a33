/** A model of the user's project, with the facts for tests that refer to it. */
export interface ProjectModel {
  readonly name: string
  /** Its documented columns; undefined if none are listed. */
  readonly columns: readonly string[] | undefined
  /**
   * Its columns that pass a raw value on, by raw column. Names are in the case used for comparison. @default
   * unknown
   */
  readonly selects?: Readonly<Record<string, string>>
  /** True if it may leave out rows of its table. @default unknown */
  readonly filtersRows?: boolean
}

/** The renames and descriptions found in a project, as examples for a backend. */
export interface HouseStyle {
  /** Pairs of source column and staged name, each once, most frequent first. */
  readonly renames: readonly (readonly [column: string, name: string])[]
  /** Pairs of staged column and description, in the same order. */
  readonly descriptions: readonly (readonly [column: string, description: string])[]
}

/** The known facts about the dbt project that receives the output. */
export interface Project {
  readonly models: readonly ProjectModel[]
  /** Installed dbt packages: `dbt_utils`. */
  readonly packages: readonly string[]
  /** `require-dbt-version`, as written: `>=1.8.0,<2.0.0`. */
  readonly requireDbtVersion: string | undefined
  /** The dbt version that last parsed the project, from its `manifest.json`: `1.11.2`. Default: unknown. */
  readonly installedDbtVersion?: string | undefined
  /** False if `flags.require_generic_test_arguments_property` is off. */
  readonly testArgumentsProperty: boolean
  /** Default: unknown. */
  readonly style?: HouseStyle
  /** The folders in which dbt looks for models: `['transform']`. Default: `['models']`. */
  readonly modelPaths?: readonly string[]
  /** The folders in which dbt looks for snapshots. Default: `['snapshots']`. */
  readonly snapshotPaths?: readonly string[]
}
