import { expect, test } from 'vitest'
import type { Attempt } from './attempt.ts'
import { LARGEST_BODY_BYTES, limitBody } from './limit-body.ts'

function bodyOf(...chunks: readonly (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const bytes = chunks.map((chunk) => (typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk))
  return ReadableStream.from(bytes)
}

test('accepts a body of the largest size, and not one byte more', async () => {
  const largest = new Uint8Array(LARGEST_BODY_BYTES)
  const fits: Attempt = {}
  const size = (await new Response(limitBody(bodyOf(largest), fits, { isEvents: false })).arrayBuffer())
    .byteLength
  expect({ size, fits }).toEqual({ size: LARGEST_BODY_BYTES, fits: { body: 'whole' } })
  const over: Attempt = {}
  const body = limitBody(bodyOf(largest, 'x'), over, { isEvents: false })
  await expect(new Response(body).arrayBuffer()).rejects.toThrow('bytes')
  expect(over).toEqual({ body: 'too large' })
})

test.each([
  [['data: 1\n\n'], 'whole'],
  [['data: 1\n', '\n'], 'whole'],
  [['data: 1\r\n\r\n'], 'whole'],
  [['data: 1\r', '\n\r', '\n'], 'whole'],
  [['data: 1\n\nda', 'ta: 2'], 'cut'],
  [['data: 1\n'], 'cut'],
  [[], 'cut'],
])('records how the events %j end: %s', async (chunks, ending) => {
  const attempt: Attempt = {}
  await new Response(limitBody(bodyOf(...chunks), attempt, { isEvents: true })).text()
  expect(attempt.body).toBe(ending)
})
