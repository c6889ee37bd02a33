import type { ApiHandlers } from '@stagecraft/spec/api'
import type { ServiceContext } from '../context.ts'
import { ownedRow } from '../store/owned-rows.ts'
import { page } from '../store/page.ts'
import { pauseWebhook, enableWebhook } from './change-state.ts'
import { createWebhook } from './create-webhook.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { findDelivery } from './find-delivery.ts'
import { listDeliveries } from './list-deliveries.ts'
import { redeliver } from './redeliver.ts'
import { replayEvents } from './replay-events.ts'
import { rotateSecret } from './rotate-secret.ts'
import { testWebhook } from './test-webhook.ts'
import { toWebhook } from './to-webhook.ts'
import { updateWebhook } from './update-webhook.ts'
import type { WebhookOptions } from './webhook-options.ts'
import { webhookStats } from './webhook-stats.ts'

type ManageHandlers = Pick<
  ApiHandlers,
  'createWebhook' | 'listWebhooks' | 'getWebhook' | 'updateWebhook' | 'deleteWebhook' | 'rotateWebhookSecret'
>
type StateHandlers = Pick<ApiHandlers, 'pauseWebhook' | 'enableWebhook' | 'testWebhook' | 'getWebhookStats'>
type DeliveryHandlers = Pick<ApiHandlers, 'replayEvents' | 'listDeliveries' | 'getDelivery' | 'redeliver'>

/** Creates the handlers of the operations on webhooks and their deliveries. */
export function webhookHandlers(
  context: ServiceContext,
  options: WebhookOptions = {},
): ManageHandlers & StateHandlers & DeliveryHandlers {
  return { ...manageHandlers(context, options), ...stateHandlers(context), ...deliveryHandlers(context) }
}

function manageHandlers(context: ServiceContext, options: WebhookOptions): ManageHandlers {
  const { db } = context.store
  return {
    createWebhook: async (call) => ({ data: await createWebhook(context, call, options) }),
    listWebhooks: async ({ caller, query }) => {
      const rows = db.selectFrom('webhooks').selectAll().where('project_id', '=', caller.projectId)
      const { nextCursor, rows: found } = await page(rows, query)
      return { data: { items: found.map(toWebhook) }, nextCursor }
    },
    getWebhook: async ({ caller, params }) => ({
      data: toWebhook(
        await ownedRow(context.store, 'webhooks', { projectId: caller.projectId, id: params.webhookId }),
      ),
    }),
    updateWebhook: async (call) => ({ data: await updateWebhook(context, call, options) }),
    deleteWebhook: async ({ caller, ifVersion, params }) => {
      await deleteWebhook(context, { ...params, projectId: caller.projectId, ifVersion })
      return { data: { id: params.webhookId, deleted: true } }
    },
    rotateWebhookSecret: async (call) => ({ data: await rotateSecret(context, call) }),
  }
}

function stateHandlers(context: ServiceContext): StateHandlers {
  const { db } = context.store
  return {
    pauseWebhook: async ({ caller, params }) => ({
      data: await pauseWebhook(context, { ...params, projectId: caller.projectId }),
    }),
    enableWebhook: async ({ caller, params }) => ({
      data: await enableWebhook(context, { ...params, projectId: caller.projectId }),
    }),
    testWebhook: async ({ body, caller, params }) => ({
      data: await testWebhook(context, { ...params, projectId: caller.projectId, event: body.event }),
    }),
    getWebhookStats: async ({ caller, params }) => {
      const { id } = await ownedRow(context.store, 'webhooks', {
        projectId: caller.projectId,
        id: params.webhookId,
      })
      return { data: await webhookStats(db, id) }
    },
  }
}

function deliveryHandlers(context: ServiceContext): DeliveryHandlers {
  return {
    replayEvents: async (call) => ({ data: await replayEvents(context, call) }),
    listDeliveries: async (call) => await listDeliveries(context.store, call),
    getDelivery: async ({ caller, params }) => ({
      data: await findDelivery(context.store, { ...params, projectId: caller.projectId }),
    }),
    redeliver: async ({ caller, params }) => ({
      data: await redeliver(context, { ...params, projectId: caller.projectId }),
    }),
  }
}
