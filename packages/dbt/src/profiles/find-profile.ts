import { StagecraftError } from '@stagecraft/spec'
import type { RenderContext } from '../jinja/jinja-value.ts'
import { PROJECT_FILE, type ProjectSettings } from '../project/settings.ts'
import { diskTree } from '../tree/disk-tree.ts'
import { readText } from '../tree/read-text.ts'
import { type ProfilePlaces, profileFolders, readDbtVariable } from './profile-folders.ts'
import { type Profile, PROFILES_FILE, readProfile, renderField } from './read-profile.ts'

export interface FindProfileOptions extends ProfilePlaces {
  /** `--profile`. @default `DBT_PROFILE`, else `profile:` of the project */
  readonly profile?: string | undefined
  /** `--target`. @default `DBT_TARGET`, else `target:` of the profile */
  readonly target?: string | undefined
  /** Returns true for environment variables that the file must not read. Default: it may read all. */
  readonly isWithheld?: (variable: string, file: string) => boolean
}

/** A profile and its file. */
export interface FoundProfile {
  readonly profile: Profile
  readonly file: string
}

/**
 * Finds the profile of a project on disk as dbt does; undefined if the project names none, or without a
 * `profiles.yml`.
 *
 * @throws {StagecraftError} INVALID_REQUEST if a named folder or entry is missing, or the output cannot be read.
 * Messages never contain values of the file.
 */
export async function findProfile(
  settings: ProjectSettings,
  options: FindProfileOptions,
): Promise<FoundProfile | undefined> {
  const { environment } = options
  const context: RenderContext = { environment, vars: {} }
  const written = options.profile ?? readDbtVariable(environment, 'PROFILE')?.value ?? settings.profile
  if (written === undefined) return undefined
  const { folders, namedBy } = profileFolders(options)
  for (const folder of folders) {
    const text = await readText(diskTree(folder), PROFILES_FILE)
    if (text === undefined) continue
    const file = `${folder}/${PROFILES_FILE}`
    const target = options.target ?? readDbtVariable(environment, 'TARGET')?.value
    return {
      file,
      profile: readProfile(text, {
        path: file,
        profile: renderField(written, { path: PROJECT_FILE, key: 'profile', context }),
        target,
        context: { ...context, isWithheld: (variable) => options.isWithheld?.(variable, file) === true },
      }),
    }
  }
  if (namedBy === undefined) return undefined
  throw StagecraftError.invalid({
    path: namedBy,
    expected: `a folder with ${PROFILES_FILE}`,
    received: folders.join(),
  })
}
