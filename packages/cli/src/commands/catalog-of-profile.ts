import { homedir } from 'node:os'
import { join, relative, resolve } from 'node:path'
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
import { assertOwnServer, assertVendorHosts, isForOthers } from './own-server.ts'

/** The flags that choose a connection of the dbt project. */
export interface ProfileChoiceFlags {
  readonly dbtProfile?: string
  readonly target?: string
  readonly profilesDir?: string
  /** Reopens a catalog of the same command, without printing its notes and warnings again. @default false */
  readonly isAgain?: boolean
}

/** The warehouse of a profile. */
export interface CatalogOfProfile {
  /** Catalog texts to try in this order. They contain secrets. */
  readonly addresses: readonly string[]
  /** The schema that dbt builds in; undefined if the profile does not say. */
  readonly targetSchema: string | undefined
}

/**
 * Finds the warehouse of the dbt project around a folder in its `profiles.yml`. Returns undefined if there is no
 * project or no such file.
 *
 * @throws {StagecraftError} INVALID_REQUEST when the profile cannot be read, or no catalog reaches its warehouse.
 */
export async function catalogOfProfile(
  { dbtProfile, isAgain = false, profilesDir, target }: ProfileChoiceFlags,
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
    isWithheld: (variable, file) => isForOthers(variable) && !isOfUser(file, projectFolder),
  })
  if (!found) return undefined
  const addresses = addressesOf(found, projectFolder)
  if (!isAgain) process.stderr.write(`${paint('cyan', 'note')} reading ${describe(found)}\n`)
  return { addresses, targetSchema: schemaOf(targetOf(found.profile)) }
}

function describe({ file, profile }: FoundProfile): string {
  return `target ${profile.target} of profile ${profile.name} in ${shortPath(file)}`
}

function addressesOf(found: FoundProfile, projectFolder: string): readonly string[] {
  const { file, profile } = found
  const reached = catalogAddress(profile, { projectFolder })
  if ('reason' in reached) throw unreached(describe(found), reached.reason)
  for (const address of reached.addresses) {
    assertOwnServer(address, process.env)
    if (!isOfUser(file, projectFolder)) assertVendorHosts(address)
  }
  return reached.addresses
}

/** Returns true for a file in `~/.dbt`, and for one outside both the project and the current folder. */
function isOfUser(file: string, projectFolder: string): boolean {
  const isIn = (folder: string): boolean => !/^\.\.(?:[/\\]|$)/.test(relative(folder, file))
  return isIn(join(homedir(), '.dbt')) || (!isIn(projectFolder) && !isIn('.'))
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
