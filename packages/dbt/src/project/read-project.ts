import { type Dialect, DIALECTS } from '@stagecraft/dialects'
import type { JinjaValue, RenderContext } from '../jinja/jinja-value.ts'
import type { FileTree, ListOptions, TreeFile } from '../tree/file-tree.ts'
import { basename, isIn } from '../tree/paths.ts'
import { readText } from '../tree/read-text.ts'
import { StagecraftError } from '@stagecraft/spec'
import { buildIndex } from './build-index.ts'
import { isRead } from './file-facts.ts'
import { IGNORE_FILE, ignoredBy } from './ignore-file.ts'
import { type FactsStore, readFiles, type ReadFilesOptions } from './facts-cache.ts'
import { readPackageMacros } from './package-macros.ts'
import { faultOf, type ProjectIndex, type ProjectProblem } from './project-index.ts'
import { PROJECT_FILE, type ProjectSettings, readSettings, readYamlData } from './settings.ts'
import { asList, asRecord } from './shapes.ts'

export interface ReadProjectOptions {
  /**
   * The values that Jinja in sources may use. Variables of the project are added.
   * @default only these
   */
  readonly context?: RenderContext
  /**
   * The SQL dialect of the warehouse, for reading names of sources: `a""b` between double quotes is the table `a"b`.
   * @default that of the adapter of `context.target`; without one, any doubled quote is one quote
   */
  readonly dialect?: Dialect | undefined
  /** The store of facts between runs. @default nowhere */
  readonly store?: FactsStore
  /** Receives each YAML file of properties that is parsed, so that it is parsed once. */
  readonly onDocument?: ReadFilesOptions['onDocument']
  /** Receives all calls in each SQL file that is parsed. */
  readonly onCalls?: ReadFilesOptions['onCalls']
}

/**
 * Reads a dbt project: every file of properties, every model, macro and docs block. Nothing is rendered or run,
 * except known Jinja in sources.
 *
 * @param tree Its root is the folder with `dbt_project.yml`.
 * @throws {StagecraftError} INVALID_REQUEST when there is no such file, or it cannot be read.
 */
export async function readProject(
  tree: FileTree,
  { context = {}, dialect = dialectOf(context), onCalls, onDocument, store }: ReadProjectOptions = {},
): Promise<ProjectIndex> {
  const settings = await readProjectSettings(tree)
  const leftOut: ProjectProblem[] = []
  const listed = await listProjectFiles(tree, settings, (path, reason) =>
    leftOut.push({ path, line: 1, reason: `it is ${reason}` }),
  )
  const files = await readFiles(tree, listed, { store, onCalls, onDocument })
  const { faults, packages } = await readPackages(tree)
  const packageMacros = packages.length > 0 ? await readPackageMacros(tree, files, settings) : new Map()
  return buildIndex({
    settings,
    files,
    packages,
    packageMacros,
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
 * @throws {StagecraftError} INVALID_REQUEST if it is missing or unreadable.
 */
export async function readProjectSettings(tree: FileTree): Promise<ProjectSettings> {
  const text = await readText(tree, PROJECT_FILE)
  if (text !== undefined) return readSettings(text)
  throw new StagecraftError('INVALID_REQUEST', `expected a folder with ${PROJECT_FILE}, got one without it`, {
    details: { faults: [{ path: PROJECT_FILE, expected: 'the file of a dbt project', received: 'nothing' }] },
  })
}

/** Folders with files of packages, or without files that dbt reads. */
const SKIPPED = new Set(['.git', '.venv', 'node_modules', 'venv', '__pycache__', '.stagecraft'])

/** Lists the files that dbt reads, without packages, artifacts and what `.dbtignore` names. */
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
  const isIgnored = ignoredBy((await readText(tree, IGNORE_FILE)) ?? '')
  return [...files.values()].filter(
    ({ path }) => (isRead(path) || (path.endsWith('.csv') && isIn(path, seedPaths))) && !isIgnored(path),
  )
}

/** The files that request packages: https://docs.getdbt.com/docs/build/packages */
const FILES = ['packages.yml', 'dependencies.yml', 'package-lock.yml']

/** Returns the names of required packages, as used in macro calls: `dbt_utils`. */
async function readPackages(
  tree: FileTree,
): Promise<{ readonly packages: readonly string[]; readonly faults: readonly ProjectProblem[] }> {
  const files = await Promise.all(FILES.map((path) => readEntries(tree, path)))
  const entries = files.flatMap((file) => ('entries' in file ? file.entries : []))
  const requests = entries.map((entry) =>
    Object.entries(asRecord(entry)).flatMap(([key, value]) =>
      KEYS.has(key) && typeof value === 'string' ? [{ key, value }] : [],
    ),
  )
  // the lock says the name behind an address: `{ local: ../kit, name: shop_kit }`
  const locked = new Map(
    requests.flatMap((request) => {
      const name = request.find(({ key }) => key === 'name')?.value
      return name === undefined ? [] : request.map(({ value }) => [value, name] as const)
    }),
  )
  const names = requests.flat().map(({ value }) => locked.get(value) ?? nameOf(value))
  return {
    packages: [...new Set(names)],
    faults: files.flatMap((file) => ('fault' in file ? file.fault : [])),
  }
}

async function readEntries(
  tree: FileTree,
  path: string,
): Promise<{ readonly entries: readonly JinjaValue[] } | { readonly fault: ProjectProblem }> {
  try {
    const text = await readText(tree, path)
    return { entries: text === undefined ? [] : asList(asRecord(readYamlData(text, path))['packages']) }
  } catch (error) {
    return { fault: { path, ...faultOf(error) } }
  }
}

const KEYS = new Set(['package', 'git', 'local', 'tarball', 'name'])

/** `dbt-labs/dbt_utils`, `https://github.com/dbt-labs/dbt-utils.git`. */
function nameOf(address: string): string {
  return basename(address)
    .replace(/\.git$/, '')
    .replace(/^dbt-utils$/, 'dbt_utils')
}
