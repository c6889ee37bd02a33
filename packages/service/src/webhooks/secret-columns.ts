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
