import { randomBytes } from 'node:crypto'
import type { ApiOperations, Call, WebhookResource } from '@stagecraft/spec/api'
import type { ServiceContext } from '../context.ts'
import type { Cipher } from '../secrets/cipher.ts'
import type { WebhookRow } from '../store/schema.ts'
import { changeWebhook } from './change-webhook.ts'
import { checkInput } from './check-input.ts'
import { placeOf, secretColumn } from './secret-columns.ts'
import { toWebhook } from './to-webhook.ts'

const DEFAULT_OVERLAP_SECONDS = 86_400

/** Replaces the secret; the answer has it when it was made here. */
export async function rotateSecret(
  context: ServiceContext,
  { body, caller, ifVersion, params, signal }: Call<ApiOperations['rotateWebhookSecret']>,
): Promise<WebhookResource & { secret?: string }> {
  const { cipher, settings } = context
  await checkInput({ secret: body.secret }, { policy: settings.deliveryPolicy, signal, lookup: undefined })
  const made = body.secret === undefined ? { secret: makeSecret() } : {}
  const secret = body.secret ?? made.secret ?? ''
  const overlapMs = (body.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS) * 1000
  const row = await changeWebhook(
    context,
    { ...params, projectId: caller.projectId },
    {
      ifVersion,
      columns: (before, now) => ({
        ...secretColumn(cipher, { id: before.id, secret }),
        ...previousColumns(before, { cipher, until: now + overlapMs, now }),
      }),
    },
  )
  return { ...toWebhook(row), ...made }
}

function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Sealed anew, since it moves to another column. Without an overlap it is not even opened. */
function previousColumns(
  { id, secret }: WebhookRow,
  { cipher, now, until }: { readonly cipher: Cipher; readonly now: number; readonly until: number },
): Pick<WebhookRow, 'previous_secret' | 'previous_secret_expires_at'> {
  if (until <= now) return { previous_secret: null, previous_secret_expires_at: null }
  const text = cipher.open(secret, placeOf(id, 'secret'))
  return {
    previous_secret: cipher.seal(text, placeOf(id, 'previous_secret')),
    previous_secret_expires_at: until,
  }
}
