import type { QueryableProject } from '@stagecraft/assistant'
import type { ProjectFiles } from '../analyses/read-project-files.ts'
import type { ServiceContext } from '../context.ts'
import { readProject } from '../projects/project-settings.ts'
import { modelSettings, newestScanOf, readModelTable } from './model-tables.ts'
import { ProjectThread } from './project-thread.ts'
import { placeOf, readProjectFiles } from './read-files.ts'

/** A project as the assistant sees it. */
export interface SeenProject {
  readonly project: QueryableProject
  readonly files: ProjectFiles
}

/** The maximum number of raw tables that are read. */
const MOST_TABLES = 5000

/**
 * Reads the dbt project of a project: from its repository, or from its units. The thread is reused while its commit is
 * the head of the branch.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a project without a repository and without generated files, and for a
 * repository that cannot be read; CONNECTION_FAILED when it cannot be reached.
 */
export async function seeProject(
  context: ServiceContext,
  projectId: string,
  signal: AbortSignal,
): Promise<SeenProject> {
  const project = await readProject(context.store.db, projectId)
  const settings = await modelSettings(context.store.db, projectId)
  const scan = await newestScanOf(context.store.db, projectId)
  const key = JSON.stringify([placeOf(project), settings, scan?.id])
  const known = context.projects.find(key)
  const files = await readProjectFiles(context, project, { known: known?.files, signal })
  const asking = {
    signal,
    table: (source: string) => readModelTable(context, { projectId, source, signal }),
  }
  if (known && files === known.files) return { files, project: known.thread.projectFor(asking) }
  const tables = scan && (await readRawTables(context, scan.connection_id))
  const thread = new ProjectThread({ projectId, files: files.files, folder: files.folder, settings, tables })
  await context.projects.keep({ key, files, thread })
  return { files, project: thread.projectFor(asking) }
}

/** Reads the tables of a connection from its newest scan, each as JSON for the thread. */
async function readRawTables(
  { store }: Pick<ServiceContext, 'store'>,
  connectionId: string,
): Promise<readonly string[]> {
  const rows = await store.db
    .selectFrom('source_tables')
    .select('definition')
    .where('connection_id', '=', connectionId)
    .orderBy('name')
    .limit(MOST_TABLES)
    .execute()
  return rows.map(({ definition }) => definition)
}
