import { homedir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import {
  catalogAddress,
  diskTree,
  findProjectRoot,
  type FoundProfile,
  readDbtVariable,
  readProjectSettings,
  targetOf,
} from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'
import { type ProfileFlags, profileOf, schemaOf } from '../files/index-project.ts'
import { paint } from '../terminal/paint.ts'
import { assertOwnServer, assertVendorHosts, isForOthers } from './own-server.ts'

/** The flags that choose a connection of the dbt project. */
export interface ProfileChoiceFlags extends ProfileFlags {
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
 * Finds the warehouse of the dbt project around a folder in its `profiles.yml`.
 *
 * @returns The warehouse, or what is missing: the project, its profile, or the file.
 * @throws {StagecraftError} INVALID_REQUEST when the profile cannot be read, or no catalog reaches its warehouse.
 */
export async function catalogOfProfile(
  { isAgain = false, ...flags }: ProfileChoiceFlags,
  from: string | undefined,
): Promise<CatalogOfProfile | { readonly missing: string }> {
  const start = from ?? readDbtVariable(process.env, 'PROJECT_DIR')?.value ?? '.'
  const projectFolder = await findProjectRoot(start)
  if (projectFolder === undefined) return { missing: `no dbt_project.yml is in or above ${resolve(start)}` }
  const found = await profileOf(projectFolder, flags, {
    isWithheld: (variable, file) => isForOthers(variable) && !isOfUser(file, projectFolder),
  })
  if (!found) return { missing: await missingIn(projectFolder, flags) }
  const addresses = addressesOf(found, projectFolder)
  if (!isAgain) process.stderr.write(`${paint('cyan', 'note')} reading ${describe(found)}\n`)
  return { addresses, targetSchema: schemaOf({ target: targetOf(found.profile) }) }
}

async function missingIn(projectFolder: string, { dbtProfile }: ProfileFlags): Promise<string> {
  const folder = shortPath(projectFolder) || '.'
  const { profile = dbtProfile } = await readProjectSettings(diskTree(projectFolder))
  return profile === undefined
    ? `${join(folder, 'dbt_project.yml')} names no profile`
    : `no profiles.yml is in ${folder}, in the current folder or in ~/.dbt`
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
