import { join, resolve } from 'node:path'
import {
  diskTree,
  type FileTree,
  findProjectRoot,
  holdProject,
  type Lock,
  LOCK_FILE,
  parseLock,
  type ProjectIndex,
  type ProjectView,
  readText,
  recoverChanges,
  type TextStore,
  textStore,
  toProject,
} from '@stagecraft/dbt'
import type { Project } from '@stagecraft/spec'
import { indexProject } from '../files/index-project.ts'
import { readDbtVersion } from '../files/read-dbt-version.ts'

/** The folder that plans are made for, and its content. */
export interface OpenProject {
  /** The folder of `dbt_project.yml`; where there is none, the folder that was asked for. */
  readonly root: string
  readonly tree: FileTree
  readonly view: ProjectView
  /** The content of the dbt project; undefined without one. */
  readonly index: ProjectIndex | undefined
  readonly lock: Lock
  /** The lock as it stands there; undefined when there is none. */
  readonly lockText: string | undefined
  readonly texts: TextStore
}

export interface OpenProjectOptions {
  /** Finishes first what a command that died had decided to write. @default true */
  readonly recover?: boolean
}

/**
 * Opens the dbt project that a folder lies in.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a project or lock that cannot be read.
 */
export async function openProject(
  folder: string,
  { recover = true }: OpenProjectOptions = {},
): Promise<OpenProject> {
  const found = await findProjectRoot(folder)
  const root = found ?? resolve(folder)
  if (recover) recoverChanges(root)
  const tree = diskTree(root)
  const index = found === undefined ? undefined : await indexProject(root)
  const lockText = await readText(tree, LOCK_FILE)
  return {
    root,
    tree,
    view: index ?? { models: [], sources: [] },
    index,
    lock: lockText === undefined ? new Map() : parseLock(lockText),
    lockText,
    texts: textStore(root),
  }
}

/** Does something to the project that a folder lies in, while no other process does. */
export async function whileHeld<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const release = holdProject((await findProjectRoot(folder)) ?? resolve(folder))
  try {
    return await work()
  } finally {
    release()
  }
}

/** Returns what generated code has to agree with; undefined outside of a dbt project. */
export async function knownProject({ index, root }: OpenProject): Promise<Project | undefined> {
  if (!index) return undefined
  const installedDbtVersion = await readDbtVersion(join(root, index.settings.targetPath, 'manifest.json'))
  return toProject(index, { installedDbtVersion, isOwn: () => true })
}
