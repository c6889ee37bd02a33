import type { ApiOperations, Call, WebhookResource } from '@stagecraft/spec/api'
import type { ServiceContext } from '../context.ts'
import type { Cipher } from '../secrets/cipher.ts'
import type { WebhookRow } from '../store/schema.ts'
import { changeWebhook } from './change-webhook.ts'
import { checkInput } from './check-input.ts'
import { headerColumns } from './secret-columns.ts'
import { toWebhook } from './to-webhook.ts'
import type { WebhookOptions } from './webhook-options.ts'

type UpdateCall = Call<ApiOperations['updateWebhook']>

export async function updateWebhook(
  context: ServiceContext,
  { body, caller, ifVersion, params, signal }: UpdateCall,
  { lookup }: WebhookOptions,
): Promise<WebhookResource> {
  const { cipher, settings } = context
  const { href } = await checkInput(body, { policy: settings.deliveryPolicy, signal, lookup })
  const key = { ...params, projectId: caller.projectId }
  const columns = (row: WebhookRow) => changedColumns(row, { ...body, url: href }, cipher)
  const row = await changeWebhook(context, key, { ifVersion, columns })
  return toWebhook(row)
}

function changedColumns(
  row: WebhookRow,
  {
    description,
    events,
    headers,
    url,
  }: Omit<UpdateCall['body'], 'url'> & { readonly url: string | undefined },
  cipher: Cipher,
): Partial<WebhookRow> | undefined {
  const columns: Partial<WebhookRow> = {
    ...(url !== undefined && { url }),
    // What another receiver did says nothing of this one; whether it failed so long that it is disabled, does.
    ...(url !== undefined && url !== row.url && { breaker_until: null, breaker_opens: 0 }),
    ...(events !== undefined && { events: JSON.stringify(events) }),
    ...(description !== undefined && { description }),
    ...(headers !== undefined && headerColumns(cipher, { id: row.id, headers })),
  }
  return Object.keys(columns).length === 0 ? undefined : columns
}
