import { createHmac } from 'node:crypto'
import { type Fault, StagecraftError } from '@stagecraft/spec'
import { secretFault, serviceKey, standardKey } from './verify/secret.ts'

export interface Delivery {
  /** The id of the event, `evt_…`: the same for every attempt, so that a receiver recognizes repetitions. */
  readonly id: string
  /** The time of the attempt, in whole seconds since 1970. */
  readonly timestamp: number
  /** The bytes to send; a text is encoded as UTF-8. */
  readonly body: string | Uint8Array
  /** The secrets that are valid now, newest first. Each one signs. */
  readonly secrets: readonly string[]
}

export interface SignatureHeaders extends Readonly<Record<string, string>> {
  /** `sha256=` and the HMAC-SHA-256 of the body in hex, keyed with the newest secret. */
  readonly 'x-service-signature': string
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  /** `v1,` and the HMAC-SHA-256 of `id.timestamp.body` in base64, one for each secret. */
  readonly 'webhook-signature': string
}

/**
 * Signs a delivery. Returns our own header and those of Standard Webhooks.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 * @throws {StagecraftError} INVALID_REQUEST with all faults; none shows a secret.
 */
export function signDelivery(delivery: Delivery): SignatureHeaders {
  const faults = findFaults(delivery)
  const [newest] = delivery.secrets
  if (faults.length > 0 || newest === undefined) throw StagecraftError.invalid(faults)
  const { body, id, secrets, timestamp } = delivery
  const standard = secrets.map((secret) => {
    const signature = createHmac('sha256', standardKey(secret)).update(`${id}.${timestamp}.`).update(body)
    return `v1,${signature.digest('base64')}`
  })
  return {
    'x-service-signature': `sha256=${createHmac('sha256', serviceKey(newest)).update(body).digest('hex')}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
  }
}

function findFaults({ id, secrets, timestamp }: Delivery): readonly Fault[] {
  const faults: Fault[] = []
  // With a dot in an id, one signed text could stand for two pairs of id and timestamp.
  if (!/^[\w:-]{1,256}$/.test(id)) {
    faults.push({ path: 'id', expected: 'letters, digits, _, - and :', received: JSON.stringify(id) })
  }
  if (!Number.isSafeInteger(timestamp) || timestamp < 0) {
    faults.push({ path: 'timestamp', expected: 'whole seconds since 1970', received: String(timestamp) })
  }
  if (secrets.length === 0) faults.push({ path: 'secrets', expected: 'a secret', received: 'none' })
  for (const [index, secret] of secrets.entries()) {
    const fault = secretFault(secret)
    if (fault !== undefined) faults.push({ path: `secrets.${index}`, ...fault })
  }
  return faults
}
