import type { ApiHandlers } from '@stagecraft/spec/api'
import type { ServiceContext } from '../context.ts'
import { ownedRow } from '../store/owned-rows.ts'
import { page } from '../store/page.ts'
import { cancelPush } from './cancel-push.ts'
import { createPush } from './create-push.ts'
import { toPush } from './to-push.ts'

type PushHandlers = Pick<ApiHandlers, 'createPush' | 'listPushes' | 'getPush' | 'cancelPush'>

/** The operations on pushes. */
export function pushHandlers(context: ServiceContext): PushHandlers {
  const { store } = context
  return {
    createPush: createPush(context),
    cancelPush: cancelPush(context),
    async getPush({ caller: { projectId }, params: { pushId } }) {
      return { data: toPush(await ownedRow(store, 'pushes', { projectId, id: pushId })) }
    },
    async listPushes({ caller, query: { cursor, limit, state } }) {
      let pushes = store.db.selectFrom('pushes').selectAll().where('project_id', '=', caller.projectId)
      if (state !== undefined) pushes = pushes.where('state', '=', state)
      const { nextCursor, rows } = await page(pushes, { cursor, limit })
      return { data: { items: rows.map(toPush) }, nextCursor }
    },
  }
}
