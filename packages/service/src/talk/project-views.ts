import { type ProjectView, projectView, publicTree } from '@stagecraft/assistant'
import { chooseRules, type LintProject, readLintProject } from '@stagecraft/analysis'
import { parseConfig } from '@stagecraft/core'
import { type FileTree, memoryTree, readText, withTexts } from '@stagecraft/dbt'
import { type DialectName, StagecraftError, type Table } from '@stagecraft/spec'
import { type ProjectFiles, readBranchProject } from '../analyses/read-project-files.ts'
import type { ServiceContext } from '../context.ts'
import { newestFiles } from '../generations/newest-files.ts'
import { pushPolicy } from '../projects/git-faults.ts'
import { gitOf, gitSecretOf } from '../projects/git-settings.ts'
import { readProject } from '../projects/project-handlers.ts'
import { projectSettings } from '../projects/project-settings.ts'
import { pushCredentials } from '../pushes/push-order.ts'
import { fromJson } from '../store/rows.ts'
import type { ProjectRow } from '../store/schema.ts'

/** A project as the assistant sees it. */
export interface SeenProject {
  readonly view: ProjectView
  readonly files: ProjectFiles
}

/** The views that a process keeps; each may take a hundred megabytes. */
const KEPT = 2

/** The most raw tables that are looked at. */
const MOST_TABLES = 5000

interface Kept extends SeenProject {
  readonly key: string
}

/** Reads the dbt projects of projects, and keeps what was read last while its commit is the head of its branch. */
export class ProjectViews {
  readonly #kept: Kept[] = []

  /**
   * @throws {StagecraftError} INVALID_REQUEST for a project without a repository and without generated files, and for a
   * repository that cannot be read; CONNECTION_FAILED when it cannot be reached.
   */
  async read(context: ServiceContext, projectId: string, signal: AbortSignal): Promise<SeenProject> {
    const project = await readProject(context.store.db, projectId)
    const { dialect } = await projectSettings(context.store.db, projectId)
    const raw = await readRawTables(context, projectId)
    const key = JSON.stringify([placeOf(project), dialect, raw?.state])
    const known = this.#kept.find((one) => one.key === key)
    const files = await readProjectFiles(context, project, { known: known?.files, signal })
    if (known && files === known.files) return known
    if (!gitOf(project)) return look(files, { dialect, raw })
    const seen = await look(files, { dialect, raw })
    this.#kept.unshift({ ...seen, files, key })
    this.#kept.splice(KEPT)
    return seen
  }
}

/** What the files of a project are read from; the same text, the same place. */
export function placeOf(project: ProjectRow): string {
  const git = gitOf(project)
  return JSON.stringify([project.id, git?.remote, git?.branch, git?.path])
}

interface ReadOptions {
  /** What was read before from the same place; it is returned while the branch has the same commit. */
  readonly known: ProjectFiles | undefined
  readonly signal: AbortSignal
}

/**
 * Reads the dbt project of the branch or, without a repository, the files that units were generated to last.
 *
 * @throws {StagecraftError} As `ProjectViews.read`.
 */
export async function readProjectFiles(
  context: ServiceContext,
  project: ProjectRow,
  { known, signal }: ReadOptions,
): Promise<ProjectFiles> {
  const git = gitOf(project)
  if (!git) return await generatedFiles(context, project.id, signal)
  const credentials = pushCredentials(gitSecretOf(project, context.cipher))
  return await readBranchProject({
    remote: git.remote,
    branch: git.branch,
    path: git.path,
    ...(credentials && { credentials }),
    policy: pushPolicy(context.settings),
    signal,
    folder: context.settings.folder,
    ...(known && { known }),
  })
}

interface RawTables {
  readonly tables: readonly Table[]
  /** Changes with what is in the store. */
  readonly state: string
}

/** The tables of the connection of the project as its newest scan found them; undefined without one. */
async function readRawTables(
  { store }: Pick<ServiceContext, 'store'>,
  projectId: string,
): Promise<RawTables | undefined> {
  const scan = await store.db
    .selectFrom('scans')
    .innerJoin('projects', 'projects.connection_id', 'scans.connection_id')
    .select(['scans.id', 'scans.connection_id'])
    .where('projects.id', '=', projectId)
    .where('scans.state', '=', 'completed')
    .orderBy('scans.finished_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!scan) return undefined
  const rows = await store.db
    .selectFrom('source_tables')
    .select('definition')
    .where('connection_id', '=', scan.connection_id)
    .orderBy('name')
    .limit(MOST_TABLES)
    .execute()
  return { state: scan.id, tables: rows.map(({ definition }) => fromJson(definition) as Table) }
}

/** The files that units were generated to last, as a project of their own. */
async function generatedFiles(
  context: ServiceContext,
  projectId: string,
  signal: AbortSignal,
): Promise<ProjectFiles> {
  try {
    const files = await newestFiles(context, { projectId, signal })
    const texts = files.map(({ content, path }) => [path, content] as const)
    const all = [['dbt_project.yml', 'name: generated\n'], ...texts] as const
    const encoder = new TextEncoder()
    const bytes = Object.fromEntries(all.map(([path, text]) => [path, encoder.encode(text)]))
    return { files: bytes, folder: '', commit: undefined }
  } catch (error) {
    if (!(error instanceof StagecraftError) || error.code !== 'INVALID_REQUEST') throw error
    const suggestion = `set a repository: PATCH /v1/projects/${projectId} with {"git": {"remote": "https://…"}}; or generate units`
    throw StagecraftError.invalid(
      { path: 'git', expected: 'a project with a Git repository or generated units', received: 'neither' },
      { suggestion },
    )
  }
}

interface LookOptions {
  readonly dialect: DialectName | undefined
  readonly raw: RawTables | undefined
}

/** Nothing private of the repository is read, and nothing of it is run. */
async function look(files: ProjectFiles, { dialect, raw }: LookOptions): Promise<SeenProject> {
  const tree: FileTree = publicTree(memoryTree(files.files))
  const text = (await readText(tree, 'stagecraft.yml')) ?? ''
  const config = parseConfig(text, 'stagecraft.yml')
  const chosen = config.dialect ?? dialect
  const read = (changed: FileTree): Promise<LintProject> =>
    readLintProject(changed, {
      ...(chosen && { dialect: chosen }),
      ...(raw && { tables: raw.tables }),
      ignore: { path: 'stagecraft.yml', text, settings: config.lint?.ignore ?? [] },
      structure: true,
    })
  const rules = chooseRules({ severities: config.lint?.rules ?? {} })
  const view = projectView(await read(tree), {
    rules,
    tree,
    config,
    configText: text === '' ? undefined : text,
    read: (texts) => read(withTexts(tree, texts)),
  })
  return { view, files }
}
