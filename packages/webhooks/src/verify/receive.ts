import type { HeadersLike } from './header-values.ts'
import { BodyTooLarge } from './read-body.ts'
import { WebhookVerificationError } from './verification-error.ts'
import { readSecrets, type Secrets, verify, type VerifyOptions } from './verify.ts'
import type { WebhookEvent } from './webhook-event.ts'

export interface HandlerOptions extends VerifyOptions {
  /** The secret of the subscription, or several during a rotation. */
  readonly secret: Secrets
  /** The longest body to read, in bytes. @default 1048576 */
  readonly maxBytes?: number
  /**
   * Receives the error that the callback threw. The sender only learns that handling failed, and sends the event
   * again.
   *
   * @default console.error
   */
  readonly onError?: (error: unknown) => void
}

/** Receives each event with a valid signature. The sender waits up to 15 seconds: put longer work into a queue. */
export type OnEvent<Native> = (event: WebhookEvent, native: Native) => unknown

/** A request of any framework. */
export interface Incoming {
  readonly method: string | undefined
  readonly headers: HeadersLike
  /** @throws {BodyTooLarge} */
  readonly readBody: (maxBytes: number) => Promise<Uint8Array | string>
}

export interface Answer {
  readonly status: 200 | 400 | 401 | 405 | 413 | 500
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body: string
}

const LONGEST_BODY = 1024 * 1024

/**
 * Creates the handler of requests that all frameworks share.
 *
 * @throws {WebhookVerificationError} invalid_secret, when the handler is created.
 */
export function receiver({ secret, maxBytes = LONGEST_BODY, onError = report, ...options }: HandlerOptions) {
  readSecrets(secret)
  return async (incoming: Incoming, onEvent: (event: WebhookEvent) => unknown): Promise<Answer> => {
    if (incoming.method !== 'POST') return refuse(405, 'method_not_allowed', { allow: 'POST' })
    let event: WebhookEvent
    try {
      const body = await incoming.readBody(maxBytes)
      event = await verify(body, incoming.headers, secret, options)
    } catch (error) {
      return explain(error, onError)
    }
    try {
      await onEvent(event)
    } catch (error) {
      onError(error)
      return refuse(500, 'handler_failed')
    }
    return answer(200, { received: true })
  }
}

function explain(error: unknown, onError: (error: unknown) => void): Answer {
  // The rest of the body is not read, so the connection cannot be reused.
  if (error instanceof BodyTooLarge) return refuse(413, 'too_large', { connection: 'close' })
  if (error instanceof WebhookVerificationError && error.reason !== 'invalid_payload') {
    return refuse(error.reason === 'invalid_json' ? 400 : 401, error.reason)
  }
  // The receiver's own fault: the body was parsed before, or is missing.
  onError(error)
  return refuse(500, 'body_not_readable')
}

function refuse(status: Answer['status'], reason: string, headers: Answer['headers'] = {}): Answer {
  return answer(status, { received: false, reason }, headers)
}

function answer(status: Answer['status'], body: object, headers: Answer['headers'] = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

function report(error: unknown): void {
  console.error(error)
}
