import {
  type EditedItem,
  type RunTable,
  chooseDialect,
  createRun,
  printItem,
  readRequests,
} from '@stagecraft/core/run'
import { type DialectName, StagecraftError } from '@stagecraft/spec'
import { setImmediate as pause } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { ServiceContext } from '../context.ts'
import { type JobKind, type Lease, LeaseLost } from '../jobs/lease.ts'
import { type ProjectSettings, projectSettings } from '../projects/project-settings.ts'
import { chunksOf } from '../store/rows.ts'
import { isStoreFailure } from '../store/errors/store-failure.ts'
import type { GenerationRow } from '../store/schema.ts'
import { type BatchMember, readDoneItems, readOpenMembers } from './batch-members.ts'
import { generateUnit, runSetup, withColumns } from './generate-unit.ts'
import {
  type FailedGeneration,
  GenerationAttempt,
  type MadeGeneration,
  endMembers,
  publishEnds,
} from './generation-attempt.ts'
import { countMembers } from './read-generations.ts'

/** A running batch. */
interface Batch {
  readonly context: ServiceContext
  readonly row: GenerationRow
  readonly signal: AbortSignal
  readonly attempt: GenerationAttempt
}

/**
 * The number of members that are written together. Small, so that progress shows and a cancellation takes effect soon.
 */
const CHUNK = 20

/** The number of tables that the backend is asked about at the same time. Fast, and below the usual limits of a key. */
const CONCURRENCY = 4

/** Generates the unfinished members of a batch, so that a batch that was interrupted resumes. */
async function generateBatch(
  row: GenerationRow,
  lease: Lease<'generations'>,
  context: ServiceContext,
): Promise<void> {
  const { db } = context.store
  const batch = { context, row, signal: lease.signal, attempt: new GenerationAttempt(lease) }
  const settings = await projectSettings(db, row.project_id)
  const members = await readOpenMembers(db, row.id)
  for (const group of Map.groupBy(members, ({ connectionId }) => connectionId).values()) {
    lease.signal.throwIfAborted()
    await generateGroup(group, settings, batch)
  }
  await assertAnyCompleted(batch)
  await lease.finish(async (tx) => {
    const { tokens } = await tx.db
      .selectFrom('generations')
      .select(({ fn }) => fn.sum<number | string | null>('tokens_used').as('tokens'))
      .where('batch_id', '=', row.id)
      .executeTakeFirstOrThrow()
    const duration_ms = (await tx.now()) - (row.started_at ?? row.created_at)
    return { tokens_used: Number(tokens ?? 0), duration_ms }
  })
}

/** Generates tables of one connection together. */
async function generateGroup(
  members: readonly BatchMember[],
  settings: ProjectSettings,
  batch: Batch,
): Promise<void> {
  const group = await tryRead(members, settings, batch)
  if (!group) return
  await failMembers(group.failed, batch)
  const { context, row } = batch
  const connectionId = members[0]?.connectionId ?? null
  const done = await readDoneItems(context.store.db, row.id, connectionId)
  const setup = runSetup(context, settings, group.dialect)
  const run = createRun([...group.read.map(({ item }) => item), ...done], setup)
  const planned = group.read.flatMap(({ member }, index) => {
    const table = run.tables[index]
    return table ? [{ member, table }] : []
  })
  const edited = await editMembers(planned, batch, { hasBackend: setup.llm !== undefined })
  await printMembers(edited, batch, group.dialect)
}

interface ReadGroup {
  readonly dialect: DialectName
  readonly read: readonly { readonly member: BatchMember; readonly item: EditedItem }[]
  readonly failed: readonly FailedGeneration[]
}

/** Reads tables together. Returns undefined, after recording the failures, if none could be read. */
async function tryRead(
  members: readonly BatchMember[],
  settings: ProjectSettings,
  batch: Batch,
): Promise<ReadGroup | undefined> {
  try {
    return await readMembers(members, settings, batch)
  } catch (error) {
    if (batch.signal.aborted || isStoreFailure(error)) throw error
    await failMembers(
      members.map((subject) => ({ subject, error })),
      batch,
    )
    return undefined
  }
}

function readMembers(
  members: readonly BatchMember[],
  settings: ProjectSettings,
  { context, row, signal }: Batch,
): Promise<ReadGroup> {
  const connectionId = members[0]?.connectionId ?? null
  const place = { projectId: row.project_id, columns: row.columns, signal, connectionId }
  return withColumns(context, place, async (catalog) => {
    const dialect = chooseDialect(settings, catalog)
    const fresh = members.filter(({ before }) => before === undefined)
    const requests = fresh.map(({ request }) => request)
    const outcomes = await readRequests(requests, { ...settings, dialect, catalog, signal })
    const byMember = new Map(fresh.map((member, index) => [member, outcomes[index]]))
    const read: ReadGroup['read'][number][] = []
    const failed: FailedGeneration[] = []
    for (const member of members) {
      const outcome = member.before ?? byMember.get(member)
      if (outcome && 'item' in outcome) read.push({ member, item: outcome.item })
      else failed.push({ subject: member, error: outcome?.error })
    }
    return { dialect, read, failed }
  })
}

