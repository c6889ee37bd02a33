import { printItem, type RunTable } from '@stagecraft/core/run'
import pLimit from 'p-limit'
import { isStoreFailure } from '../store/errors/store-failure.ts'
import { LeaseLost } from '../jobs/stop-reasons.ts'
import type { Batch } from './batch.ts'
import type { BatchMember } from './batch-members.ts'
import { announceMembers, failMembers } from './write-members.ts'

/** A member with its table in the run of the group. */
export interface PlannedMember {
  readonly member: BatchMember
  readonly table: RunTable
}

/** A member with its table, as the backend left it. */
export interface EditedMember extends PlannedMember {
  readonly tokensUsed: number
  readonly durationMs: number
}

/** Tables that the backend is asked about at once: fast, and below the usual limits of a key. */
const CONCURRENCY = 4

/**
 * Asks the backend about each member; without one nothing happens. All are edited before any is printed, because tests
 * refer to the final names of other tables. What was paid for is written down at once, so that it is not asked again.
 *
 * @returns Those that can be printed; the others have failed.
 */
export async function editMembers(
  members: readonly PlannedMember[],
  { batch, hasBackend }: { readonly batch: Batch; readonly hasBackend: boolean },
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
  // All have to end first: what is still under way writes to the store.
  const settled = await Promise.allSettled(edits)
  return settled.flatMap((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value ?? []
  })
}

async function editMember({ member, table }: PlannedMember, batch: Batch): Promise<EditedMember | undefined> {
  const { clock, store } = batch.context
  const begunAt = clock.now()
  await announceMembers([member], batch)
  try {
    const { item, meta } = await table.edit({ signal: batch.signal })
    const edited = { member, table, tokensUsed: meta.tokensUsed, durationMs: clock.now() - begunAt }
    await store.db
      .updateTable('generations')
      .set({ item: printItem(item), tokens_used: edited.tokensUsed, duration_ms: edited.durationMs })
      .where('id', '=', member.generationId)
      .where('state', '=', 'running')
      .execute()
    return edited
  } catch (error) {
    if (batch.signal.aborted || isStoreFailure(error) || error instanceof LeaseLost) throw error
    await failMembers([{ member, error }], batch)
    return undefined
  }
}
