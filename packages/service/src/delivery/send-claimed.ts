import type { DeliveryTrigger } from '@stagecraft/spec/api'
import {
  attemptDelivery,
  type DeliveryAgent,
  type DeliveryFailure,
  type DeliveryResult,
  signDelivery,
} from '@stagecraft/webhooks'
import type { ServiceLogger } from '../context.ts'
import type { Cipher } from '../secrets/cipher.ts'
import type { WebhookRow } from '../store/schema.ts'

/** Marks a 401 response while two secrets are valid: the next attempt is signed with the previous secret. */
export const SECRET_REFUSED = 'secret_refused'

/** The outcome of an attempt. */
export interface SentDelivery {
  readonly delivery: ClaimedDelivery
  /** By the clock of the database. */
  readonly endedAt: number
  /** `unsendable`: its secret or headers cannot be used, or its event was deleted, so nothing was sent. */
  readonly result: Omit<DeliveryResult, 'failure'> & {
    readonly failure?: DeliveryFailure | typeof SECRET_REFUSED | 'unsendable'
  }
}

interface SendOptions {
  readonly agent: DeliveryAgent
  readonly open: OpenSecrets
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  readonly logger: ServiceLogger
}

/** Signs a delivery and sends it, once. */
export async function sendClaimed(delivery: ClaimedDelivery, options: SendOptions): Promise<SentDelivery> {
  const { agent, logger, signal, timeoutMs } = options
  const { clock, endpoint, payload } = delivery
  const ended = (result: SentDelivery['result']): SentDelivery => {
    return { delivery, result, endedAt: Math.round(clock()) }
  }
  if (payload === null) return ended({ outcome: 'failed', failure: 'unsendable', durationMs: 0 })
  try {
    const secrets = options.open(endpoint)
    const order = signingOrder(delivery, secrets)
    const headers = deliveryHeaders({
      id: delivery.id,
      eventId: delivery.eventId,
      attempt: delivery.attempt,
      timestamp: Math.floor(clock() / 1000),
      payload,
      order,
      given: secrets.headers,
    })
    const result = await attemptDelivery({
      url: endpoint.url,
      body: payload,
      headers,
      agent,
      timeoutMs,
      now: clock,
      ...(signal !== undefined && { signal }),
    })
    const isRefused = result.status === 401 && order.length > 1 && order[0] === secrets.secret
    return ended(isRefused ? { ...result, failure: SECRET_REFUSED } : result)
  } catch (error) {
    logger.warn({ delivery: delivery.id, error: String(error) }, 'could not make a delivery')
    return ended({ outcome: 'failed', failure: 'unsendable', durationMs: 0 })
  }
}

/** Returns the newest secret first, then the one it replaces; reversed if the receiver has rejected the newest. */
function signingOrder(
  { clock, endpoint, lastFailure }: ClaimedDelivery,
  { previous, secret }: EndpointSecrets,
): readonly string[] {
  if (previous === undefined || clock() >= (endpoint.previous_secret_expires_at ?? 0)) return [secret]
  return lastFailure === SECRET_REFUSED ? [previous, secret] : [secret, previous]
}

interface HeaderParts {
  /** Of the delivery. */
  readonly id: string
  readonly eventId: string
  /** The number of the attempt, from 1. */
  readonly attempt: number
  /** Whole seconds since 1970. */
  readonly timestamp: number
  readonly payload: string
  /** The secrets that sign, the newest first. */
  readonly order: readonly string[]
  /** Those of the webhook. */
  readonly given: Readonly<Record<string, string>>
}

/** Returns the headers of an attempt. */
export function deliveryHeaders(parts: HeaderParts): Record<string, string> {
  const { attempt, eventId, given, id, order, payload, timestamp } = parts
  return {
    ...lowerCase(given),
    ...signDelivery({ id: eventId, timestamp, body: payload, secrets: order }),
    'content-type': 'application/json',
    'x-service-delivery': id,
    'x-service-attempt': String(attempt),
  }
}

/** Lets our headers replace custom ones. */
function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** The secrets that sign deliveries to an endpoint, and its headers. */
export interface EndpointSecrets {
  readonly secret: string
  readonly previous: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** @throws {StagecraftError} CONNECTION_FAILED for a text that cannot be decrypted. */
type OpenSecrets = (endpoint: Endpoint) => EndpointSecrets

const KEPT = 2000

/** Decrypts columns and caches the results. Each encrypted text is unique, so it serves as the cache key. */
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

/** The target of deliveries and the secrets that sign them: columns of the webhook, still encrypted. */
export type Endpoint = Pick<
  WebhookRow,
  'id' | 'url' | 'secret' | 'previous_secret' | 'previous_secret_expires_at' | 'headers'
>

/** A delivery that only this process may send now. */
export interface ClaimedDelivery {
  readonly id: string
  readonly eventId: string
  readonly endpoint: Endpoint
  readonly trigger: DeliveryTrigger
  /** The number of this attempt, from 1. */
  readonly attempt: number
  readonly createdAt: number
  readonly lastFailure: string | null
  /** The bytes to sign and send; null if the event was deleted. */
  readonly payload: string | null
  /** The token of the claim, required for each write. */
  readonly leaseOwner: string
  /** True for the probe that an open breaker lets through. */
  readonly isProbe: boolean
  readonly clock: DatabaseClock
}

/** The clock of the database, read at the claim and advanced by the elapsed time. */
type DatabaseClock = () => number

export function runOn(readAt: number): DatabaseClock {
  const start = performance.now()
  return () => readAt + (performance.now() - start)
}
