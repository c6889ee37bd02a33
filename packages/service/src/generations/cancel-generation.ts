import type { ApiHandlers } from '@stagecraft/spec/api'
import { type Change, change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { JobError } from '../store/schema.ts'
import { endGenerations, endMembers } from './end-generations.ts'
import { findGeneration } from './find-generation.ts'
import { tellGenerations } from './tell-generations.ts'

const CANCELLED: JobError = { code: 'GENERATION_FAILED', message: 'the job was cancelled' }

/** One that has ended is answered as it is. */
export function cancelGeneration(context: ServiceContext): ApiHandlers['cancelGeneration'] {
  const { store } = context
  return async ({ caller: { projectId }, params: { generationId } }) => {
    await change(context, projectId, async (tx) => {
      await stop(tx, await findGeneration(tx.db, { projectId, generationId }))
      tx.wakeAfter('jobs')
    })
    const [data] = await tellGenerations(store.db, [
      await findGeneration(store.db, { projectId, generationId }),
    ])
    if (!data) throw new TypeError('the generation has no data')
    return { data }
  }
}

type Found = Awaited<ReturnType<typeof findGeneration>>

/** Stops a generation here, unless a worker holds it by a lease: then the worker stops it. */
async function stop(tx: Change, { batch_id, id, is_request }: Found): Promise<void> {
  const claimed = await tx.db
    .updateTable('generations')
    .set({ cancel: 1 })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  if (claimed && is_request === 0 && batch_id === null) return
  const end = { state: 'cancelled', error: CANCELLED } as const
  const ended = await endGenerations(tx, { ids: [id] }, end)
  if (ended.length > 0) await endMembers(tx, id, end)
}
