import { createRun, type EditedItem, printItem, type RunTable } from '@stagecraft/core'
import pLimit from 'p-limit'
import { isStoreFailure } from '../store/errors/store-failure.ts'
import { LeaseLost } from '../jobs/stop-reasons.ts'
import type { Batch, GroupSetup } from './batch.ts'
import type { ReadMember } from './read-members.ts'
import { announceMembers, failMembers } from './write-members.ts'

/** A member with what the backend made of it. */
export interface EditedMember extends ReadMember {
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
  members: readonly ReadMember[],
  done: readonly EditedItem[],
  { batch, setup }: { readonly batch: Batch; readonly setup: GroupSetup },
): Promise<readonly EditedMember[]> {
  if (!setup.run.backend) return members.map((one) => ({ ...one, tokensUsed: 0, durationMs: 0 }))
  const tables = createRun([...members.map(({ item }) => item), ...done], setup.run)
  const limit = pLimit(CONCURRENCY)
  const edits = members.map((one, index) =>
    limit(async () => {
      batch.signal.throwIfAborted()
      const { before } = one.member
      if (before) return { member: one.member, ...before }
      const table = tables[index]
      return table && (await editMember(one, table, batch))
    }),
  )
  // All have to end first: what is still under way writes to the store.
  const settled = await Promise.allSettled(edits)
  return settled.flatMap((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value ?? []
  })
}

async function editMember(
  { member }: ReadMember,
  table: RunTable,
  batch: Batch,
): Promise<EditedMember | undefined> {
  const { clock, store } = batch.context
  const begunAt = clock.now()
  await announceMembers([member], batch)
  try {
    const { item, meta } = await table.edit({ signal: batch.signal })
    const edited = { member, item, tokensUsed: meta.tokensUsed, durationMs: clock.now() - begunAt }
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
