import { type Change, change } from '../change.ts'
import { toJobError } from '../jobs/job-error.ts'
import { announceGenerations } from './announce-generations.ts'
import { assertHeld } from './assert-held.ts'
import type { BatchMember } from './batch-members.ts'
import type { Batch } from './batch.ts'
import { endGenerations } from './end-generations.ts'
import { type MadeGeneration, recordGeneration } from './record-generation.ts'

/** The outcome of a member. */
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
  await change(context, row.project_id, async (tx) => {
    await assertHeld(tx, row)
    await announceGenerations(tx, members)
  })
}

/** Ends members. One that was cancelled or whose unit was deleted meanwhile stays as it is. */
export async function writeMembers(
  outcomes: readonly MemberOutcome[],
  { context, row }: Batch,
): Promise<void> {
  await change(context, row.project_id, async (tx) => {
    await assertHeld(tx, row)
    for (const outcome of outcomes) {
      const { member } = outcome
      if ('made' in outcome) {
        await complete(tx, member, outcome.made)
        continue
      }
      const end = { state: 'failed', error: toJobError(outcome.error) } as const
      await endGenerations(tx, { ids: [member.generationId] }, end)
    }
  })
}

async function complete(tx: Change, member: BatchMember, made: MadeGeneration): Promise<void> {
  const row = await tx.db
    .updateTable('generations')
    .set({ state: 'completed', finished_at: await tx.now() })
    .where('id', '=', member.generationId)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  if (!row) return
  const columns = await recordGeneration(tx, member, made)
  await tx.db.updateTable('generations').set(columns).where('id', '=', member.generationId).execute()
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
