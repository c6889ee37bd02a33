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
 * Reads what a dbt project on disk holds. Sources whose place depends on the environment or the target are resolved as dbt
 * would here.
 *
 * @param root The folder with `dbt_project.yml`.
 * @throws {StagecraftError} INVALID_REQUEST when that file cannot be read.
 */
export async function indexProject(root: string): Promise<ProjectIndex> {
  return readProject(diskTree(root), { context: await projectContext(root), store: diskStore(root) })
}

/** What Jinja of a project on disk may ask for. */
export async function projectContext(root: string): Promise<NonNullable<ReadProjectOptions['context']>> {
  const target = await findTarget(root)
  return { environment: process.env, ...(target && { target }) }
}

/** A profile that cannot be read, as in CI without secrets, leaves the target unknown and stops nothing. */
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

/** The schema that dbt builds in, by the profile of a project; undefined where no profile tells, or it cannot be read. */
export async function targetSchemaOf(root: string): Promise<string | undefined> {
  const target = await findTarget(root)
  return target && schemaOf(target)
}

/** dbt-duckdb builds in `main` where nothing is said. */
export function schemaOf({ schema, type }: ReturnType<typeof targetOf>): string | undefined {
  if (typeof schema === 'string') return schema
  return type === 'duckdb' ? 'main' : undefined
}
