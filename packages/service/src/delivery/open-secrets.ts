import type { Cipher } from '../secrets/cipher.ts'
import type { Endpoint } from './claimed-delivery.ts'

/** The secrets that sign deliveries to an endpoint, and its headers. */
export interface EndpointSecrets {
  readonly secret: string
  readonly previous: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** @throws {StagecraftError} CONNECTION_FAILED for what cannot be read. */
export type OpenSecrets = (endpoint: Endpoint) => EndpointSecrets

const KEPT = 2000

/** Reads sealed columns, and keeps what it read: what is sealed is never sealed alike again, so that it is its own key. */
export function openSecrets(cipher: Cipher): OpenSecrets {
  const kept = new Map<string, string>()
  const open = (sealed: string, place: string): string => {
    const known = kept.get(sealed)
    if (known !== undefined) return known
    const text = cipher.open(sealed, place)
    if (kept.size >= KEPT) kept.clear()
    kept.set(sealed, text)
    return text
  }
  return ({ headers, id, previous_secret, secret }) => ({
    secret: open(secret, `webhooks/${id}/secret`),
    previous: previous_secret === null ? undefined : open(previous_secret, `webhooks/${id}/previous_secret`),
    headers:
      headers === null
        ? {}
        : (JSON.parse(open(headers, `webhooks/${id}/headers`)) as Readonly<Record<string, string>>),
  })
}
