import { compareText, StagecraftError } from '@stagecraft/spec'
import { foldersOf } from './file-path.ts'

const PROJECT = /^(?:(.*)\/)?dbt_project\.yml$/

/** Folders that contain foreign projects: packages, artifacts, environments. */
const OF_OTHERS = new Set(['dbt_packages', 'dbt_modules', 'target', 'node_modules', 'site-packages'])

export interface ProjectChoice {
  /** The folder from the settings; `.` is the root of the repository. */
  readonly folder: string | undefined
  /** Paths of generated files. Those inside a project show which one is meant. */
  readonly files: readonly string[]
}

/**
 * Finds the folder of the dbt project to push to: the named one, otherwise the one that contains the generated files,
 * otherwise the only one. Returns undefined for a repository without a project.
 *
 * @throws {StagecraftError} INVALID_REQUEST if the named folder has no project, or if several projects are possible.
 */
export function findDbtProject(
  paths: Iterable<string>,
  { files, folder }: ProjectChoice,
): string | undefined {
  const found = projectFolders(paths)
  if (folder !== undefined) {
    const named = folder === '.' ? '' : folder
    if (found.has(named)) return named
    throw refusal('no_project', {
      expected: 'a folder with dbt_project.yml',
      received: JSON.stringify(folder),
      found,
    })
  }
  const homes = new Set(files.map((file) => ['', ...foldersOf(file)].findLast((one) => found.has(one))))
  const [home] = homes
  if (homes.size === 1 && home !== undefined) return home
  const [only, ...others] = found
  if (others.length === 0) return only
  throw refusal('several_projects', { expected: 'the folder of the dbt project', received: 'none', found })
}

function projectFolders(paths: Iterable<string>): ReadonlySet<string> {
  const folders: string[] = []
  for (const path of paths) {
    const match = PROJECT.exec(path)
    if (match && !foldersOf(path).some(isOfOthers)) folders.push(match[1] ?? '')
  }
  return new Set(folders.toSorted(compareText))
}

function isOfOthers(folder: string): boolean {
  return OF_OTHERS.has(folder.slice(folder.lastIndexOf('/') + 1))
}

interface Choice {
  readonly expected: string
  readonly received: string
  readonly found: ReadonlySet<string>
}

/** The maximum number of folders in a message. */
const SHOWN = 10

function refusal(reason: string, { expected, found, received }: Choice): StagecraftError {
  const folders = [...found].map((folder) => (folder === '' ? '.' : folder))
  const more = folders.length > SHOWN ? ` and ${folders.length - SHOWN} more` : ''
  const shown = `${folders.slice(0, SHOWN).join(', ')}${more}`
  const suggestion =
    folders.length === 0
      ? 'add dbt_project.yml to the branch, or remove git.path'
      : `set git.path of the project to one of: ${shown}`
  return StagecraftError.invalid([{ path: 'git.path', expected, received }], {
    details: { reason, folders },
    suggestion,
  })
}
