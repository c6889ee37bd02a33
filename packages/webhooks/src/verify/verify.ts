import { type HeadersLike, readHeaders, type SignatureHeaderValues } from './header-values.ts'
import { decodeBase64, secretFault, serviceKey, standardKey } from './secret.ts'
import { WebhookVerificationError } from './verification-error.ts'
import type { WebhookEvent } from './webhook-event.ts'

export interface VerifyOptions {
  /**
   * The largest accepted difference, in seconds, between now and the timestamp of an attempt, in either direction.
   *
   * @default 300
   */
  readonly toleranceSeconds?: number
  /** In milliseconds since 1970. @default Date.now */
  readonly now?: () => number
  /**
   * The signature that is required. Every signature in the request is checked, whatever the setting.
   *
   * - `service`: `x-service-signature`. It covers only the body, so anyone who has seen a delivery can send it again
   * at any time without the other headers: handle each event id once.
   * - `standard`: `webhook-id`, `webhook-timestamp` and `webhook-signature`. They also cover the time, so a delivery
   * cannot be replayed later. Stagecraft always sends them.
   * - `either`: one of the two signatures; as weak as `service`.
   *
   * @default 'service'
   */
  readonly require?: 'service' | 'standard' | 'either'
}

/**
 * One secret, or several during a rotation. `undefined` is refused like an empty secret; the type allows it so that
 * you can pass an environment variable.
 */
export type Secrets = string | readonly string[] | undefined

/**
 * Checks the signatures of a delivery and returns its event.
 *
 * @param payload The raw body. A body that was parsed and printed again has other bytes, so its signature is invalid.
 * @throws {WebhookVerificationError} If the delivery must be rejected; answer 401.
 */
export async function verify<Event = WebhookEvent>(
  payload: string | Uint8Array,
  headers: HeadersLike,
  secret: Secrets,
  options: VerifyOptions = {},
): Promise<Event> {
  const secrets = readSecrets(secret)
  const body = readPayload(payload)
  const values = readHeaders(headers)
  const { service, standard } = requiredOf(values, options.require ?? 'service')
  if (service) await checkService(body, values.service ?? '', secrets)
  if (standard) await checkStandard(body, values, secrets)
  if (standard) checkTime(Number(values.timestamp), options)
  return parse(body) as Event
}

/** @throws {WebhookVerificationError} invalid_secret */
export function readSecrets(secret: Secrets): readonly string[] {
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret]
  if (secrets.length === 0)
    throw new WebhookVerificationError('invalid_secret', 'expected a secret, got none')
  for (const candidate of secrets) {
    const fault = secretFault(candidate)
    if (fault)
      throw new WebhookVerificationError(
        'invalid_secret',
        `expected ${fault.expected}, got ${fault.received}`,
      )
  }
  return secrets as readonly string[]
}

function readPayload(payload: string | Uint8Array): Uint8Array<ArrayBuffer> {
  if (typeof payload === 'string') return new TextEncoder().encode(payload)
  if (ArrayBuffer.isView(payload)) return new Uint8Array(payload)
  throw new WebhookVerificationError('invalid_payload')
}

/** Returns the signatures to check. If one of the standard headers is present, all of them are required. */
function requiredOf(
  { service, id, timestamp, signature }: SignatureHeaderValues,
  require: 'service' | 'standard' | 'either',
): { readonly service: boolean; readonly standard: boolean } {
  const standard = [id, timestamp, signature]
  const hasStandard = standard.some((value) => value !== undefined)
  const hasService = service !== undefined
  if (!hasService && require === 'service') throw new WebhookVerificationError('missing_service_signature')
  if (!hasService && !hasStandard && require === 'either')
    throw new WebhookVerificationError('missing_signature')
  if ((hasStandard || require === 'standard') && standard.some((value) => !value)) {
    throw new WebhookVerificationError('missing_standard_headers')
  }
  return { service: hasService, standard: hasStandard }
}

async function checkService(
  body: Uint8Array<ArrayBuffer>,
  header: string,
  secrets: readonly string[],
): Promise<void> {
  const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(header) ?? []
  if (hex === undefined) throw new WebhookVerificationError('malformed_header', 'x-service-signature')
  const signature = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  await expectMatch({ keys: secrets.map(serviceKey), signatures: [signature], content: body })
}

// The character before `=` must have zeros in its two unused bits, so each signature has one spelling.
const STANDARD_SIGNATURE = /^v1,([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)$/

async function checkStandard(
  body: Uint8Array<ArrayBuffer>,
  { id = '', timestamp = '', signature = '' }: SignatureHeaderValues,
  secrets: readonly string[],
): Promise<void> {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('malformed_header', 'webhook-timestamp')
  // The header may have signatures of other versions.
  const signatures = signature.split(' ').flatMap((one) => {
    const [, base64] = STANDARD_SIGNATURE.exec(one) ?? []
    return base64 === undefined ? [] : [decodeBase64(base64)]
  })
  if (signatures.length === 0) throw new WebhookVerificationError('malformed_header', 'webhook-signature')
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`)
  const content = new Uint8Array(prefix.length + body.length)
  content.set(prefix)
  content.set(body, prefix.length)
  await expectMatch({ keys: secrets.map(standardKey), signatures, content })
}

interface Candidates {
  readonly keys: readonly Uint8Array<ArrayBuffer>[]
  readonly signatures: readonly Uint8Array<ArrayBuffer>[]
  readonly content: Uint8Array<ArrayBuffer>
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/** WebCrypto compares in constant time; the index of the matching key is not secret. */
async function expectMatch({ keys, signatures, content }: Candidates): Promise<void> {
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, HMAC, false, ['verify'])
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, content)) return
    }
  }
  throw new WebhookVerificationError('signature_mismatch')
}

/** Checks the timestamp against the tolerance; a tolerance of NaN accepts nothing. */
function checkTime(timestamp: number, { now = Date.now, toleranceSeconds = 300 }: VerifyOptions): void {
  const age = Math.floor(now() / 1000) - timestamp
  if (!(age <= toleranceSeconds)) throw new WebhookVerificationError('timestamp_too_old')
  if (!(age >= -toleranceSeconds)) throw new WebhookVerificationError('timestamp_too_new')
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new WebhookVerificationError('invalid_json')
  }
}
