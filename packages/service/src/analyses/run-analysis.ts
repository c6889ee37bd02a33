import type { Change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { JobKind, JobResult, Lease } from '../jobs/lease.ts'
import { gitSecretOf } from '../projects/git-settings.ts'
import { pushPolicy } from '../projects/git-faults.ts'
import { projectSettings } from '../projects/project-settings.ts'
import { pushCredentials, readGit } from '../pushes/pushes.ts'
import { chunksOf, fromJson, toJson } from '../store/rows.ts'
import type { AnalysisRow } from '../store/schema.ts'
import type { WorkerLimits } from '../worker/run-in-worker.ts'
import type { ProjectInput } from './analysis-task.ts'
import { ANALYSIS_LIMITS, checkInThread } from './analysis-thread.ts'
import { compareReport, type RuleChoice, type StoredFinding } from './check-project.ts'
import { readBranchProject } from './read-project-files.ts'

/** One at a time, because a large project is held in memory as a whole. */
const CONCURRENCY = 1

/** Defines the jobs that check dbt projects. */
export function analysisJobs(
  context: ServiceContext,
  limits: WorkerLimits = ANALYSIS_LIMITS,
): JobKind<'analyses'> {
  return {
    table: 'analyses',
    concurrency: CONCURRENCY,
    run: (row, lease) => runAnalysis(context, row, { lease, limits }),
    ended: (tx, { id }) => dropArchive(tx, id),
  }
}

/** The project itself is not stored, only its findings. */
async function dropArchive(tx: Change, id: string): Promise<void> {
  await tx.db.updateTable('analyses').set({ archive: null }).where('id', '=', id).execute()
}

async function runAnalysis(
  context: ServiceContext,
  row: AnalysisRow,
  { lease, limits }: { readonly lease: Lease<'analyses'>; readonly limits: WorkerLimits },
): Promise<void> {
  await lease.progress({ progress: toJson({ step: 'reading' }) })
  const project = await openProject(context, row, lease.signal)
  lease.signal.throwIfAborted()
  await lease.progress({ progress: toJson({ step: 'checking' }) })
  const { dialect } = await projectSettings(context.store.db, row.project_id)
  const { folder, summary } = await checkInThread(
    { input: project.input, rules: fromJson(row.rules) as RuleChoice, dialect },
    { signal: lease.signal, limits },
  )
  lease.signal.throwIfAborted()
  await lease.progress({ progress: toJson({ step: 'storing' }) })
  await lease.finish(async (tx): Promise<JobResult<'analyses'>> => {
    const { columns, findings } = compareReport(summary, await findingsBefore(tx, row))
    await storeFindings(tx, row, findings)
    await dropOldFindings(tx, row)
    return {
      ...columns,
      archive: null,
      progress: null,
      commit_id: project.commit ?? null,
      folder: folder ?? project.folder,
    }
  })
}

/** A project to check, and its origin. */
interface OpenedProject {
  readonly input: ProjectInput
  readonly folder: string
  readonly commit: string | undefined
}

async function openProject(
  { cipher, settings, store }: ServiceContext,
  { archive, branch, path, project_id }: AnalysisRow,
  signal: AbortSignal,
): Promise<OpenedProject> {
  if (archive !== null) return { input: { archive, path: path ?? undefined }, folder: '', commit: undefined }
  const { git, project } = await readGit(store.db, project_id)
  const credentials = pushCredentials(gitSecretOf(project, cipher))
  const { commit, files, folder } = await readBranchProject({
    remote: git.remote,
    branch: branch ?? git.branch,
    path: path ?? git.path,
    ...(credentials && { credentials }),
    policy: pushPolicy(settings),
    signal,
    folder: settings.folder,
  })
  return { input: { files }, folder, commit }
}

/** Selects the other completed analyses of the same target. */
function completedBefore(tx: Change, { id, project_id, target }: AnalysisRow) {
  return tx.db
    .selectFrom('analyses')
    .select('id')
    .where('project_id', '=', project_id)
    .where('target', '=', target)
    .where('state', '=', 'completed')
    .where('id', '!=', id)
}

/** The findings of the newest completed analysis of the same target; undefined for the first one. */
async function findingsBefore(tx: Change, row: AnalysisRow): Promise<readonly StoredFinding[] | undefined> {
  const before = await completedBefore(tx, row)
    .orderBy('finished_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!before) return undefined
  const rows = await tx.db
    .selectFrom('findings')
    .selectAll()
    .where('analysis_id', '=', before.id)
    .where('state', '!=', 'fixed')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ analysis_id: _, created_at: __, id: ___, project_id: ____, ...finding }) => finding)
}

/** Lists are in descending order, so the first finding has the highest number. */
async function storeFindings(
  tx: Change,
  { id, project_id }: AnalysisRow,
  findings: readonly StoredFinding[],
): Promise<void> {
  const created_at = await tx.now()
  const rows = findings.map((finding, index) => ({
    ...finding,
    id: `${id}.${String(findings.length - index).padStart(6, '0')}`,
    project_id,
    analysis_id: id,
    created_at,
  }))
  for (const chunk of chunksOf(rows)) await tx.db.insertInto('findings').values(chunk).execute()
}

/** The number of analyses of a target whose findings are kept. */
const KEPT = 10

async function dropOldFindings(tx: Change, row: AnalysisRow): Promise<void> {
  const old = await completedBefore(tx, row)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1000)
    .offset(KEPT - 1)
    .execute()
  for (const chunk of chunksOf(old.map(({ id }) => id)))
    await tx.db.deleteFrom('findings').where('analysis_id', 'in', chunk).execute()
}
