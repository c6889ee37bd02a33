import { WebhookVerificationError } from './verification-error.ts'

/** Headers of `fetch`, or an object like the headers of `node:http`. The case of names does not matter. */
export type HeadersLike =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface SignatureHeaderValues {
  readonly service: string | undefined
  readonly id: string | undefined
  readonly timestamp: string | undefined
  readonly signature: string | undefined
}

/** @throws {WebhookVerificationError} malformed_header, for a repeated header. */
export function readHeaders(headers: HeadersLike): SignatureHeaderValues {
  return {
    service: readHeader(headers, 'x-service-signature'),
    id: readHeader(headers, 'webhook-id'),
    timestamp: readHeader(headers, 'webhook-timestamp'),
    signature: readHeader(headers, 'webhook-signature'),
  }
}

function readHeader(headers: HeadersLike, name: string): string | undefined {
  if (hasGet(headers)) return headers.get(name) ?? undefined
  const values = Object.entries(headers).flatMap(([key, value]) =>
    key.toLowerCase() === name && value !== undefined ? value : [],
  )
  if (values.length > 1) throw new WebhookVerificationError('malformed_header', name)
  return values[0]
}

function hasGet(headers: HeadersLike): headers is { readonly get: (name: string) => string | null } {
  return typeof headers['get'] === 'function'
}
