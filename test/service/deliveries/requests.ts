import type { IncomingMessage } from 'node:http'

/** What a receiver got, in order. */
export type Requests = readonly SeenRequest[]

export interface SeenRequest {
  readonly event: string
  readonly delivery: string
  readonly attempt: number
}

export function seen({ headers }: IncomingMessage): SeenRequest {
  return {
    event: String(headers['webhook-id']),
    delivery: String(headers['x-service-delivery']),
    attempt: Number(headers['x-service-attempt']),
  }
}
