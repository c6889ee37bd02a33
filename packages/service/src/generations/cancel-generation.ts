import type { ApiHandlers } from '@stagecraft/spec/api'
import type { Transaction } from 'kysely'
import type { ServiceContext } from '../context.ts'
import type { PublishSetup } from '../events/publish.ts'
import type { Database, JobError } from '../store/schema.ts'
import { endGenerations, endMembers } from './end-generations.ts'
import { findGeneration } from './find-generation.ts'
import { tellGenerations } from './tell-generations.ts'

const CANCELLED: JobError = { code: 'GENERATION_FAILED', message: 'it was cancelled' }

/** One that has ended is answered as it is. */
export function cancelGeneration(context: ServiceContext): ApiHandlers['cancelGeneration'] {
  const { ids, store, wake } = context
  return async ({ caller: { projectId }, params: { generationId } }) => {
    await store.transaction(async (transaction) => {
      const row = await findGeneration(transaction, { projectId, generationId })
      await stop(transaction, row, { ids, now: await store.now(transaction) })
    })
    wake.notify('jobs')
    wake.notify('deliveries')
    const [data] = await tellGenerations(store.db, [
      await findGeneration(store.db, { projectId, generationId }),
    ])
    if (!data) throw new TypeError('a generation tells nothing')
    return { data }
  }
}

type Found = Awaited<ReturnType<typeof findGeneration>>

/** What a worker holds by a lease of its own it stops itself; all else ends here. */
async function stop(
  transaction: Transaction<Database>,
  { batch_id, id, is_request }: Found,
  setup: PublishSetup,
): Promise<void> {
  const claimed = await transaction
    .updateTable('generations')
    .set({ cancel: 1 })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  if (claimed && is_request === 0 && batch_id === null) return
  const end = { ...setup, state: 'cancelled', error: CANCELLED } as const
  const ended = await endGenerations(transaction, { ids: [id] }, end)
  if (ended.length > 0) await endMembers(transaction, id, end)
}
