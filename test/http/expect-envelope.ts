import { STATUS_CODES } from '@stagecraft/http'
import {
  type ErrorCode,
  type ErrorEnvelope,
  errorEnvelopeSchema,
  successEnvelopeSchema,
} from '@stagecraft/spec'
import { apiMetaSchema } from '@stagecraft/spec/api'
import { expect } from 'vitest'

/** Checks everything that holds for every failure, and answers the envelope. */
export async function expectFailure(response: Response, code: ErrorCode): Promise<ErrorEnvelope> {
  const text = await response.text()
  const envelope = errorEnvelopeSchema.parse(JSON.parse(text))
  expect(envelope.error.code, text).toBe(code)
  expect(response.status).toBe(STATUS_CODES[code])
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(response.headers.get('x-request-id')).toBe(envelope.meta.requestId)
  expect(Object.keys(JSON.parse(text) as object)).toEqual(['success', 'error', 'meta'])
  expect(Object.keys(envelope.meta)).toEqual(['requestId'])
  return envelope
}

export async function expectSuccess(response: Response) {
  const text = await response.text()
  expect(response.status, text).toBe(200)
  const envelope = successEnvelopeSchema.parse(JSON.parse(text))
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(response.headers.get('x-request-id')).toBe(envelope.meta.requestId)
  expect(Object.keys(JSON.parse(text) as object)).toEqual(['success', 'data', 'meta'])
  return envelope
}

/** The same for a success under /v1. */
export async function expectData(response: Response, status = 200) {
  const text = await response.text()
  expect(response.status, text).toBe(status)
  const envelope = JSON.parse(text) as { readonly data: Record<string, unknown>; readonly meta: unknown }
  expect(Object.keys(envelope)).toEqual(['success', 'data', 'meta'])
  const meta = apiMetaSchema.strict().parse(envelope.meta)
  expect(response.headers.get('x-request-id')).toBe(meta.requestId)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  return { data: envelope.data, meta }
}

export function expectFaults({ error }: ErrorEnvelope, ...paths: readonly string[]): void {
  const faults = error.details?.['faults'] as readonly Record<string, unknown>[]
  expect(faults.map(({ path }) => path)).toEqual(paths)
  for (const fault of faults) {
    expect(Object.keys(fault).toSorted()).toEqual(['expected', 'path', 'received'])
    expect(Object.values(fault).every((value) => typeof value === 'string')).toBe(true)
  }
}
