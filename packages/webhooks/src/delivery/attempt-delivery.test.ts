import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { AT_ONCE_MS } from '../../../../test/at-once.ts'
import { httpReceiver, rawReceiver } from '../testing/receivers.ts'
import { attemptDelivery, type AttemptOptions, type DeliveryResult } from './attempt-delivery.ts'
import { createDeliveryAgent } from './delivery-agent.ts'

const LOOPBACK = { allowCidrs: ['127.0.0.0/8'], allowHttp: true }

async function deliver(port: number, change: Partial<AttemptOptions> = {}): Promise<DeliveryResult> {
  const url = `http://127.0.0.1:${port}/hook?a=1`
  const options = { url, body: '{"id":"evt_1"}', headers: {}, policy: LOOPBACK, timeoutMs: 5000, ...change }
  return await attemptDelivery(options as AttemptOptions)
}

/** Writes for as long as somebody reads. */
function pour(write: (chunk: string) => boolean, onDrain: (resume: () => void) => void, chunk: string): void {
  while (write(chunk));
  onDrain(() => pour(write, onDrain, chunk))
}

test('sends exactly the given bytes, with the headers', async () => {
  const requests: unknown[] = []
  const { port } = await httpReceiver(async (request, response) => {
    const body: Buffer[] = []
    for await (const chunk of request) body.push(chunk as Buffer)
    const { method, url, headers } = request
    requests.push({ method, url, headers, body: Buffer.concat(body).toString('hex') })
    response.end('{"received":true}')
  }, onTestFinished)
  const body = new Uint8Array([0, 255, 10, 13, 200])
  const headers = { 'X-Service-Signature': 'sha256=00', 'User-Agent': 'Stagecraft/1' }
  expect(await deliver(port, { body, headers })).toEqual({
    outcome: 'delivered',
    status: 200,
    excerpt: '{"received":true}',
    isExcerptCut: false,
    durationMs: expect.any(Number),
  })
  expect(requests).toEqual([
    {
      method: 'POST',
      url: '/hook?a=1',
      body: '00ff0a0dc8',
      headers: {
        'accept-encoding': 'identity',
        connection: 'keep-alive',
        'content-length': '5',
        'content-type': 'application/json',
        host: `127.0.0.1:${port}`,
        'user-agent': 'Stagecraft/1',
        'x-service-signature': 'sha256=00',
      },
    },
  ])
})

test.each([
  [200, 'delivered', undefined],
  [201, 'delivered', undefined],
  [204, 'delivered', undefined],
  [299, 'delivered', undefined],
  [300, 'failed', 'redirect'],
  [304, 'failed', 'redirect'],
  [400, 'failed', 'status'],
  [401, 'failed', 'status'],
  [404, 'failed', 'status'],
  [410, 'gone', 'status'],
  [429, 'failed', 'status'],
  [500, 'failed', 'status'],
  [503, 'failed', 'status'],
  [599, 'failed', 'status'],
])('takes status %i for %s', async (status, outcome, failure) => {
  const { port } = await httpReceiver((_, response) => response.writeHead(status).end(), onTestFinished)
  const result = await deliver(port)
  expect([result.status, result.outcome, result.failure]).toEqual([status, outcome, failure])
})

test.each([301, 302, 303, 307, 308])('does not follow status %i', async (status) => {
  const other = await httpReceiver((_, response) => response.end(), onTestFinished)
  const location = `http://127.0.0.1:${other.port}/`
  const { port } = await httpReceiver(
    (_, response) => response.writeHead(status, { location }).end(),
    onTestFinished,
  )
  expect(await deliver(port)).toMatchObject({ outcome: 'failed', failure: 'redirect', status })
  expect(other.connections()).toBe(0)
})

