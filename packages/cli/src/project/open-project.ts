import { join, resolve } from 'node:path'
import {
  diskTree,
  type FileTree,
  findProjectRoot,
  lockProject,
  type InterruptedChanges,
  keepBothSides,
  type Lock,
  LOCK_FILE,
  type ProjectIndex,
  type ProjectView,
  readLock,
  readText,
  readInterrupted,
  recoverChanges,
  type RenderContext,
  type TextStore,
  textStore,
  toProject,
  withTexts,
} from '@stagecraft/dbt'
import { type Project, StagecraftError } from '@stagecraft/spec'
import { indexProject, type ProfileFlags, projectContext } from '../files/index-project.ts'
import { readDbtVersion } from '../files/read-dbt-version.ts'
import { paint } from '../terminal/paint.ts'
import { count } from '../terminal/report.ts'

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
  /** Texts of properties files, by path, with git's conflicts resolved where both sides only add. */
  readonly resolved: ReadonlyMap<string, string>
  /** The current lock; undefined without one. */
  readonly lockText: string | undefined
  readonly texts: TextStore
}

export interface OpenProjectOptions extends ProfileFlags {
  /** True if the command writes. It first finishes what a killed command began to write. @default false */
  readonly writes?: boolean
  /** Prints no notes, because the command already did. @default false */
  readonly isAgain?: boolean
}

/**
 * Opens the dbt project that contains a folder. If a killed command has begun to write, the content is that after it.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a project or lock that cannot be read.
 */
export async function openProject(
  folder: string,
  { isAgain = false, writes = false, ...flags }: OpenProjectOptions = {},
): Promise<OpenProject> {
  const found = await findProjectRoot(folder)
  const root = found ?? resolve(folder)
  if (writes) finishInterrupted(root)
  const interrupted = readInterrupted(root)
  if (interrupted && !isAgain)
    note(`an interrupted ${describe(interrupted)} counts as done; stagecraft apply finishes it`)
  const tree = withTexts(diskTree(root), interrupted?.texts ?? new Map())
  const context = found === undefined ? {} : await projectContext(root, flags)
  const asIs =
    found === undefined ? undefined : await indexProject(root, { context, tree: interrupted && tree })
  const resolved = await resolveConflicts(tree, asIs)
  const index =
    resolved.size === 0 ? asIs : await indexProject(root, { context, tree: withTexts(tree, resolved) })
  const read = await readLock(tree)
  const twins = read?.twins ?? []
  if (twins.length > 0 && !isAgain)
    note(
      `two branches changed ${twins.join(', ')} in ${LOCK_FILE}; the line of the existing model is used, and the next apply removes the other`,
    )
  return {
    root,
    tree,
    view: index ?? { models: [], sources: [] },
    index,
    context,
    resolved,
    lock: read?.lock ?? new Map(),
    lockText: read?.text,
    texts: textStore(root),
  }
}

/** Keeps both sides of git's conflicts in the properties files that cannot be read. */
async function resolveConflicts(
  tree: FileTree,
  index: ProjectIndex | undefined,
): Promise<ReadonlyMap<string, string>> {
  const paths = new Set((index?.faults ?? []).map(({ path }) => path).filter((path) => /\.ya?ml$/.test(path)))
  const texts = await Promise.all(
    [...paths].map(async (path) => [path, keepBothSides((await readText(tree, path)) ?? '')] as const),
  )
  return new Map(texts.flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const])))
}

/** Finishes what a killed command began to write, and says so. */
export function finishInterrupted(root: string): void {
  const interrupted = recoverChanges(root)
  if (interrupted) note(`finished the interrupted ${describe(interrupted)}`)
}

function describe({ command, texts }: InterruptedChanges): string {
  return `${command} of ${count(texts.size, 'file')}`
}

function note(text: string): void {
  process.stderr.write(`${paint('cyan', 'note')} ${text}\n`)
}

/** Runs work on the project that contains a folder, while no other process changes it. */
export async function withProjectLock<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const release = lockProject((await findProjectRoot(folder)) ?? resolve(folder))
  try {
    return await work()
  } finally {
    release()
  }
}

/**
 * Checks that there is something to compare with, so that a missing lock does not look like success in a pipeline.
 *
 * @param path The flag to name.
 * @throws {StagecraftError} INVALID_REQUEST for a project without followed tables.
 */
export function assertFollowed({ lock, root }: OpenProject, path: string): void {
  if (lock.size > 0) return
  throw StagecraftError.invalid(
    {
      path,
      expected: 'a project with a stagecraft.lock that follows tables',
      received: `${root}, which has none`,
    },
    { suggestion: 'stagecraft apply writes it; in CI, check out the branch that has it' },
  )
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
