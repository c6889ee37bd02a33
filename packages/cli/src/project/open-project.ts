import { resolve } from 'node:path'
import {
  diskTree,
  type FileTree,
  findProjectRoot,
  type Lock,
  LOCK_FILE,
  parseLock,
  type ProjectView,
  readText,
  recoverChanges,
  type TextStore,
  textStore,
} from '@stagecraft/dbt'
import { indexProject } from '../files/index-project.ts'

/** The folder that plans are made for, and what is there. */
export interface OpenProject {
  /** The folder of `dbt_project.yml`; where there is none, the folder that was asked for. */
  readonly root: string
  readonly tree: FileTree
  readonly view: ProjectView
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
  const lockText = await readText(tree, LOCK_FILE)
  return {
    root,
    tree,
    view: found === undefined ? { models: [], sources: [] } : await indexProject(root),
    lock: lockText === undefined ? new Map() : parseLock(lockText),
    lockText,
    texts: textStore(root),
  }
}
