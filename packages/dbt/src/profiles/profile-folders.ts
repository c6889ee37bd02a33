type Environment = Readonly<Record<string, string | undefined>>

export interface ProfilePlaces {
  /** `--profiles-dir`. @default none */
  readonly flag?: string | undefined
  readonly environment: Environment
  /** The folder in which the command runs. */
  readonly workingFolder: string
  /** The folder with `dbt_project.yml`. */
  readonly projectFolder: string
  readonly home: string
}

/** Folders where `profiles.yml` may be, and the setting that names them. */
export interface ProfileFolders {
  readonly folders: readonly string[]
  /** The setting that named the only folder; undefined for the folders that dbt tries. */
  readonly namedBy: string | undefined
}

/**
 * Lists the folders where dbt looks for `profiles.yml`: dbt 1 in the working folder, dbt 2 at the root of the
 * project, and both finally in the home folder. Since dbt 1.11 variables are also called `DBT_ENGINE_…`.
 */
export function profileFolders({
  environment,
  flag,
  home,
  projectFolder,
  workingFolder,
}: ProfilePlaces): ProfileFolders {
  if (flag !== undefined) return { folders: [flag], namedBy: '--profiles-dir' }
  const variable = readDbtVariable(environment, 'PROFILES_DIR')
  if (variable) return { folders: [variable.value], namedBy: variable.name }
  return { folders: [...new Set([workingFolder, projectFolder, `${home}/.dbt`])], namedBy: undefined }
}

/** Reads a setting of dbt from the environment, under its new name or its old one. */
export function readDbtVariable(
  environment: Environment,
  name: string,
): { readonly name: string; readonly value: string } | undefined {
  const names = [`DBT_ENGINE_${name}`, `DBT_${name}`]
  const found = names.find((candidate) => environment[candidate])
  return found === undefined ? undefined : { name: found, value: environment[found] ?? '' }
}
