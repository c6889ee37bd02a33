import {
  type Proposal,
  type ProposalDraft,
  type ProposedFile,
  type Proposer,
  sealProposal,
} from '@stagecraft/assistant'
import { StagecraftError } from '@stagecraft/spec'
import type { Caller, ProposalResource } from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import { type Change, change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { branchProblem } from '../git/branch-name.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { queuedJob } from '../jobs/lease.ts'
import { readGit } from '../pushes/pushes.ts'
import { NO_OUTCOME, toPush } from '../pushes/to-push.ts'
import { toIso } from '../resources/job-members.ts'
import { page } from '../store/page.ts'
import { fromJson, toJson } from '../store/rows.ts'
import type { Database, PushRow } from '../store/schema.ts'
import type { ProposalRow } from '../store/talk-rows.ts'
import { mayOpen } from './conversation-handlers.ts'
import { modelSettings } from './model-tables.ts'
import { hashText, isChange, type PlannedFile, readText } from '@stagecraft/dbt'
import type { ProjectPlanner } from '../git/push-options.ts'
import { planOf } from '../analyses/fix-project.ts'
import type { ProjectSettings } from '../projects/project-settings.ts'
import { planUnitsInThread } from '../pushes/plan-thread.ts'
import { itemsOf, proposedUnits } from './plan-models.ts'

interface KeepOptions {
  /** The key that asked, and the conversation; none over MCP. */
  readonly asked: Pick<ProposalRow, 'key_id' | 'conversation_id' | 'message_id'>
  readonly createdBy: Proposer
  readonly folder: string
}

/** The maximum number of undecided proposals of a project. */
const MOST_OPEN = 200

/**
 * Stores a proposal for its caller. It changes nothing until a person applies it.
 *
 * @throws {StagecraftError} INVALID_REQUEST if too many wait.
 */
export async function keepProposal(
  tx: Change,
  draft: ProposalDraft,
  { asked, createdBy, folder }: KeepOptions,
): Promise<Proposal> {
  await assertFew(tx)
  const now = await tx.now()
  const proposal = sealProposal(draft, { id: tx.ids.next('prop'), createdBy, now })
  const columns: ProposalRow = {
    id: proposal.id,
    project_id: tx.projectId,
    ...asked,
    kind: proposal.kind,
    title: proposal.title,
    files: toJson([...proposal.files]),
    items: proposal.items ? toJson([...proposal.items]) : null,
    evidence: toJson([...proposal.evidence]),
    notes: toJson([...proposal.notes]),
    folder,
    push_id: null,
    created_at: now,
    expires_at: Date.parse(proposal.expiresAt),
  }
  await tx.db.insertInto('proposals').values(columns).execute()
  return proposal
}

/** @throws {StagecraftError} INVALID_REQUEST if too many proposals wait for a decision. */
async function assertFew(tx: Change): Promise<void> {
  const { open } = await tx.db
    .selectFrom('proposals')
    .select(({ fn }) => fn.countAll<number | string>().as('open'))
    .where('project_id', '=', tx.projectId)
    .where('push_id', 'is', null)
    .where('expires_at', '>', await tx.now())
    .executeTakeFirstOrThrow()
  if (Number(open) < MOST_OPEN) return
  throw StagecraftError.invalid(
    { path: 'proposals', expected: `fewer than ${MOST_OPEN} open ones`, received: String(open) },
    { suggestion: 'they expire after 7 days' },
  )
}

/** The files of a proposal, as stored. */
function proposedFiles(text: string): readonly ProposedFile[] {
  return fromJson(text) as readonly ProposedFile[]
}

/** A proposal and the state of its last push. */
type PushedProposal = ProposalRow & { readonly push_state: PushRow['state'] | null }

function withPushes(db: Kysely<Database>, { projectId }: Caller) {
  return db
    .selectFrom('proposals')
    .leftJoin('pushes', 'pushes.id', 'proposals.push_id')
    .selectAll('proposals')
    .select('pushes.state as push_state')
    .where('proposals.project_id', '=', projectId)
}

/** @throws {StagecraftError} NOT_FOUND, also for a proposal of another key: knowing an id is not a permission. */
async function openProposal(db: Kysely<Database>, caller: Caller, id: string): Promise<PushedProposal> {
  const row = await withPushes(db, caller).where('proposals.id', '=', id).executeTakeFirst()
  if (row && mayOpen(caller, row.key_id)) return row
  throw StagecraftError.unknownId('proposal', id)
}

export async function listProposals(
  { store }: ServiceContext,
  { caller, query }: CallOf<'listProposals'>,
): ReplyOf<'listProposals'> {
  const proposals = withPushes(store.db, caller).$if(!caller.scopes.includes('admin'), (some) =>
    some.where('proposals.key_id', '=', caller.keyId),
  )
  const { nextCursor, rows } = await page(proposals, {
    ...query,
    order: ['proposals.created_at', 'proposals.id'],
  })
  const now = await store.now()
  return { data: { items: rows.map((row) => toProposal(row, now)) }, nextCursor }
}

export async function getProposal(
  { store }: ServiceContext,
  { caller, params: { proposalId } }: CallOf<'getProposal'>,
): ReplyOf<'getProposal'> {
  return { data: toProposal(await openProposal(store.db, caller, proposalId), await store.now()) }
}

/** A push of the proposal that is under way continues, because it has its own files. */
export async function discardProposal(
  context: ServiceContext,
  { caller, params: { proposalId } }: CallOf<'discardProposal'>,
): ReplyOf<'discardProposal'> {
  await change(context, caller.projectId, async (tx) => {
    await openProposal(tx.db, caller, proposalId)
    await tx.db.deleteFrom('proposals').where('id', '=', proposalId).execute()
  })
  return { data: { id: proposalId, deleted: true } }
}

/** The files are compared with the branch when they are pushed. */
export async function applyProposal(
  context: ServiceContext,
  { body, caller, params: { proposalId } }: CallOf<'applyProposal'>,
): ReplyOf<'applyProposal'> {
  const { branch, dryRun = false, message } = body
  const expected = branchProblem(branch)
  if (expected !== undefined)
    throw StagecraftError.invalid({ path: 'branch', expected, received: JSON.stringify(branch) })
  const push = await change(context, caller.projectId, async (tx) => {
    const proposal = await openProposal(tx.db, caller, proposalId)
    const now = await tx.now()
    if (proposal.expires_at <= now)
      throw StagecraftError.invalid(
        { path: 'proposalId', expected: 'a proposal that has not expired', received: 'one that has' },
        { suggestion: 'ask for a new proposal' },
      )
    const { git } = await readGit(tx.db, caller.projectId)
    const row: PushRow = {
      ...queuedJob(now),
      ...NO_OUTCOME,
      id: tx.ids.next('push'),
      project_id: caller.projectId,
      branch,
      message: message ?? proposal.title,
      unit_ids: '[]',
      overwrite: 0,
      dry_run: dryRun ? 1 : 0,
      git: toJson({ ...git, path: proposal.folder === '' ? '.' : proposal.folder }),
      settings: toJson(await modelSettings(tx.db, caller.projectId)),
      analysis_id: null,
      fixes: null,
      proposal: proposal.files,
      proposal_items: proposal.items,
    }
    await tx.db.insertInto('pushes').values(row).execute()
    if (!dryRun)
      await tx.db.updateTable('proposals').set({ push_id: row.id }).where('id', '=', proposalId).execute()
    tx.wakeAfter('jobs')
    return row
  })
  return { data: toPush(push), status: 202 }
}

function stateOf(row: PushedProposal, now: number): ProposalResource['state'] {
  if (row.push_state === 'completed') return 'applied'
  if (row.push_state === 'queued' || row.push_state === 'running') return 'applying'
  return row.expires_at <= now ? 'expired' : 'open'
}

function toProposal(row: PushedProposal, now: number): ProposalResource {
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    state: stateOf(row, now),
    ...(row.conversation_id !== null && { conversationId: row.conversation_id }),
    ...(row.message_id !== null && { messageId: row.message_id }),
    files: proposedFiles(row.files).map(({ after, baseSha256, patch, path }) => ({
      path,
      change: baseSha256 === null ? 'create' : after === null ? 'remove' : 'update',
      ...(baseSha256 !== null && { baseSha256 }),
      diff: patch,
    })),
    evidence: fromJson(row.evidence) as string[],
    notes: fromJson(row.notes) as string[],
    ...(row.push_id !== null && { pushId: row.push_id }),
    createdAt: toIso(row.created_at),
    expiresAt: toIso(row.expires_at),
  }
}

