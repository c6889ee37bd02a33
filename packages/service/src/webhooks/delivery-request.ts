import type { DeliveryRequest } from '@stagecraft/spec/api'
import { requestHeaders } from '@stagecraft/webhooks'
import type { ServiceContext } from '../context.ts'
import { deliveryHeaders, type EndpointSecrets, openSecrets } from '../delivery/send-claimed.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { ownedRow } from '../store/rows.ts'
import type { WebhookRow } from '../store/schema.ts'

/** Stands for the value of a header that is a secret of the webhook. */
const HIDDEN = '(hidden)'

/** The request of a delivery as it would go out now: what was sent is not kept, and a signature is of its second. */
export async function getDeliveryRequest(
  { cipher, store }: ServiceContext,
  { caller: { projectId }, params: { deliveryId } }: CallOf<'getDeliveryRequest'>,
): ReplyOf<'getDeliveryRequest'> {
  const { attempts, event_id, id, webhook_id } = await ownedRow(store, 'deliveries', {
    projectId,
    id: deliveryId,
  })
  const webhook = await ownedRow(store, 'webhooks', { projectId, id: webhook_id })
  // It may have been pruned: a delivery that was sent again outlives its event.
  const { payload } = await ownedRow(store, 'events', { projectId, id: event_id })
  const now = await store.now()
  const secrets = openSecrets(cipher)(webhook)
  const headers = deliveryHeaders({
    id,
    eventId: event_id,
    attempt: Math.max(attempts, 1),
    timestamp: Math.floor(now / 1000),
    payload,
    order: signing(secrets, webhook, now),
    given: Object.fromEntries(Object.keys(secrets.headers).map((name) => [name, HIDDEN])),
  })
  const data: DeliveryRequest = {
    method: 'POST',
    url: webhook.url,
    headers: requestHeaders(headers),
    body: payload,
  }
  return { data }
}

function signing(
  { previous, secret }: EndpointSecrets,
  { previous_secret_expires_at }: WebhookRow,
  now: number,
): readonly string[] {
  return previous !== undefined && now < (previous_secret_expires_at ?? 0) ? [secret, previous] : [secret]
}
