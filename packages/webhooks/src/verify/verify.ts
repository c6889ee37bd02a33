import { type HeadersLike, readHeaders, type SignatureHeaderValues } from './header-values.ts'
import { decodeBase64, secretProblem, serviceKey, standardKey } from './secret.ts'
import { WebhookVerificationError } from './verification-error.ts'
import type { WebhookEvent } from './webhook-event.ts'

export interface VerifyOptions {
  /**
   * The largest difference in seconds between now and the timestamp of an attempt, in either direction.
   *
   * @default 300
   */
  readonly toleranceSeconds?: number
  /** In milliseconds since 1970. @default Date.now */
  readonly now?: () => number
  /**
   * The signature that is required. Signatures that are there are always checked, whatever this says.
   *
   * - `service`: `x-service-signature`. It covers the body alone, so anybody who has seen a delivery can send it
   *   again without the other headers, at any time: handle each event id once.
   * - `standard`: `webhook-id`, `webhook-timestamp` and `webhook-signature`. They cover the time too, so a
   *   delivery cannot be sent again later. Stagecraft always sends them.
   * - `either`: one of the two; protects no better than `service`.
   *
   * @default 'service'
   */
  readonly require?: 'service' | 'standard' | 'either'
}

/**
 * One secret, or several while one replaces another. `undefined` is refused like an empty one: it is here so
 * that a variable of the environment can be given as it is.
 */
export type Secrets = string | readonly string[] | undefined

/**
 * Checks who sent a delivery, and gives its event.
 *
 * @param payload The raw body. A body that was parsed and printed again has other bytes and does not fit.
 * @throws {WebhookVerificationError} When it is not to be accepted; answer with 401.
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
  for (const one of secrets) {
    const problem = secretProblem(one)
    if (problem !== undefined) throw new WebhookVerificationError('invalid_secret', problem)
  }
  return secrets as readonly string[]
}

function readPayload(payload: string | Uint8Array): Uint8Array<ArrayBuffer> {
  if (typeof payload === 'string') return new TextEncoder().encode(payload)
  if (ArrayBuffer.isView(payload)) return new Uint8Array(payload)
  throw new WebhookVerificationError('invalid_payload')
}

/**
 * Returns the signatures to check. A part of the standard headers is no less than all of them: all have to be
 * right.
 */
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

// The letters before `=` are those whose last two bits are not used and are 0: each signature has one spelling.
const STANDARD_SIGNATURE = /^v1,([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)$/

async function checkStandard(
  body: Uint8Array<ArrayBuffer>,
  { id = '', timestamp = '', signature = '' }: SignatureHeaderValues,
  secrets: readonly string[],
): Promise<void> {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('malformed_header', 'webhook-timestamp')
  // Other versions stand beside ours.
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

/** WebCrypto compares in constant time; which of the keys fits may show. */
async function expectMatch({ keys, signatures, content }: Candidates): Promise<void> {
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, HMAC, false, ['verify'])
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, content)) return
    }
  }
  throw new WebhookVerificationError('signature_mismatch')
}

/** Checks the timestamp against the tolerance, so that a tolerance of NaN accepts nothing. */
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