/** Plans the files of a proposal for a branch. A file that has changed since needs a new proposal. */
export function planProposal(files: string, folder: string | undefined): ProjectPlanner {
  return {
    folder,
    async plan({ tree }) {
      const planned: PlannedFile[] = []
      const changed: string[] = []
      for (const file of proposedFiles(files)) {
        const { baseSha256, path } = file
        const after = file.after ?? undefined
        const now = await readText(tree, path)
        if (now === after) continue
        if ((now === undefined ? null : hashText(now)) !== baseSha256) changed.push(path)
        const action = after === undefined ? 'orphan' : now === undefined ? 'create' : 'update'
        planned.push({ path, action, before: now, after, covers: [], conflicts: [], notes: [] })
      }
      if (changed.length > 0) throw filesChanged(changed)
      return planOf(planned)
    },
  }
}

interface ProposedModelsOptions {
  /** JSON of the proposed files. */
  readonly files: string
  /** JSON of the tables that they are planned from. */
  readonly items: string
  readonly settings: ProjectSettings
  readonly folder: string | undefined
  readonly signal: AbortSignal
}

/** Plans proposed models for a branch again. The result must equal the proposal byte for byte. */
export function planProposedModels({
  files,
  folder,
  items,
  settings,
  signal,
}: ProposedModelsOptions): ProjectPlanner {
  const wanted = new Map(proposedFiles(files).map(({ after, path }) => [path, after ?? undefined]))
  return {
    folder,
    async plan(project, exceptions) {
      const units = proposedUnits(itemsOf(items), { folder: project.folder, settings })
      const planned = await planUnitsInThread({ ...units, signal }).plan(project, exceptions)
      const changes = planned.plan.files.filter(isChange)
      const after = new Map(changes.map((file) => [file.path, file.after]))
      const changed: string[] = []
      for (const path of new Set([...after.keys(), ...wanted.keys()])) {
        const now = after.has(path) ? after.get(path) : await readText(project.tree, path)
        if (!wanted.has(path) || now !== wanted.get(path)) changed.push(path)
      }
      if (changed.length > 0) throw filesChanged(changed)
      // They belong to no unit, so pushes of units ignore them.
      return { ...planned, pushed: new Map() }
    },
  }
}

function filesChanged(files: readonly string[]): StagecraftError {
  const suggestion = 'ask for a new proposal'
  return StagecraftError.invalid(
    {
      path: 'proposalId',
      expected: 'a proposal for the current files of the branch',
      received: 'a proposal for other files',
    },
    { details: { reason: 'files_changed', files }, suggestion },
  )
}
