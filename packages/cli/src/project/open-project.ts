import { join, resolve } from 'node:path'
import {
  diskTree,
  type FileTree,
  findProjectRoot,
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

/** The folder that plans are made for, and what is there. */
export interface OpenProject {
  /** The folder of `dbt_project.yml`; where there is none, the folder that was asked for. */
  readonly root: string
  readonly tree: FileTree
  readonly view: ProjectView
  /** What the dbt project holds; undefined where there is none. */
  readonly index: ProjectIndex | undefined
  readonly lock: Lock
  /** The lock as it stands there; undefined when there is none. */
  readonly lockText: string | undefined
  readonly texts: TextStore
}

/**
 * Opens the dbt project that a folder lies in. What a command that died had decided to write is finished first.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a project or lock that cannot be read.
 */
export async function openProject(folder: string): Promise<OpenProject> {
  const found = await findProjectRoot(folder)
  const root = found ?? resolve(folder)
  recoverChanges(root)
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

/** Returns what generated code has to agree with; undefined outside of a dbt project. */
export async function knownProject({ index, root }: OpenProject): Promise<Project | undefined> {
  if (!index) return undefined
  const installedDbtVersion = await readDbtVersion(join(root, index.settings.targetPath, 'manifest.json'))
  return toProject(index, { installedDbtVersion, isOwn: () => true })
}
