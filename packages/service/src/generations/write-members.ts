import type { Transaction } from 'kysely'
import { toJobError } from '../jobs/job-error.ts'
import type { Database } from '../store/schema.ts'
import { announceGenerations } from './announce-generations.ts'
import { assertHeld } from './assert-held.ts'
import type { Batch } from './batch.ts'
import type { BatchMember } from './batch-members.ts'
import { endGenerations } from './end-generations.ts'
import { type MadeGeneration, recordGeneration } from './record-generation.ts'

/** What became of a member. */
export type MemberOutcome = { readonly member: BatchMember } & (
  | { readonly made: MadeGeneration }
  | { readonly error: unknown }
)

/** Members that are written together: few enough that progress shows and a cancellation is soon seen. */
export const CHUNK = 20

/** Tells that members begin. */
export async function announceMembers(
  members: readonly BatchMember[],
  { context, row }: Batch,
): Promise<void> {
  const { ids, store, wake } = context
  await store.transaction(async (transaction) => {
    await assertHeld(transaction, row)
    await announceGenerations(transaction, members, { ids, now: await store.now(transaction) })
  })
  wake.notify('deliveries')
}

/** Ends members. One that was cancelled or whose unit was deleted meanwhile stays as it is. */
export async function writeMembers(
  outcomes: readonly MemberOutcome[],
  { context, row }: Batch,
): Promise<void> {
  const { ids, store, wake } = context
  await store.transaction(async (transaction) => {
    await assertHeld(transaction, row)
    const setup = { ids, now: await store.now(transaction) }
    for (const outcome of outcomes) {
      const { member } = outcome
      if ('made' in outcome) {
        await complete(transaction, member, { ...setup, made: outcome.made })
        continue
      }
      const end = { ...setup, state: 'failed', error: toJobError(outcome.error) } as const
      await endGenerations(transaction, { ids: [member.generationId] }, end)
    }
  })
  wake.notify('deliveries')
}

async function complete(
  transaction: Transaction<Database>,
  member: BatchMember,
  setup: Parameters<typeof recordGeneration>[2],
): Promise<void> {
  const row = await transaction
    .updateTable('generations')
    .set({ state: 'completed', finished_at: setup.now })
    .where('id', '=', member.generationId)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  if (!row) return
  const columns = await recordGeneration(transaction, member, setup)
  await transaction.updateTable('generations').set(columns).where('id', '=', member.generationId).execute()
}

/** Members that fail before anything is made of them: they begin, and end. */
export async function failMembers(
  failed: readonly { readonly member: BatchMember; readonly error: unknown }[],
  batch: Batch,
): Promise<void> {
  for (let start = 0; start < failed.length; start += CHUNK) {
    const chunk = failed.slice(start, start + CHUNK)
    await announceMembers(
      chunk.map(({ member }) => member),
      batch,
    )
    await writeMembers(chunk, batch)
  }
}
