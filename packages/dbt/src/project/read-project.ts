import { type Dialect, DIALECTS } from '@stagecraft/dialects'
import type { RenderContext } from '../jinja/jinja-value.ts'
import type { FileTree, ListOptions, TreeFile } from '../tree/file-tree.ts'
import { isIn } from '../tree/paths.ts'
import { readText } from '../tree/read-text.ts'
import { StagecraftError } from '@stagecraft/spec'
import { buildIndex } from './build-index.ts'
import { isRead } from './file-facts.ts'
import { type FactsStore, readFiles } from './facts-cache.ts'
import type { ProjectIndex, ProjectProblem } from './project-index.ts'
import { readPackages } from './read-packages.ts'
import { PROJECT_FILE, type ProjectSettings, readSettings } from './settings.ts'

export interface ReadProjectOptions {
  /**
   * The values that Jinja in sources may use. Variables of the project are added.
   * @default nothing but these
   */
  readonly context?: RenderContext
  /**
   * The SQL of the warehouse, by which the names of sources are read: `a""b` between double quotes is the table `a"b`.
   * @default that of the adapter of `context.target`; without one, any quote that is doubled is one
   */
  readonly dialect?: Dialect | undefined
  /** The store of facts between runs. @default nowhere */
  readonly store?: FactsStore
}

/**
 * Reads a dbt project: every file of properties, every model, macro and docs block. Nothing is rendered or run but the Jinja
 * of sources, as far as it is known.
 *
 * @param tree Its root is the folder with `dbt_project.yml`.
 * @throws {StagecraftError} INVALID_REQUEST when there is no such file, or it cannot be read.
 */
export async function readProject(
  tree: FileTree,
  { context = {}, dialect = dialectOf(context), store }: ReadProjectOptions = {},
): Promise<ProjectIndex> {
  const settings = await readProjectSettings(tree)
  const leftOut: ProjectProblem[] = []
  const listed = await listProjectFiles(tree, settings, (path, reason) =>
    leftOut.push({ path, line: 1, reason: `it is ${reason}` }),
  )
  const files = await readFiles(tree, listed, store)
  const { faults, packages } = await readPackages(tree)
  return buildIndex({
    settings,
    files,
    packages,
    faults: [...leftOut, ...faults],
    reading: { context: { ...context, vars: { ...settings.vars, ...context.vars } }, dialect },
  })
}

function dialectOf({ target }: RenderContext): Dialect | undefined {
  const adapter = target?.['type']
  if (typeof adapter !== 'string') return undefined
  return Object.values<Dialect>(DIALECTS).find(({ dbt }) => dbt.adapters.includes(adapter))
}

/**
 * Reads `dbt_project.yml` at the root of a tree.
 *
 * @throws {StagecraftError} INVALID_REQUEST when there is none, or it cannot be read.
 */
export async function readProjectSettings(tree: FileTree): Promise<ProjectSettings> {
  const text = await readText(tree, PROJECT_FILE)
  if (text !== undefined) return readSettings(text)
  throw new StagecraftError('INVALID_REQUEST', `expected a folder with ${PROJECT_FILE}, got one without it`, {
    details: { faults: [{ path: PROJECT_FILE, expected: 'the file of a dbt project', received: 'nothing' }] },
  })
}

/** Folders that hold files of others, or none that dbt reads. */
const SKIPPED = new Set(['.git', '.venv', 'node_modules', 'venv', '__pycache__', '.stagecraft'])

/** The files that dbt reads, without those of packages and artifacts. */
async function listProjectFiles(
  tree: FileTree,
  settings: ProjectSettings,
  onLeftOut: NonNullable<ListOptions['onLeftOut']>,
): Promise<readonly TreeFile[]> {
  const {
    analysisPaths,
    docsPaths,
    macroPaths,
    modelPaths,
    packagesPath,
    seedPaths,
    snapshotPaths,
    targetPath,
    testPaths,
  } = settings
  const folders = [
    ...new Set(
      [modelPaths, seedPaths, snapshotPaths, macroPaths, analysisPaths, testPaths, docsPaths].flat(),
    ),
  ]
  const skip = (folder: string): boolean =>
    folder === packagesPath || folder === targetPath || SKIPPED.has(folder.slice(folder.lastIndexOf('/') + 1))
  const listed = await Promise.all(folders.map((folder) => tree.list(folder, { skip, onLeftOut })))
  const files = new Map(listed.flat().map((file) => [file.path, file]))
  return [...files.values()].filter(
    ({ path }) => isRead(path) || (path.endsWith('.csv') && isIn(path, seedPaths)),
  )
}