test.each([
  [429, '120', 120_000],
  [429, 'Sun, 01 Mar 2026 00:01:00 GMT', 60_000],
  [503, '86400', 86_400_000],
  [429, '86400', 3_600_000],
  [500, 'soon', undefined],
])('reads the pause of status %i from %s', async (status, header, retryAfterMs) => {
  const { port } = await httpReceiver(
    (_, response) => response.writeHead(status, { 'retry-after': header }).end(),
    onTestFinished,
  )
  const result = await deliver(port, { now: () => Date.UTC(2026, 2, 1) })
  expect(result.retryAfterMs).toBe(retryAfterMs)
})

describe('the body of an answer', () => {
  test('is read up to 16 KiB', async () => {
    let sent = 0
    const { port, connections } = await httpReceiver((_, response) => {
      const write = (chunk: string): boolean => {
        sent += chunk.length
        return !response.destroyed && response.write(chunk)
      }
      pour(write, (resume) => response.once('drain', resume), 'é'.repeat(8192))
    }, onTestFinished)
    const result = await deliver(port)
    expect(result).toMatchObject({ outcome: 'delivered', status: 200, isExcerptCut: true })
    expect(result.excerpt).toBe('é'.repeat(8192))
    expect(sent).toBeLessThan(16 * 1024 * 1024)
    expect(connections()).toBe(1)
  })

  test('is not awaited if it arrives at 1 byte per second', async () => {
    const { port } = await httpReceiver((_, response) => {
      const timer = setInterval(() => response.write('x'), 1000)
      response.once('close', () => clearInterval(timer))
      response.write('x')
    }, onTestFinished)
    const result = await deliver(port, { timeoutMs: 50_000 })
    expect(result).toMatchObject({ outcome: 'delivered', isExcerptCut: true })
    expect(result.excerpt).toMatch(/^x+$/)
    expect(result.durationMs).toBeLessThan(AT_ONCE_MS)
  })

  test('does not change the result if the time limit or the connection ends during it', async () => {
    const { port } = await httpReceiver((request, response) => {
      response.write('half')
      if (request.url === '/reset') setTimeout(() => response.destroy(), 50)
    }, onTestFinished)
    const expected = { outcome: 'delivered', status: 200, excerpt: 'half', isExcerptCut: true }
    expect(await deliver(port, { timeoutMs: 1000 })).toMatchObject(expected)
    expect(await deliver(port, { url: `http://127.0.0.1:${port}/reset` })).toMatchObject(expected)
    expect(await deliver(port, { signal: AbortSignal.timeout(1000) })).toMatchObject(expected)
  })

  test('is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    const encodings: unknown[] = []
    const { port } = await httpReceiver((request, response) => {
      encodings.push(request.headers['accept-encoding'])
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    }, onTestFinished)
    const result = await deliver(port)
    expect(result).toMatchObject({ outcome: 'delivered', excerpt: '', isExcerptCut: true })
    expect(encodings).toEqual(['identity'])
  })

  test('is always read as text', async () => {
    const { port } = await httpReceiver(
      (_, response) => response.end(Buffer.from([0x61, 0, 0xff, 0x62])),
      onTestFinished,
    )
    expect((await deliver(port)).excerpt).toBe('a\u{FFFD}\u{FFFD}b')
  })
})