/** A member with its table in the run of the group. */
interface PlannedMember {
  readonly member: BatchMember
  readonly table: RunTable
}

/** A member with its table after the edits of the backend. */
interface EditedMember extends PlannedMember {
  readonly tokensUsed: number
  readonly durationMs: number
}

/**
 * Asks the backend about each member; without one nothing happens. All are edited before any is printed, because tests
 * refer to the final names of other tables. Paid results are stored immediately, so they are not requested twice.
 *
 * @returns Those that can be printed; the others have failed.
 */
async function editMembers(
  members: readonly PlannedMember[],
  batch: Batch,
  { hasBackend }: { readonly hasBackend: boolean },
): Promise<readonly EditedMember[]> {
  const limit = pLimit(CONCURRENCY)
  const edits = members.map((one) =>
    limit(async () => {
      const { before } = one.member
      if (before) return { ...one, tokensUsed: before.tokensUsed, durationMs: before.durationMs }
      if (!hasBackend) return { ...one, tokensUsed: 0, durationMs: 0 }
      batch.signal.throwIfAborted()
      return await editMember(one, batch)
    }),
  )
  // Wait for all of them: members under way still write to the store.
  const settled = await Promise.allSettled(edits)
  return settled.flatMap((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value ?? []
  })
}

async function editMember(
  { member, table }: PlannedMember,
  { attempt, context, signal }: Batch,
): Promise<EditedMember | undefined> {
  const { clock, store } = context
  const begunAt = clock.now()
  await attempt.start([member])
  try {
    const { item, meta } = await table.edit({ signal })
    const edited = { member, table, tokensUsed: meta.tokensUsed, durationMs: clock.now() - begunAt }
    await store.db
      .updateTable('generations')
      .set({ item: printItem(item), tokens_used: edited.tokensUsed, duration_ms: edited.durationMs })
      .where('id', '=', member.generationId)
      .where('state', '=', 'running')
      .execute()
    return edited
  } catch (error) {
    if (signal.aborted || isStoreFailure(error) || error instanceof LeaseLost) throw error
    await attempt.fail([{ subject: member, error }])
    return undefined
  }
}

async function printMembers(
  members: readonly EditedMember[],
  { attempt, context, signal }: Batch,
  dialect: DialectName,
): Promise<void> {
  for (const chunk of chunksOf(members, CHUNK)) {
    await pause()
    signal.throwIfAborted()
    await attempt.start(chunk.map(({ member }) => member))
    const made: { subject: BatchMember; made: MadeGeneration }[] = []
    const failed: FailedGeneration[] = []
    for (const { durationMs, member: subject, table, tokensUsed } of chunk) {
      const begunAt = context.clock.now()
      try {
        const data = table.generate()
        const spent = durationMs + context.clock.now() - begunAt
        made.push({ subject, made: { data, item: table.item(), dialect, tokensUsed, durationMs: spent } })
      } catch (error) {
        failed.push({ subject, error })
      }
    }
    await attempt.complete(made)
    if (failed.length > 0) await attempt.fail(failed)
  }
}

/** Writes members that fail before generation begins, with their start and end. */
async function failMembers(failed: readonly FailedGeneration[], { attempt }: Batch): Promise<void> {
  for (const chunk of chunksOf(failed, CHUNK)) {
    await attempt.start(chunk.map(({ subject }) => subject))
    await attempt.fail(chunk)
  }
}

/** @throws {StagecraftError} GENERATION_FAILED when every unit failed. */
async function assertAnyCompleted({ context, row }: Batch): Promise<void> {
  const units = (await countMembers(context.store.db, [row.id])).get(row.id)
  if (!units || units.completed > 0 || units.failed === 0) return
  const reason = `none of ${units.total} units was generated; the error of each unit has the reason`
  throw new StagecraftError('GENERATION_FAILED', reason, { details: { reason } })
}

/** Returns how generations of one unit and of batches are done in the background. */
export function generationJobs(context: ServiceContext): JobKind<'generations'> {
  return {
    table: 'generations',
    concurrency: 4,
    async run(row, lease) {
      if (row.is_request === 1) throw abandoned()
      await (row.kind === 'unit' ? generateUnit : generateBatch)(row, lease, context)
    },
    async ended(tx, { id, kind }, end) {
      if (kind === 'unit') return await publishEnds(tx, [id], end.error)
      await endMembers(tx, id, end)
    },
  }
}

/** A request's generation is claimed only after its lease ran out, when its client no longer waits. */
function abandoned(): StagecraftError {
  const reason = 'its worker process died before it was done'
  return new StagecraftError('GENERATION_FAILED', reason, { details: { reason } })
}
