import type { WebhookResource } from '@stagecraft/spec/api'
import type { ServiceContext } from '../context.ts'
import { changeWebhook, type WebhookKey } from './change-webhook.ts'
import { NEW_HEALTH } from './new-health.ts'
import { refuseDisabled } from './refuse-disabled.ts'
import { toWebhook } from './to-webhook.ts'

/** Deliveries wait from now on; those under way end. */
export async function pauseWebhook(context: ServiceContext, key: WebhookKey): Promise<WebhookResource> {
  const row = await changeWebhook(context, key, {
    columns: (before) => {
      refuseDisabled(before)
      return before.state === 'paused' ? undefined : { state: 'paused' }
    },
  })
  return toWebhook(row)
}

/** Enables a webhook and clears its failures: the time of a pause does not count as failing. */
export async function enableWebhook(context: ServiceContext, key: WebhookKey): Promise<WebhookResource> {
  const row = await changeWebhook(context, key, {
    columns: ({ state }) => (state === 'active' ? undefined : { state: 'active', ...NEW_HEALTH }),
  })
  return toWebhook(row)
}
