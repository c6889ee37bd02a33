import { chooseRules, findRule, suggestRule } from '@stagecraft/analysis'
import { StagecraftError } from '@stagecraft/spec'
import type {
  AnalysisDetail,
  AnalysisResource,
  ApiHandlers,
  FindingResource,
  NotChecked,
} from '@stagecraft/spec/api'
import { sql } from 'kysely'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { branchProblem } from '../git/branch-name.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { queuedJob } from '../jobs/lease.ts'
import { projectSettings } from '../projects/project-settings.ts'
import { readGit } from '../pushes/pushes.ts'
import { NO_OUTCOME, toPush } from '../pushes/to-push.ts'
import { jobMembers } from '../resources/job-members.ts'
import type { RuleChoice } from './check-project.ts'
import type { FixOrder } from './analysis-task.ts'
import { allOf, hasText, inPeriod, isValue } from '../store/list-filters.ts'
import { page } from '../store/page.ts'
import { fromJson, ownedRow, toJson } from '../store/rows.ts'
import type { AnalysisRow, FindingRow, PushRow } from '../store/schema.ts'

type AnalysisHandlers = Pick<
  ApiHandlers,
  'createAnalysis' | 'listAnalyses' | 'getAnalysis' | 'cancelAnalysis' | 'listFindings' | 'fixAnalysis'
>

/** Creates the handlers of the operations on analyses. */
export function analysisHandlers(context: ServiceContext): AnalysisHandlers {
  return {
    createAnalysis: (call) => createAnalysis(context, call),
    listAnalyses: (call) => listAnalyses(context, call),
    getAnalysis: (call) => getAnalysis(context, call),
    cancelAnalysis: (call) => cancelAnalysis(context, call),
    listFindings: (call) => listFindings(context, call),
    fixAnalysis: (call) => fixAnalysis(context, call),
  }
}

/** The columns that a request does not set. */
const EMPTY = {
  progress: null,
  commit_id: null,
  folder: null,
  files: null,
  models: null,
  score: null,
  findings: null,
  unlisted: null,
  suppressed: null,
  unchecked: null,
  not_checked: null,
} as const

/** Refuses an analysis that would fail at once. */
async function createAnalysis(
  context: ServiceContext,
  { body, caller: { projectId } }: CallOf<'createAnalysis'>,
): ReplyOf<'createAnalysis'> {
  const { archive, branch, path } = body
  const rules = { ...(body.select && { select: body.select }), ...(body.ignore && { ignore: body.ignore }) }
  chooseRules(rules)
  if (archive !== undefined && branch !== undefined)
    throw StagecraftError.invalid({ path: 'branch', expected: 'a branch or an archive', received: 'both' })
  if (branch !== undefined) assertBranch(branch)
  const row = await change(context, projectId, async (tx) => {
    const git = archive === undefined ? (await readGit(tx.db, projectId)).git : undefined
    const target = git ? toJson([git.remote, branch ?? git.branch ?? '', path ?? git.path ?? '']) : 'archive'
    const analysis: AnalysisRow = {
      ...queuedJob(await tx.now()),
      ...EMPTY,
      id: tx.ids.next('anl'),
      project_id: projectId,
      target,
      branch: branch ?? git?.branch ?? null,
      path: path ?? null,
      archive: archive ?? null,
      rules: toJson(rules),
    }
    await tx.db.insertInto('analyses').values(analysis).execute()
    tx.wakeAfter('jobs')
    return analysis
  })
  return { data: toAnalysis(row), status: 202 }
}

/** The columns that lists show: archives and reasons may be large. */
const LISTED_COLUMNS = [
  'id',
  'target',
  'branch',
  'path',
  'state',
  'error',
  'created_at',
  'started_at',
  'finished_at',
  'progress',
  'commit_id',
  'folder',
  'files',
  'models',
  'score',
  'findings',
  'unlisted',
  'suppressed',
  'unchecked',
] as const satisfies readonly (keyof AnalysisRow)[]