describe('a receiver that', () => {
  test.each([
    ['hangs', () => {}, 'timeout'],
    [
      'sends headers at 1 byte a second',
      (socket: { write: (text: string) => unknown }) => void socket.write('H'),
      'timeout',
    ],
  ])('%s runs into the time limit', async (_, onRequest, failure) => {
    const { port } = await rawReceiver(onRequest, onTestFinished)
    const result = await deliver(port, { timeoutMs: 400 })
    expect(result).toMatchObject({ outcome: 'failed', failure })
    expect(result.status).toBe(undefined)
    expect(result.durationMs).toBeGreaterThanOrEqual(395)
    expect(result.durationMs).toBeLessThan(AT_ONCE_MS)
  })

  test('sends 1xx forever runs into the time limit', async () => {
    const { port } = await rawReceiver((socket) => {
      const write = (chunk: string): boolean => !socket.destroyed && socket.write(chunk)
      const resume = (next: () => void): unknown => socket.once('drain', () => setTimeout(next, 5))
      pour(write, resume, 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100))
    }, onTestFinished)
    const result = await deliver(port, { timeoutMs: 400 })
    expect(result).toMatchObject({ outcome: 'failed', failure: 'timeout' })
    expect(result.durationMs).toBeLessThan(AT_ONCE_MS)
  })

  test.each([
    ['resets', '', 'reset'],
    ['ends before the status', 'HTTP/1.1', 'reset'],
    ['ends within headers', 'HTTP/1.1 200 OK\r\ncontent-le', 'reset'],
    ['speaks no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'protocol'],
    ['has an invalid status line', 'HTTP/1.1 abc Bad\r\n\r\n', 'protocol'],
    ['speaks HTTP/0.9', '<html></html>', 'protocol'],
    ['has a header without a name', 'HTTP/1.1 200 OK\r\n: x\r\n\r\n', 'protocol'],
    ['has two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx', 'protocol'],
    ['upgrades', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 'reset'],
    ['sends large headers', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 'too_large_headers'],
    ['sends many headers', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(9000)}\r\n`, 'too_large_headers'],
  ])('%s fails', async (_, answer, failure) => {
    const { port } = await rawReceiver(
      (socket) => (answer === '' ? socket.resetAndDestroy() : socket.end(answer)),
      onTestFinished,
    )
    const result = await deliver(port)
    expect([result.outcome, result.failure, result.status]).toEqual(['failed', failure, undefined])
  })

  test('does not exist fails', async () => {
    const stops: (() => Promise<void>)[] = []
    const { port } = await httpReceiver(
      () => {},
      (stop) => stops.push(stop),
    )
    for (const stop of stops) await stop()
    expect(await deliver(port)).toMatchObject({ outcome: 'failed', failure: 'connect', code: 'ECONNREFUSED' })
  })
})

describe('the caller', () => {
  test('stops an attempt', async () => {
    const { port } = await httpReceiver(() => {}, onTestFinished)
    const result = await deliver(port, { timeoutMs: 50_000, signal: AbortSignal.timeout(100) })
    expect(result).toMatchObject({ outcome: 'failed', failure: 'aborted' })
    expect(result.durationMs).toBeLessThan(AT_ONCE_MS)
  })

  test('can stop it before it starts', async () => {
    const { port, connections } = await httpReceiver(() => {}, onTestFinished)
    expect(await deliver(port, { signal: AbortSignal.abort() })).toMatchObject({ failure: 'aborted' })
    expect(connections()).toBe(0)
  })

  test.each(['Host', 'content-length', 'Transfer-Encoding', 'connection', 'accept-encoding', 'a b', ''])(
    'cannot set the header %j',
    async (name) => {
      await expect(deliver(1, { headers: { [name]: 'x' } })).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
      })
    },
  )

  test('cannot put a line end into a header', async () => {
    await expect(deliver(1, { headers: { x: 'a\r\nb: c' } })).rejects.toThrow(
      'headers.x: expected visible ASCII',
    )
  })
})

test('an agent reuses its connection until it is closed', async () => {
  const { port, connections } = await httpReceiver((_, response) => response.end('ok'), onTestFinished)
  const agent = createDeliveryAgent(LOOPBACK)
  const options = { url: `http://127.0.0.1:${port}/`, body: '{}', headers: {}, agent }
  expect((await attemptDelivery(options)).outcome).toBe('delivered')
  await pause(20)
  expect((await attemptDelivery(options)).outcome).toBe('delivered')
  expect(connections()).toBe(1)
  await agent.close()
  expect(await attemptDelivery(options)).toMatchObject({ outcome: 'failed', failure: 'aborted' })
})

test.each([
  ['disable', 'disable'],
  [' Abort-Message ', 'abort-message'],
  ['retry', undefined],
])('reads %j in the header webhook-delivery', async (text, directive) => {
  const { port } = await httpReceiver(
    (_, response) => response.writeHead(400, { 'webhook-delivery': text }).end(),
    onTestFinished,
  )
  expect((await deliver(port)).directive).toBe(directive)
})
