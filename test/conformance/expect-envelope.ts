import { expect } from 'vitest'
import type { Answer, Envelope } from './ask.ts'

/** §7: each code and its status. */
export const STATUSES = {
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  RATE_LIMITED: 429,
  INVALID_REQUEST: 400,
  INVALID_SOURCE: 400,
  GENERATION_FAILED: 500,
  CONNECTION_FAILED: 502,
} as const

export type Code = keyof typeof STATUSES

const REQUEST_ID = /^req_[0-9A-Za-z]+$/

/** ISO 8601 in UTC. */
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

/** §2.2, for every answer of the interface. */
export function expectSuccess({ envelope, headers, status, text }: Answer, expected = 200): Envelope['data'] {
  expect(status, text).toBe(expected)
  expect(headers.get('content-type')).toMatch(/^application\/json\b/)
  expect(Object.keys(envelope).toSorted()).toEqual(['data', 'meta', 'success'])
  expect(envelope.success).toBe(true)
  expect(envelope.data).toBeTypeOf('object')
  expect(envelope.meta['requestId']).toMatch(REQUEST_ID)
  expect(envelope.meta['timestamp']).toMatch(TIMESTAMP)
  expect(Number.isInteger(envelope.meta['tokensUsed'])).toBe(true)
  return envelope.data
}

/** §2.3 and §7, for every failure of the interface. */
export function expectFailure(answer: Answer, ...codes: readonly Code[]): Envelope['error'] {
  const { envelope, headers, status, text } = answer
  expect(codes as readonly string[], text).toContain(envelope.error?.code)
  expect(status).toBe(STATUSES[envelope.error.code as Code])
  expect(headers.get('content-type')).toMatch(/^application\/json\b/)
  expect(Object.keys(envelope).toSorted()).toEqual(['error', 'meta', 'success'])
  expect(envelope.success).toBe(false)
  expect(envelope.error.message).toBeTypeOf('string')
  expect(envelope.error.message).not.toBe('')
  const { details } = envelope.error
  if ('details' in envelope.error) {
    expect(details).toBeTypeOf('object')
    expect(Array.isArray(details)).toBe(false)
  }
  if (details && 'suggestion' in details) expect(details['suggestion']).toBeTypeOf('string')
  expect(envelope.meta).toEqual({ requestId: expect.stringMatching(REQUEST_ID) })
  return envelope.error
}

/** The failure, and that it tells where the fault is. */
export function expectFault(answer: Answer, path: string): void {
  const { details, message } = expectFailure(answer, 'INVALID_REQUEST')
  expect(JSON.stringify([message, details])).toContain(path)
}