async function listAnalyses(
  { store }: ServiceContext,
  { caller, query: { branch, since, state, until, ...position } }: CallOf<'listAnalyses'>,
): ReplyOf<'listAnalyses'> {
  const analyses = store.db
    .selectFrom('analyses')
    .select(LISTED_COLUMNS)
    .where('project_id', '=', caller.projectId)
    .where(allOf([isValue('state', state), isValue('branch', branch), ...inPeriod({ since, until })]))
  const { nextCursor, rows } = await page(analyses, position)
  return { data: { items: rows.map(toAnalysis) }, nextCursor }
}

async function getAnalysis(
  { store }: ServiceContext,
  { caller: { projectId }, params: { analysisId } }: CallOf<'getAnalysis'>,
): ReplyOf<'getAnalysis'> {
  const row = await ownedRow(store, 'analyses', { projectId, id: analysisId })
  const data: AnalysisDetail = {
    ...toAnalysis(row),
    ...(row.not_checked !== null && { notChecked: fromJson(row.not_checked) as NotChecked[] }),
  }
  return { data }
}

/** An analysis that has ended is not changed. */
async function cancelAnalysis(
  context: ServiceContext,
  { caller: { projectId }, params: { analysisId } }: CallOf<'cancelAnalysis'>,
): ReplyOf<'cancelAnalysis'> {
  const data = await change(context, projectId, async (tx) => {
    const finished_at = await tx.now()
    const analyses = tx.db
      .updateTable('analyses')
      .where('id', '=', analysisId)
      .where('project_id', '=', projectId)
    await analyses
      .set({ state: 'cancelled', finished_at, archive: null })
      .where('state', '=', 'queued')
      .execute()
    await analyses.set({ cancel: 1 }).where('state', '=', 'running').execute()
    tx.wakeAfter('jobs')
    return toAnalysis(await tx.own('analyses', analysisId))
  })
  return { data }
}

async function listFindings(
  { store }: ServiceContext,
  { caller: { projectId }, params: { analysisId }, query }: CallOf<'listFindings'>,
): ReplyOf<'listFindings'> {
  const { cursor, limit, path, rule, search, severity, state } = query
  await ownedRow(store, 'analyses', { projectId, id: analysisId })
  const folder = sql`cast(${`${(path ?? '').replace(/\/+$/, '')}/`} as text)`
  const findings = store.db
    .selectFrom('findings')
    .selectAll()
    .where('analysis_id', '=', analysisId)
    .$if(rule !== undefined, (some) => some.where('rule', '=', idOfRule(rule ?? '')))
    .$if(severity !== undefined, (some) => some.where('severity', '=', severity ?? 'error'))
    .$if(state !== undefined, (some) => some.where('state', '=', state ?? 'new'))
    .$if(search !== undefined, (some) => some.where(hasText(['message', 'path', 'subject'], search ?? '')))
    .$if(path !== undefined, (some) =>
      some.where(sql<boolean>`(path = ${path} or substr(path, 1, length(${folder})) = ${folder})`),
    )
  const { nextCursor, rows } = await page(findings, { cursor, limit })
  return { data: { items: rows.map(toFinding) }, nextCursor }
}

/** Returns the id of a rule by its id or name. Findings of rules of other versions are found by their ids. */
function idOfRule(name: string): string {
  const id = findRule(name)?.id ?? name.toUpperCase()
  if (/^SC\d{3}$/.test(id)) return id
  throw StagecraftError.invalid(
    { path: 'query.rule', expected: 'the id or the name of a rule', received: JSON.stringify(name) },
    { suggestion: suggestRule(name) },
  )
}

