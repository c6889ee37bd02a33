// What no well-behaved client sends.
import { errorEnvelopeSchema } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { exchange, type RawAnswer } from './raw-socket.ts'
import { fastifyBinding, KEY, REQUEST } from './service.ts'

const BODY = JSON.stringify(REQUEST)

function request(...headers: readonly string[]): string {
  const all = ['Host: x', 'Content-Type: application/json', `Content-Length: ${BODY.length}`, ...headers]
  return `POST /generate HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${BODY}`
}

const GOOD = request(`Authorization: Bearer ${KEY}`)

function expectEnvelope(answer: RawAnswer | undefined, status: number, code: string): void {
  expect(answer?.status).toBe(status)
  const envelope = errorEnvelopeSchema.parse(JSON.parse(answer?.body ?? ''))
  expect(envelope.error.code).toBe(code)
  expect(answer?.headers['x-request-id']).toBe(envelope.meta.requestId)
}

test.each([
  ['what is no HTTP', 'hello\r\n\r\n'],
  ['a version that is none', 'GET / HTTP/9.9\r\n\r\n'],
  ['two lengths', request('Content-Length: 3')],
  ['a length beside chunks', request('Transfer-Encoding: chunked')],
  ['a broken chunk', 'POST /generate HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ['headers that are too long', `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`],
])('answers %s with an envelope', async (what, text) => {
  const { port } = await fastifyBinding()
  const [answer] = await exchange(port, text)
  // The key is looked for before the body is.
  if (what === 'a broken chunk') expect([400, 401]).toContain(answer?.status)
  else expectEnvelope(answer, 400, 'INVALID_REQUEST')
})

test('refuses several headers Authorization, even if all are right', async () => {
  const { port } = await fastifyBinding()
  const [answer] = await exchange(
    port,
    request(`Authorization: Bearer ${KEY}`, `authorization: Bearer ${KEY}`),
  )
  expectEnvelope(answer, 401, 'UNAUTHORIZED')
})

test('accepts a request without the header Host', async () => {
  const { port } = await fastifyBinding()
  const [answer] = await exchange(port, GOOD.replace('Host: x\r\n', ''))
  expect(answer?.status).toBe(200)
})

test('ignores an unknown expectation', async () => {
  const { port } = await fastifyBinding()
  const [answer] = await exchange(port, GOOD.replace('Host: x', 'Host: x\r\nExpect: a-miracle'))
  expect(answer?.status).toBe(200)
})

test('refuses the method QUERY and an upgrade like an unknown path', async () => {
  const { port } = await fastifyBinding()
  const [query] = await exchange(port, 'QUERY /generate HTTP/1.1\r\nHost: x\r\n\r\n')
  expectEnvelope(query, 404, 'NOT_FOUND')
  const [upgrade] = await exchange(
    port,
    'GET /socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  )
  expectEnvelope(upgrade, 404, 'NOT_FOUND')
})

test('answers pipelined requests in order, with failures between them', async () => {
  const { port } = await fastifyBinding()
  const bad = GOOD.replace(BODY, `{${BODY.slice(1).replace('}', '{')}`)
  const answers = await exchange(
    port,
    `${GOOD}${bad}${request()}GET /nope HTTP/1.1\r\nHost: x\r\n\r\n${GOOD}`,
    5,
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 404, 200])
})

test('continues to use a connection after a body that was too long', async () => {
  const { port } = await fastifyBinding({ limits: { bodyBytes: 100 } })
  const long = GOOD.replace(`Content-Length: ${BODY.length}`, 'Content-Length: 200000').replace(
    BODY,
    ' '.repeat(200_000),
  )
  const answers = await exchange(port, `${long}${GOOD}`, 2)
  expectEnvelope(answers[0], 400, 'INVALID_REQUEST')
  expect(answers[1]?.status).toBe(200)
})
