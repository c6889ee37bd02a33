import { StagecraftError } from '@stagecraft/spec'

const BYTES = 16

/**
 * Returns the header that makes a request run once, even if it is sent several times.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a key that no header can hold.
 */
export function idempotencyHeader(key = randomKey()): Readonly<Record<string, string>> {
  if (/^[!-~]{1,255}$/.test(key)) return { 'idempotency-key': key }
  const expected = '1 to 255 visible ASCII characters'
  throw StagecraftError.invalid([{ path: 'idempotencyKey', expected, received: 'something else' }])
}

/** Not `randomUUID`, which pages loaded over `http:` lack. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