/** Plans the fixes from the current branch, because people may have fixed or added findings since the analysis. */
async function fixAnalysis(
  context: ServiceContext,
  { body, caller: { projectId }, params: { analysisId } }: CallOf<'fixAnalysis'>,
): ReplyOf<'fixAnalysis'> {
  const { branch, dryRun = false, message, rules, unsafe = false } = body
  assertBranch(branch)
  for (const id of rules ?? []) chooseRules({ select: [id] })
  const push = await change(context, projectId, async (tx) => {
    const analysis = await tx.own('analyses', analysisId)
    assertFixable(analysis)
    const { git } = await readGit(tx.db, projectId)
    const order: FixOrder = {
      rules: fromJson(analysis.rules) as RuleChoice,
      ...(rules && { only: rules }),
      unsafe,
    }
    const base = analysis.branch ?? git.branch
    const path = analysis.path ?? git.path
    const row: PushRow = {
      ...queuedJob(await tx.now()),
      ...NO_OUTCOME,
      id: tx.ids.next('push'),
      project_id: projectId,
      branch,
      message: message ?? `Fix what analysis ${analysisId} found`,
      unit_ids: '[]',
      overwrite: 0,
      dry_run: dryRun ? 1 : 0,
      git: toJson({
        ...git,
        ...(base !== undefined && { branch: base }),
        ...(path !== undefined && { path }),
      }),
      settings: toJson(await projectSettings(tx.db, projectId)),
      analysis_id: analysisId,
      fixes: toJson(order),
      proposal: null,
      proposal_items: null,
    }
    await tx.db.insertInto('pushes').values(row).execute()
    tx.wakeAfter('jobs')
    return row
  })
  return { data: toPush(push), status: 202 }
}

function assertBranch(branch: string): void {
  const expected = branchProblem(branch)
  if (expected !== undefined)
    throw StagecraftError.invalid({ path: 'branch', expected, received: JSON.stringify(branch) })
}

/** An upload has no branch to push to. */
function assertFixable({ state, target }: AnalysisRow): void {
  if (target === 'archive')
    throw StagecraftError.invalid(
      { path: 'analysisId', expected: 'an analysis of a repository', received: 'an analysis of an archive' },
      { suggestion: 'use stagecraft lint --fix for the files of an archive' },
    )
  if (state !== 'completed')
    throw StagecraftError.invalid({
      path: 'analysisId',
      expected: 'a completed analysis',
      received: `one that is ${state}`,
    })
}

/** An analysis as the interface shows it. */
function toAnalysis(row: Pick<AnalysisRow, (typeof LISTED_COLUMNS)[number]>): AnalysisResource {
  return {
    id: row.id,
    origin: row.target === 'archive' ? 'archive' : 'repository',
    ...(row.branch !== null && { branch: row.branch }),
    ...(row.path !== null && { path: row.path }),
    ...jobMembers(row),
    ...jsonMember('progress', row.progress),
    ...(row.commit_id !== null && { commit: row.commit_id }),
    ...(row.folder !== null && { folder: row.folder }),
    ...(row.files !== null && { files: row.files }),
    ...(row.models !== null && { models: row.models }),
    ...jsonMember('score', row.score),
    ...jsonMember('findings', row.findings),
    ...(row.unlisted !== null && row.unlisted > 0 && { unlisted: row.unlisted }),
    ...(row.suppressed !== null && { suppressed: row.suppressed }),
    ...(row.unchecked !== null && { unchecked: row.unchecked }),
  }
}

/** A member of an analysis that is kept as JSON, if there is one. */
function jsonMember<Name extends 'progress' | 'score' | 'findings'>(
  name: Name,
  text: string | null,
): Partial<Pick<AnalysisResource, Name>> {
  return text === null ? {} : ({ [name]: fromJson(text) } as Pick<AnalysisResource, Name>)
}

function toFinding(row: FindingRow): FindingResource {
  return {
    rule: row.rule,
    name: row.name,
    group: row.rule_group,
    severity: row.severity,
    state: row.state,
    message: row.message,
    help: row.help,
    path: row.path,
    start: { line: row.start_line, column: row.start_column },
    end: { line: row.end_line, column: row.end_column },
    text: row.text,
    subject: fromJson(row.subject) as FindingResource['subject'],
    ...(row.fix !== null && { fix: fromJson(row.fix) as NonNullable<FindingResource['fix']> }),
    fingerprint: row.fingerprint,
  }
}
