import { randomUUID } from 'node:crypto'
import type { Target } from './target.ts'

/** One of the two envelopes; which members are there is what the tests find out. */
export interface Envelope {
  readonly success: unknown
  readonly data: Readonly<Record<string, unknown>>
  readonly error: {
    readonly code: string
    readonly message: unknown
    readonly details?: Readonly<Record<string, unknown>>
  }
  readonly meta: Readonly<Record<string, unknown>>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly envelope: Envelope
}

export interface Asked {
  /** Another key, or null for none. */
  readonly key?: string | null
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is, in place of `body`. */
  readonly text?: string
  /** Added; undefined takes one away. */
  readonly headers?: Readonly<Record<string, string | undefined>>
}

/** Sends one request: `POST /generate` to the base address, `GET /v1/…` to the other. */
export type Ask = (line: string, asked?: Asked) => Promise<Answer>

export function askOf({ apiUrl, baseUrl, key: ownKey }: Pick<Target, 'apiUrl' | 'baseUrl' | 'key'>): Ask {
  return async (line, { body, headers = {}, key = ownKey, text } = {}) => {
    const [method = 'GET', path = '/'] = line.split(' ')
    const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
    const all: Readonly<Record<string, string | undefined>> = {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(content !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    }
    const response = await fetch(`${path.startsWith('/generate') ? baseUrl : apiUrl}${path}`, {
      method,
      redirect: 'manual',
      headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
      // As bytes, because fetch gives a text a content type of its own.
      ...(content !== undefined && { body: new TextEncoder().encode(content) }),
    })
    const received = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text: received,
      envelope: readEnvelope(received),
    }
  }
}

function readEnvelope(text: string): Envelope {
  try {
    return JSON.parse(text) as Envelope
  } catch {
    return { success: 'not JSON', data: {}, error: { code: 'not JSON', message: text }, meta: {} }
  }
}

/** A name that nothing else has. */
export function freshName(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 12)}`
}
