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
  type RenderContext,
  type TextStore,
  textStore,
  toProject,
} from '@stagecraft/dbt'
import type { Project } from '@stagecraft/spec'
import { indexProject, type ProfileFlags, projectContext } from '../files/index-project.ts'
import { readDbtVersion } from '../files/read-dbt-version.ts'

/** The folder to plan for, and its content. */
export interface OpenProject {
  /** The folder of `dbt_project.yml`, or the requested folder if there is none. */
  readonly root: string
  readonly tree: FileTree
  readonly view: ProjectView
  /** The content of the dbt project; undefined without one. */
  readonly index: ProjectIndex | undefined
  /** The values that its Jinja may use. */
  readonly context: RenderContext
  readonly lock: Lock
  /** The current lock; undefined without one. */
  readonly lockText: string | undefined
  readonly texts: TextStore
}

export interface OpenProjectOptions extends ProfileFlags {
  /** First finishes the committed changes of a dead command. @default true */
  readonly recover?: boolean
}

/**
 * Opens the dbt project that contains a folder.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a project or lock that cannot be read.
 */
export async function openProject(
  folder: string,
  { recover = true, ...flags }: OpenProjectOptions = {},
): Promise<OpenProject> {
  const found = await findProjectRoot(folder)
  const root = found ?? resolve(folder)
  if (recover) recoverChanges(root)
  const tree = diskTree(root)
  const context = found === undefined ? {} : await projectContext(root, flags)
  const index = found === undefined ? undefined : await indexProject(root, context)
  const lockText = await readText(tree, LOCK_FILE)
  return {
    root,
    tree,
    view: index ?? { models: [], sources: [] },
    index,
    context,
    lock: lockText === undefined ? new Map() : parseLock(lockText),
    lockText,
    texts: textStore(root),
  }
}

/** Runs work on the project that contains a folder, while no other process changes it. */
export async function whileHeld<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const release = holdProject((await findProjectRoot(folder)) ?? resolve(folder))
  try {
    return await work()
  } finally {
    release()
  }
}

/** Returns the facts that generated code must agree with; undefined outside a dbt project. */
export async function knownProject({ index, lock, root }: OpenProject): Promise<Project | undefined> {
  if (!index) return undefined
  const installedDbtVersion = await readDbtVersion(join(root, index.settings.targetPath, 'manifest.json'))
  return toProject(index, { installedDbtVersion, isOwn: isOwnIn(lock) })
}

/** Returns true for a file that Stagecraft wrote. A moved model is recognized by its content. */
export function isOwnIn(lock: Lock): (path: string, hash: string) => boolean {
  const locked = [...lock.values()]
  const paths = new Set(
    locked.flatMap(({ model, properties }) =>
      [model, ...(properties ? [properties] : [])].map(({ path }) => path),
    ),
  )
  const hashes = new Set(locked.map(({ model }) => model.sha256))
  return (path, hash) => paths.has(path) || hashes.has(hash)
}
