import { homedir } from 'node:os'
import { resolve } from 'node:path'
import {
  diskStore,
  diskTree,
  findProfile,
  type FileTree,
  type FindProfileOptions,
  type FoundProfile,
  type ProjectIndex,
  readProject,
  readProjectSettings,
  type RenderContext,
  targetOf,
} from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'

/** The flags that choose the connection of a dbt project, and so its target. */
export interface ProfileFlags {
  readonly dbtProfile?: string
  readonly target?: string
  readonly profilesDir?: string
}

/**
 * Reads the content of a dbt project on disk. Source places that depend on the environment or the target are resolved
 * like in dbt.
 *
 * @param root The folder with `dbt_project.yml`.
 * @param options.context Default: that of the default target.
 * @param options.tree Files other than those on disk, about which nothing is kept for the next time.
 * @throws {StagecraftError} INVALID_REQUEST when that file cannot be read.
 */
export async function indexProject(
  root: string,
  options: { readonly context?: RenderContext; readonly tree?: FileTree | undefined } = {},
): Promise<ProjectIndex> {
  const { context = await projectContext(root), tree } = options
  return readProject(tree ?? diskTree(root), { context, ...(!tree && { store: diskStore(root) }) })
}

/** Returns the values that Jinja of a project on disk may use. */
export async function projectContext(root: string, flags: ProfileFlags = {}): Promise<RenderContext> {
  const target = await findTarget(root, flags)
  return { environment: process.env, ...(target && { target }) }
}

/** Finds the profile that dbt would use for a project on disk. */
export async function profileOf(
  projectFolder: string,
  { dbtProfile, profilesDir, target }: ProfileFlags,
  options: Pick<FindProfileOptions, 'isWithheld'> = {},
): Promise<FoundProfile | undefined> {
  return findProfile(await readProjectSettings(diskTree(projectFolder)), {
    environment: process.env,
    home: homedir(),
    projectFolder,
    workingFolder: resolve('.'),
    flag: profilesDir,
    profile: dbtProfile,
    target,
    ...options,
  })
}

/** An unreadable profile, as in CI without secrets, leaves the target unknown and is not an error. */
async function findTarget(root: string, flags: ProfileFlags): Promise<RenderContext['target']> {
  try {
    const found = await profileOf(root, flags)
    return found && targetOf(found.profile)
  } catch (error) {
    if (error instanceof StagecraftError) return undefined
    throw error
  }
}

/** Returns the schema that dbt builds in; undefined if the target does not say. dbt-duckdb builds in `main` by default. */
export function schemaOf({
  target: { schema, type } = {},
}: Pick<RenderContext, 'target'>): string | undefined {
  if (typeof schema === 'string') return schema
  return type === 'duckdb' ? 'main' : undefined
}
