import { StagecraftError } from '@stagecraft/spec'
import { change, type ChangeContext } from '../change.ts'
import type { WebhookRow } from '../store/schema.ts'

export interface WebhookKey {
  readonly webhookId: string
  readonly projectId: string
}

interface WebhookChange {
  /** The version that it has to have; undefined for any. */
  readonly ifVersion?: number | undefined
  /** Returns the columns to write, or undefined if nothing changes. */
  readonly columns: (row: WebhookRow, now: number) => Partial<WebhookRow> | undefined
}

/** Changes a webhook, which then has a new version, and returns it. */
export async function changeWebhook(
  context: ChangeContext,
  { projectId, webhookId }: WebhookKey,
  { columns, ifVersion }: WebhookChange,
): Promise<WebhookRow> {
  return await change(context, projectId, async (tx) => {
    const row = await tx.own('webhooks', webhookId, { lock: 'update', ifVersion })
    tx.wakeAfter('deliveries')
    const changed = columns(row, await tx.now())
    return changed === undefined ? row : await tx.revise('webhooks', row, changed)
  })
}

/** Refuses new deliveries for a disabled webhook, which would wait forever. */
export function refuseDisabled({ id, state }: Pick<WebhookRow, 'id' | 'state'>): void {
  if (state !== 'disabled') return
  const suggestion = `POST /v1/webhooks/${id}/enable`
  throw StagecraftError.invalid(
    [{ path: 'params.webhookId', expected: 'a webhook that is not disabled', received: 'a disabled one' }],
    { suggestion },
  )
}
