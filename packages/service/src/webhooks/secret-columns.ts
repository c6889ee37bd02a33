import { randomBytes } from 'node:crypto'
import type { Cipher } from '../secrets/cipher.ts'
import type { WebhookRow } from '../store/schema.ts'

/** Returns the place that a webhook's sealed secret is bound to. */
export function placeOf(webhookId: string, column: 'secret' | 'previous_secret' | 'headers'): string {
  return `webhooks/${webhookId}/${column}`
}

export function secretColumn(
  cipher: Cipher,
  { id, secret }: { readonly id: string; readonly secret: string },
): Pick<WebhookRow, 'secret'> {
  return { secret: cipher.seal(secret, placeOf(id, 'secret')) }
}

export function headerColumns(
  cipher: Cipher,
  { headers, id }: { readonly id: string; readonly headers: Readonly<Record<string, string>> },
): Pick<WebhookRow, 'headers' | 'header_names'> {
  const names = Object.keys(headers)
  return {
    headers: names.length === 0 ? null : cipher.seal(JSON.stringify(headers), placeOf(id, 'headers')),
    header_names: JSON.stringify(names),
  }
}

export function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Sealed anew, since it moves to another column. Without an overlap it is not even opened. */
export function previousColumns(
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
