/** The prefix of secrets of Standard Webhooks; the bytes follow in base64. */
const PREFIX = 'whsec_'
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Returns the key of `x-service-signature`: the secret itself. */
export function serviceKey(secret: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(secret)
}

/** Returns the key of `webhook-signature`: the decoded base64 after `whsec_`, or the characters of another secret. */
export function standardKey(secret: string): Uint8Array<ArrayBuffer> {
  if (!secret.startsWith(PREFIX)) return serviceKey(secret)
  return decodeBase64(secret.slice(PREFIX.length))
}

/** Returns the fault of a secret without showing it; undefined for a usable one. */
export function secretFault(
  secret: unknown,
): { readonly expected: string; readonly received: string } | undefined {
  if (typeof secret !== 'string')
    return { expected: 'a secret', received: `a value of type ${typeof secret}` }
  if (secret === '') return { expected: 'a secret', received: 'an empty text' }
  if (!secret.startsWith(PREFIX)) return undefined
  const base64 = secret.slice(PREFIX.length)
  const isBase64 = BASE64.test(base64) && base64.replace(/=+$/, '').length % 4 !== 1
  return isBase64 ? undefined : { expected: 'base64 after whsec_', received: 'something else' }
}

export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replace(/=+$/, '')), (letter) => letter.charCodeAt(0))
}
