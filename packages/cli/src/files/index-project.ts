import { homedir } from 'node:os'
import { resolve } from 'node:path'
import {
  diskStore,
  diskTree,
  findProfile,
  type ProjectIndex,
  readProject,
  type ReadProjectOptions,
  readProjectSettings,
  targetOf,
} from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'

/**
 * Reads the content of a dbt project on disk. Source places that depend on the environment or the target are resolved
 * like in dbt.
 *
 * @param root The folder with `dbt_project.yml`.
 * @throws {StagecraftError} INVALID_REQUEST when that file cannot be read.
 */
export async function indexProject(root: string): Promise<ProjectIndex> {
  return readProject(diskTree(root), { context: await projectContext(root), store: diskStore(root) })
}

/** Returns the values that Jinja of a project on disk may use. */
export async function projectContext(root: string): Promise<NonNullable<ReadProjectOptions['context']>> {
  const target = await findTarget(root)
  return { environment: process.env, ...(target && { target }) }
}

/** An unreadable profile, as in CI without secrets, leaves the target unknown and is not an error. */
async function findTarget(root: string): Promise<ReturnType<typeof targetOf> | undefined> {
  try {
    const found = await findProfile(await readProjectSettings(diskTree(root)), {
      environment: process.env,
      home: homedir(),
      projectFolder: root,
      workingFolder: resolve('.'),
    })
    return found && targetOf(found.profile)
  } catch (error) {
    if (error instanceof StagecraftError) return undefined
    throw error
  }
}

/** Returns the schema that dbt builds in, from the profile of a project; undefined if it is unknown or unreadable. */
export async function targetSchemaOf(root: string): Promise<string | undefined> {
  const target = await findTarget(root)
  return target && schemaOf(target)
}

/** dbt-duckdb builds in `main` by default. */
export function schemaOf({ schema, type }: ReturnType<typeof targetOf>): string | undefined {
  if (typeof schema === 'string') return schema
  return type === 'duckdb' ? 'main' : undefined
}
