import { setImmediate as pause } from 'node:timers/promises'
import { createRun } from '@stagecraft/core/run'
import { type Clock, type DialectName, StagecraftError } from '@stagecraft/spec'
import type { ServiceContext } from '../context.ts'
import type { HeldJob } from '../jobs/job-kind.ts'
import { type ProjectSettings, projectSettings } from '../projects/project-settings.ts'
import { isStoreFailure } from '../store/errors/store-failure.ts'
import type { GenerationRow } from '../store/schema.ts'
import { type BatchMember, readDoneItems, readOpenMembers } from './batch-members.ts'
import type { Batch } from './batch.ts'
import { type EditedMember, editMembers } from './edit-members.ts'
import { runSetup } from './make-generation.ts'
import { type ReadGroup, readMembers } from './read-members.ts'
import { countMembers } from './tell-generations.ts'
import { announceMembers, CHUNK, failMembers, type MemberOutcome, writeMembers } from './write-members.ts'

/** Does the members of a batch that have not ended, so that one that was begun before goes on where it was. */
export async function generateBatch(
  row: GenerationRow,
  held: HeldJob<'generations'>,
  context: ServiceContext,
): Promise<void> {
  const { db } = context.store
  const batch = { context, row, signal: held.signal }
  const settings = await projectSettings(db, row.project_id)
  const members = await readOpenMembers(db, row.id)
  for (const group of Map.groupBy(members, ({ connectionId }) => connectionId).values()) {
    held.signal.throwIfAborted()
    await generateGroup(group, settings, batch)
  }
  await assertAnyCompleted(batch)
  await held.finish(async (tx) => {
    const { tokens } = await tx.db
      .selectFrom('generations')
      .select(({ fn }) => fn.sum<number | string | null>('tokens_used').as('tokens'))
      .where('batch_id', '=', row.id)
      .executeTakeFirstOrThrow()
    return {
      tokens_used: Number(tokens ?? 0),
      duration_ms: (await tx.now()) - (row.started_at ?? row.created_at),
    }
  })
}

/** Tables of one connection, which know of each other. */
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
  const edited = await editMembers(planned, { batch, hasBackend: setup.llm !== undefined })
  await printMembers(edited, { batch, dialect: group.dialect })
}

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
      members.map((member) => ({ member, error })),
      batch,
    )
    return undefined
  }
}

async function printMembers(
  members: readonly EditedMember[],
  { batch, dialect }: { readonly batch: Batch; readonly dialect: DialectName },
): Promise<void> {
  for (let start = 0; start < members.length; start += CHUNK) {
    await pause()
    batch.signal.throwIfAborted()
    const chunk = members.slice(start, start + CHUNK)
    await announceMembers(
      chunk.map(({ member }) => member),
      batch,
    )
    const outcomes = chunk.map((one) => print(one, { dialect, clock: batch.context.clock }))
    await writeMembers(outcomes, batch)
  }
}

function print(
  { durationMs, member, table, tokensUsed }: EditedMember,
  { clock, dialect }: { readonly dialect: DialectName; readonly clock: Clock },
): MemberOutcome {
  const begunAt = clock.now()
  try {
    const data = table.generate()
    const spent = durationMs + clock.now() - begunAt
    return { member, made: { data, item: table.item(), dialect, tokensUsed, durationMs: spent } }
  } catch (error) {
    return { member, error }
  }
}

/** @throws {StagecraftError} GENERATION_FAILED when every unit failed. */
async function assertAnyCompleted({ context, row }: Batch): Promise<void> {
  const units = (await countMembers(context.store.db, [row.id])).get(row.id)
  if (!units || units.completed > 0 || units.failed === 0) return
  const reason = `none of ${units.total} units was generated; each of them says why`
  throw new StagecraftError('GENERATION_FAILED', reason, { details: { reason } })
}
