import { homedir } from 'node:os'
import { relative, resolve } from 'node:path'
import {
  catalogAddress,
  diskTree,
  findProfile,
  findProjectRoot,
  type FoundProfile,
  readDbtVariable,
  readProjectSettings,
  targetOf,
} from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'
import { schemaOf } from '../files/index-project.ts'
import { paint } from '../terminal/paint.ts'
import { assertOwnServer } from './own-server.ts'

/** The flags that choose a connection of the dbt project. */
export interface ProfileChoiceFlags {
  readonly dbtProfile?: string
  readonly target?: string
  readonly profilesDir?: string
}

/** The warehouse of a profile. */
export interface CatalogOfProfile {
  /** Texts to open a catalog with, to be tried in this order. They hold secrets. */
  readonly addresses: readonly string[]
  /** The schema that dbt builds in; undefined where the profile does not tell. */
  readonly targetSchema: string | undefined
}

/**
 * Finds the warehouse of the dbt project around a folder, by its `profiles.yml`; undefined when there is no project, or none
 * of its places has that file.
 *
 * @throws {StagecraftError} INVALID_REQUEST when the profile cannot be read, or no catalog reaches its warehouse.
 */
export async function catalogOfProfile(
  { dbtProfile, profilesDir, target }: ProfileChoiceFlags,
  from: string | undefined,
): Promise<CatalogOfProfile | undefined> {
  const start = from ?? readDbtVariable(process.env, 'PROJECT_DIR')?.value ?? '.'
  const projectFolder = await findProjectRoot(start)
  if (projectFolder === undefined) return undefined
  const found = await findProfile(await readProjectSettings(diskTree(projectFolder)), {
    environment: process.env,
    home: homedir(),
    projectFolder,
    workingFolder: resolve('.'),
    flag: profilesDir,
    profile: dbtProfile,
    target,
  })
  return (
    found && { addresses: addressesOf(found, projectFolder), targetSchema: schemaOf(targetOf(found.profile)) }
  )
}

function addressesOf({ file, profile }: FoundProfile, projectFolder: string): readonly string[] {
  const reached = catalogAddress(profile, { projectFolder })
  const where = `target ${profile.target} of profile ${profile.name} in ${shortPath(file)}`
  if ('reason' in reached) throw unreached(where, reached.reason)
  for (const address of reached.addresses) assertOwnServer(address, process.env)
  process.stderr.write(`${paint('cyan', 'note')} reading ${where}\n`)
  return reached.addresses
}

function unreached(where: string, reason: string): StagecraftError {
  const suggestion =
    'run dbt docs generate and give its artifacts (--catalog dbt:target/), a list of columns (--catalog columns.csv), or CREATE TABLE statements (--catalog schema.sql)'
  return new StagecraftError(
    'INVALID_REQUEST',
    `catalog: expected --catalog, because ${reason} (${where}); ${suggestion}`,
    {
      details: { faults: [{ path: 'catalog', expected: '--catalog', received: reason }], suggestion },
    },
  )
}

function shortPath(file: string): string {
  const path = relative('.', file)
  return path.startsWith('..') ? file : path
}
