import { existsSync, statSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { findProjectRoot } from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'

/** A dbt project on disk, and the part of it that a command is about. */
export interface ChosenProject {
  readonly root: string
  /** Says whether a file is meant, by its path in the project. */
  readonly isShown: (path: string) => boolean
  /** What leads from the current folder to the project: `warehouse/`. */
  readonly fromHere: string
  /** What leads from the root of its repository to the project; from the current folder when there is no repository. */
  readonly fromRepository: string
}

/**
 * Finds the dbt project of files and folders; that around the current folder without any.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a path that is not there, and when they are in no project, or in two.
 */
export async function chooseProject(paths: readonly string[]): Promise<ChosenProject> {
  const places = (paths.length > 0 ? paths : ['.']).map((path) => resolve(path))
  for (const [index, place] of places.entries())
    if (!existsSync(place)) throw invalid('a file or folder', `${paths[index] ?? '.'}, which does not exist`)
  const roots = new Set(await Promise.all(places.map(rootOf)))
  const [root] = roots
  if (root === undefined)
    throw invalid('paths in a dbt project', 'a place without dbt_project.yml in or above it')
  if (roots.size > 1) throw invalid('paths in one dbt project', 'paths in several; name one at a time')
  const inside = places.map((place) => relative(root, place).split(sep).join('/'))
  return {
    root,
    isShown: (path) => inside.some((shown) => shown === '' || path === shown || path.startsWith(`${shown}/`)),
    fromHere: prefix(process.cwd(), root),
    fromRepository: prefix(repositoryOf(root) ?? process.cwd(), root),
  }
}

function rootOf(place: string): Promise<string | undefined> {
  return findProjectRoot(statSync(place).isDirectory() ? place : dirname(place))
}

function repositoryOf(folder: string): string | undefined {
  if (existsSync(resolve(folder, '.git'))) return folder
  const above = dirname(folder)
  return above === folder ? undefined : repositoryOf(above)
}

function prefix(from: string, to: string): string {
  const path = relative(from, to).split(sep).join('/')
  return path === '' ? '' : `${path}/`
}

function invalid(expected: string, received: string): StagecraftError {
  return new StagecraftError('INVALID_REQUEST', `path: expected ${expected}, got ${received}`, {
    details: { faults: [{ path: 'path', expected, received }] },
  })
}
