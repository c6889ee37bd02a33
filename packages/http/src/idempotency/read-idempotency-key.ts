import type { IncomingHttpHeaders } from 'node:http'
import { type Fault, StagecraftError } from '@stagecraft/spec'

/** The header `Idempotency-Key`; undefined when there is none. */
export function readIdempotencyKey(
  headers: IncomingHttpHeaders,
): { readonly value: string } | { readonly fault: Fault } | undefined {
  const header = headers['idempotency-key']
  if (header === undefined) return undefined
  // Several come joined by a comma and a space, which no key holds.
  if (typeof header === 'string' && /^[!-~]{1,255}$/.test(header)) return { value: header }
  const fault = {
    path: 'headers.idempotency-key',
    expected: '1 to 255 visible ASCII characters',
    received: header === '' ? 'nothing' : 'another value',
  }
  return { fault }
}

export function invalidIdempotencyKey(fault: Fault): StagecraftError {
  return StagecraftError.invalid([fault])
}
