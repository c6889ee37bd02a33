import { existsSync, statSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { findProjectRoot } from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'
import { paint } from '../terminal/paint.ts'
import { assertWritable } from './make-folder.ts'

/** The paths to a dbt project, for printing. */
export interface ProjectPrefixes {
  /** The path from the current folder to the project: `warehouse/`. */
  readonly fromHere: string
  /** The path from the root of the repository to the project; from the current folder if there is no repository. */
  readonly fromRepository: string
}

/** A dbt project on disk, and the selected part of it. */
export interface ChosenProject extends ProjectPrefixes {
  readonly root: string
  /** Returns true if a file is selected, by its path in the project. */
  readonly isShown: (path: string) => boolean
}

export function prefixesOf(root: string): ProjectPrefixes {
  return {
    fromHere: prefix(process.cwd(), root),
    fromRepository: prefix(repositoryOf(root) ?? process.cwd(), root),
  }
}

/**
 * Finds the dbt project of files and folders; without paths, the surrounding one.
 *
 * @param projectDir The folder to start from. Paths must be in the same project.
 * @throws {StagecraftError} INVALID_REQUEST for a missing path, and for paths in no project or in two.
 */
export async function chooseProject(paths: readonly string[], projectDir?: string): Promise<ChosenProject> {
  const shown = paths.length > 0 ? paths : [projectDir ?? '.']
  const given = projectDir === undefined ? shown : [...shown, projectDir]
  for (const path of given)
    if (!existsSync(path)) throw invalid('a file or folder', `${path}, which does not exist`)
  const places = given.map((path) => resolve(path))
  const roots = new Set(await Promise.all(places.map(rootOf)))
  const [root] = roots
  if (root === undefined) throw outside(given[0] ?? '.')
  if (roots.size > 1) throw invalid('paths in one dbt project', 'paths in several; name one at a time')
  const inside = shown.map((path) => resolve(path)).map((place) => relative(root, place).split(sep).join('/'))
  return {
    root,
    isShown: (path) =>
      paths.length === 0 || inside.some((one) => one === '' || path === one || path.startsWith(`${one}/`)),
    ...prefixesOf(root),
  }
}

/**
 * Returns the folder that `--out` means: the surrounding dbt project, otherwise the folder itself, which may be new.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a folder that cannot be written to, and for a new one in a project.
 */
export async function chooseOutput(out: string): Promise<string> {
  assertWritable(out, '--out')
  const root = await findProjectRoot(out)
  if (root === undefined || root === resolve(out)) return out
  const project = relative('.', root) || '.'
  if (!existsSync(out))
    throw StagecraftError.invalid(
      {
        path: '--out',
        expected: 'a dbt project, or a folder outside of one',
        received: `${out}, a new folder in ${root}`,
      },
      { suggestion: `--out ${project} writes into that project` },
    )
  process.stderr.write(
    `${paint('cyan', 'note')} ${out} is a folder of the dbt project ${project}, which is written to\n`,
  )
  return root
}

function rootOf(place: string): Promise<string | undefined> {
  return findProjectRoot(statSync(place).isDirectory() ? place : dirname(place))
}

/** Returns the nearest folder under version control, from this one upwards. */
export function repositoryOf(folder: string): string | undefined {
  if (existsSync(resolve(folder, '.git'))) return folder
  const above = dirname(folder)
  return above === folder ? undefined : repositoryOf(above)
}

function prefix(from: string, to: string): string {
  const path = relative(from, to).split(sep).join('/')
  return path === '' ? '' : `${path}/`
}

function outside(path: string): StagecraftError {
  const where = resolve(path) === resolve('.') ? 'the current folder' : path
  const received = `${where}, which has no dbt_project.yml in or above it`
  return StagecraftError.invalid(
    { path: 'path', expected: 'a place in a dbt project', received },
    { suggestion: 'change to a folder of the project, or name one with --project-dir' },
  )
}

function invalid(expected: string, received: string): StagecraftError {
  return StagecraftError.invalid({ path: 'path', expected, received })
}
