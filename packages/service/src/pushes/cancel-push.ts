import { StagecraftError } from '@stagecraft/spec'
import type { ApiHandlers } from '@stagecraft/spec/api'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { JobError } from '../store/schema.ts'
import { dropSnapshot } from './push-snapshot.ts'
import { toPush } from './to-push.ts'

const CANCELLED: JobError = { code: 'GENERATION_FAILED', message: 'the job was cancelled' }

/** One that runs may have reached the repository already, so that nobody could say truly that it did not. */
export function cancelPush(context: ServiceContext): ApiHandlers['cancelPush'] {
  return async ({ caller: { projectId }, params: { pushId } }) => {
    const push = await change(context, projectId, async (tx) => {
      const finished_at = await tx.now()
      await tx.db
        .updateTable('pushes')
        .set({ state: 'cancelled', cancel: 1, finished_at, error: JSON.stringify(CANCELLED) })
        .where('id', '=', pushId)
        .where('project_id', '=', projectId)
        .where('state', '=', 'queued')
        // One that a process has handed back has begun, and may have arrived.
        .where('started_at', 'is', null)
        .execute()
      const push = await tx.own('pushes', pushId)
      if (push.state === 'cancelled') await dropSnapshot(tx.db, pushId)
      return push
    })
    if (push.state === 'running' || push.state === 'queued')
      throw StagecraftError.invalid([
        { path: 'pushId', expected: 'a push that has not begun', received: 'one that has' },
      ])
    return { data: toPush(push) }
  }
}
