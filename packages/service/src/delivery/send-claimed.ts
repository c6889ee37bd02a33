import {
  attemptDelivery,
  type DeliveryAgent,
  type DeliveryFailure,
  type DeliveryResult,
  signDelivery,
} from '@stagecraft/webhooks'
import type { ServiceLogger } from '../context.ts'
import type { ClaimedDelivery } from './claimed-delivery.ts'
import type { EndpointSecrets, OpenSecrets } from './open-secrets.ts'

/** The word for an answer of 401 while two secrets sign: the next attempt is signed with the previous one. */
export const SECRET_REFUSED = 'secret_refused'

/** The outcome of an attempt. */
export interface SentDelivery {
  readonly delivery: ClaimedDelivery
  /** By the clock of the database. */
  readonly endedAt: number
  /** `unsendable`: its secret or headers cannot be used, or its event is gone, so that nothing was sent. */
  readonly result: Omit<DeliveryResult, 'failure'> & {
    readonly failure?: DeliveryFailure | typeof SECRET_REFUSED | 'unsendable'
  }
}

export interface SendOptions {
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
    const headers = headersOf(delivery, { payload, order, given: secrets.headers })
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

/** The newest first, and then the one that it replaces; the other way round when the receiver has refused the newest. */
function signingOrder(
  { clock, endpoint, lastFailure }: ClaimedDelivery,
  { previous, secret }: EndpointSecrets,
): readonly string[] {
  if (previous === undefined || clock() >= (endpoint.previous_secret_expires_at ?? 0)) return [secret]
  return lastFailure === SECRET_REFUSED ? [previous, secret] : [secret, previous]
}

interface HeaderParts {
  readonly payload: string
  readonly order: readonly string[]
  readonly given: Readonly<Record<string, string>>
}

function headersOf(
  delivery: ClaimedDelivery,
  { given, order, payload }: HeaderParts,
): Record<string, string> {
  const { attempt, clock, eventId, id } = delivery
  const timestamp = Math.floor(clock() / 1000)
  return {
    ...lowerCase(given),
    ...signDelivery({ id: eventId, timestamp, body: payload, secrets: order }),
    'content-type': 'application/json',
    'x-service-delivery': id,
    'x-service-attempt': String(attempt),
  }
}

/** So that ours replace theirs. */
function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
