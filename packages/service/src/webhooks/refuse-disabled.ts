import { StagecraftError } from '@stagecraft/spec'
import type { WebhookRow } from '../store/schema.ts'

/** Refuses new deliveries for a disabled webhook, which would wait for ever. */
export function refuseDisabled({ id, state }: Pick<WebhookRow, 'id' | 'state'>): void {
  if (state !== 'disabled') return
  const suggestion = `POST /v1/webhooks/${id}/enable`
  throw StagecraftError.invalid(
    [{ path: 'params.webhookId', expected: 'a webhook that is not disabled', received: 'a disabled one' }],
    { suggestion },
  )
}
