import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { createClient } from '@stagecraft/client'
import { memoryRateLimiter } from '@stagecraft/http'
import { type ErrorCode, type GenerationRequest, StagecraftError } from '@stagecraft/spec'
import { describe, expect, test } from 'vitest'
import { AT_ONCE_MS } from '../at-once.ts'
import { fastifyBinding, KEY_WITHOUT_SCOPE, REQUEST } from '../http/service.ts'
import { failureOf } from './failure-of.ts'
import { clientOf, failure, hang, KEY, type Reply, reset, send, startStub, SUCCESS } from './stub.ts'

/** An engine that fails with an error of its own. */
function failing(reason: Error) {
  return { engine: { generate: () => Promise.reject(reason) } }
}

const RETRIED_ONCE = { maxRetries: 1 } as const

describe('a service', () => {
  test('answers as its engine does', async () => {
    const service = await fastifyBinding()
    const { data, meta } = await clientOf(service).generate({ ...REQUEST, options: { addTests: true } })
    expect(data.code).toContain("source('stripe', 'payments')")
    expect(data.tests).toEqual(['not_null', 'unique'])
    expect(data.files).toHaveLength(3)
    expect(meta.requestId).toMatch(/^req_/)
  })

  test('is reached with and without a slash at the end of its URL', async () => {
    const { url } = await fastifyBinding()
    await expect(clientOf({ url: `${url}/` }).generate(REQUEST)).resolves.toHaveProperty('data.code')
  })

  test.each<readonly [ErrorCode, () => Promise<unknown>]>([
    ['UNAUTHORIZED', async () => clientOf(await fastifyBinding(), { apiKey: 'another' }).generate(REQUEST)],
    [
      'FORBIDDEN',
      async () => clientOf(await fastifyBinding(), { apiKey: KEY_WITHOUT_SCOPE }).generate(REQUEST),
    ],
    [
      'NOT_FOUND',
      async () => clientOf({ url: `${(await fastifyBinding()).url}/elsewhere` }).generate(REQUEST),
    ],
    [
      'RATE_LIMITED',
      async () => {
        const rate = memoryRateLimiter({ requests: 1, seconds: 600 })
        const client = clientOf(await fastifyBinding({ limits: { rate } }))
        await client.generate(REQUEST)
        return client.generate(REQUEST)
      },
    ],
    [
      'INVALID_REQUEST',
      async () => clientOf(await fastifyBinding()).generate({ ...REQUEST, type: 'x' } as never),
    ],
    [
      'INVALID_SOURCE',
      async () => clientOf(await fastifyBinding()).generate({ ...REQUEST, source: 'raw.stripe.refunds' }),
    ],
    [
      'GENERATION_FAILED',
      async () => clientOf(await fastifyBinding(failing(new Error('x')))).generate(REQUEST),
    ],
    [
      'CONNECTION_FAILED',
      async () => {
        const error = new StagecraftError('CONNECTION_FAILED', 'x', { details: { reason: 'timeout' } })
        return clientOf(await fastifyBinding(failing(error)), RETRIED_ONCE).generate(REQUEST)
      },
    ],
  ])('fails with %s and the request id', async (code, call) => {
    const error = await failureOf(call())
    expect(error.code).toBe(code)
    expect(error.details?.['requestId']).toMatch(/^req_/)
  })

  test('passes on the details of its error', async () => {
    const client = clientOf(await fastifyBinding())
    const invalid = client.generate({
      ...REQUEST,
      options: { addTests: 'yes' },
    } as unknown as GenerationRequest)
    expect((await failureOf(invalid)).details?.faults).toMatchObject([{ path: 'options.addTests' }])
    const missing = client.generate({ ...REQUEST, source: 'raw.stripe.refunds' })
    expect((await failureOf(missing)).details?.suggestion).toContain('payments')
  })

  test('may be newer and add fields and warnings', async () => {
    const warnings = [{ code: 'OF_TOMORROW', message: 'look', severity: 1 }]
    const data = { ...SUCCESS.data, warnings, added: 1 }
    const meta = { ...SUCCESS.meta, added: 1 }
    const error = { code: 'INVALID_SOURCE', message: 'no', details: { added: 1 }, added: 1 }
    const stub = await startStub(
      send(200, { ...SUCCESS, data, meta, added: 1 }),
      send(400, { success: false, error, meta: { requestId: 'req_2', added: 1 }, added: 1 }),
    )
    const client = clientOf(stub)
    expect((await client.generate(REQUEST)).data.warnings).toMatchObject([{ code: 'OF_TOMORROW' }])
    expect(await failureOf(client.generate(REQUEST))).toMatchObject({
      code: 'INVALID_SOURCE',
      details: { added: 1, requestId: 'req_2' },
    })
  })
})

describe('no answer', () => {
  test.each<readonly [string, Reply, string, number]>([
    ['an HTML 502', send(502, '<html>Bad Gateway</html>'), 'status 502', 2],
    ['malformed JSON', send(200, '{"success": tr'), 'status 200', 1],
    ['JSON of something else', send(200, { data: 1 }), 'status 200', 1],
    ['an HTML 401', send(401, 'log in'), 'status 401', 1],
    ['a success with status 500', send(500, SUCCESS), 'status 500', 1],
    ['an unknown error code', send(500, failure('TEAPOT')), 'status 500', 1],
    ['a reset', reset, 'the connection was closed', 2],
    [
      'a body that breaks off',
      (response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{')
        setTimeout(() => response.socket?.destroy(), 20)
      },
      'in the middle of the answer',
      1,
    ],
  ])('is CONNECTION_FAILED: %s', async (_, reply, reason, requests) => {
    const stub = await startStub(reply)
    const error = await failureOf(clientOf(stub, RETRIED_ONCE).generate(REQUEST))
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', details: { host: stub.host } })
    expect(error.message).toContain(stub.host)
    expect(error.message).toContain(reason)
    expect(stub.requests).toHaveLength(requests)
  })

  test('is CONNECTION_FAILED: a host that does not exist', async () => {
    const client = clientOf({ url: 'https://no-such-host.invalid' }, { maxRetries: 0 })
    const { message } = await failureOf(client.generate(REQUEST))
    expect(message).toMatch(/no-such-host\.invalid .*(?:no such host|cannot be looked up)/)
  })

  test('is CONNECTION_FAILED: a closed port', async () => {
    const server = createServer()
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
    )
    await new Promise((resolve) => server.close(resolve))
    const client = clientOf({ url: `http://127.0.0.1:${port}` }, RETRIED_ONCE)
    const { message } = await failureOf(client.generate(REQUEST))
    expect(message).toBe(`the request to 127.0.0.1:${port} failed: the connection was refused`)
  })

  test('is CONNECTION_FAILED: a redirect, which is not followed', async () => {
    const other = await startStub(send(200, SUCCESS))
    const stub = await startStub(send(307, '', { location: other.url }))
    const error = await failureOf(clientOf(stub).generate(REQUEST))
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED' })
    expect(error.message).toContain('the service redirected')
    expect([stub.requests.length, other.requests.length]).toEqual([1, 0])
  })

  test('is CONNECTION_FAILED: a time limit', async () => {
    const stub = await startStub(hang)
    const error = await failureOf(clientOf(stub, { timeoutMs: 150 }).generate(REQUEST))
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED' })
    expect(error.message).toContain('no answer within 0.15 s')
    expect(stub.requests).toHaveLength(1)
  })
})

const IN_FLIGHT = JSON.stringify({
  success: false,
  error: { code: 'INVALID_REQUEST', message: 'wait', details: { reason: 'in-flight' } },
  meta: { requestId: 'req_1' },
})

describe('retries', () => {
  test.each<readonly [string, Reply]>([
    ['a reset', reset],
    ['429', send(429, failure('RATE_LIMITED'))],
    ['502', send(502, failure('CONNECTION_FAILED'))],
    ['503', send(503, 'not ready')],
    ['a try that is still worked on', send(400, IN_FLIGHT, { 'retry-after': '1' })],
  ])('succeed after %s', async (_, reply) => {
    const stub = await startStub(reply, send(200, SUCCESS))
    await expect(clientOf(stub).generate(REQUEST)).resolves.toMatchObject({ meta: { requestId: 'req_1' } })
    expect(stub.requests).toHaveLength(2)
  })

  test('are as many as configured, with growing pauses', async () => {
    const stub = await startStub(send(503, 'not ready'))
    await failureOf(clientOf(stub).generate(REQUEST))
    expect(stub.requests).toHaveLength(3)
    const [first = 0, second = 0, third = 0] = stub.times
    expect(second - first).toBeGreaterThan(140)
    expect(third - second).toBeGreaterThan(290)
  })

  test('wait as long as Retry-After says', async () => {
    const stub = await startStub(
      send(429, failure('RATE_LIMITED'), { 'retry-after': '1' }),
      send(200, SUCCESS),
    )
    await clientOf(stub).generate(REQUEST)
    const [first = 0, second = 0] = stub.times
    expect(second - first).toBeGreaterThan(990)
  })

  test.each([
    ['longer than a minute', { 'retry-after': '61' }, {}],
    ['longer than the call may take', { 'retry-after': '41' }, { timeoutMs: 40_000 }],
  ])('do not wait %s', async (_, headers, options) => {
    const stub = await startStub(send(429, failure('RATE_LIMITED'), headers))
    const start = performance.now()
    expect((await failureOf(clientOf(stub, options).generate(REQUEST))).code).toBe('RATE_LIMITED')
    expect(performance.now() - start).toBeLessThan(AT_ONCE_MS)
    expect(stub.requests).toHaveLength(1)
  })

  test.each([
    [400, 'INVALID_REQUEST'],
    [401, 'UNAUTHORIZED'],
    [500, 'GENERATION_FAILED'],
    [503, 'GENERATION_FAILED'],
  ])('do not happen after %i %s', async (status, code) => {
    const stub = await startStub(send(status, failure(code)))
    expect((await failureOf(clientOf(stub).generate(REQUEST))).code).toBe(code)
    expect(stub.requests).toHaveLength(1)
  })
})

describe('an abort', () => {
  const reason = new Error('enough')

  test.each<readonly [string, Reply]>([
    ['in flight', hang],
    ['in a pause', send(429, failure('RATE_LIMITED'), { 'retry-after': '30' })],
  ])('throws its reason at once: %s', async (_, reply) => {
    const stub = await startStub(reply)
    const controller = new AbortController()
    const call = clientOf(stub).generate(REQUEST, { signal: controller.signal })
    const settled = call.catch((error: unknown) => error)
    await expect.poll(() => stub.requests.length).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const start = performance.now()
    controller.abort(reason)
    expect(await settled).toBe(reason)
    expect(performance.now() - start).toBeLessThan(AT_ONCE_MS)
  })

  test('before the call sends nothing', async () => {
    const stub = await startStub(send(200, SUCCESS))
    await expect(clientOf(stub).generate(REQUEST, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(stub.requests).toHaveLength(0)
  })
})

describe('options', () => {
  test.each([
    [{ apiKey: '' }, 'apiKey: expected a key, got none'],
    [{ apiKey: ' ' }, 'apiKey: expected a key, got none'],
    [{ apiKey: `${KEY}\n` }, 'apiKey: expected letters'],
    [{ baseUrl: 'stagecraft.example.com' }, 'baseUrl: expected a URL'],
    [{ baseUrl: 'ftp://stagecraft.example.com' }, 'baseUrl: expected a URL'],
    [{ baseUrl: `https://me:${KEY}@stagecraft.example.com` }, 'without a user name and password'],
    [{ baseUrl: 'https://stagecraft.example.com?a' }, 'without ? and #'],
    [{ baseUrl: 'http://stagecraft.example.com' }, 'baseUrl: expected https:'],
    [{ baseUrl: 'http://127.0.0.1.example.com' }, 'baseUrl: expected https:'],
    [{ apiUrl: 'http://stagecraft.example.com' }, 'apiUrl: expected https:'],
    [{ apiUrl: `https://me:${KEY}@stagecraft.example.com` }, 'apiUrl: expected a URL'],
    [{ maxRetries: -1 }, 'maxRetries: expected a whole number'],
    [{ timeoutMs: Infinity }, 'timeoutMs: expected a whole number'],
  ])('refuses %j', (options, message) => {
    const all = { baseUrl: 'https://stagecraft.example.com', apiKey: KEY, ...options }
    const open = () => createClient(all)
    expect(open).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }) as Error)
    expect(open).toThrow(message)
    expect(open).not.toThrow(KEY)
  })

  test('reports all faults at once', () => {
    expect(() => createClient({ baseUrl: '', apiKey: '' })).toThrow(/^baseUrl: .*; apiKey: /)
  })

  test.each([['http://localhost:8080'], ['http://[::1]:8080'], ['http://stagecraft.example.com', true]])(
    'takes %s',
    (baseUrl, allowHttp = false) => {
      expect(createClient({ baseUrl, apiKey: KEY, allowHttp })).toHaveProperty('generate')
    },
  )

  test('does not show the key', async () => {
    const client = clientOf({ url: 'https://stagecraft.example.com' })
    expect(inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client)).not.toContain(KEY)
    const fetch = () => Promise.reject(new TypeError(`cannot send ${KEY}`, { cause: { key: KEY } }))
    const { message } = await failureOf(
      clientOf({ url: 'https://stagecraft.example.com' }, { fetch, maxRetries: 0 }).generate(REQUEST),
    )
    expect(message).toContain('the connection failed')
    const stub = await startStub(send(401, failure('UNAUTHORIZED', `no such key: ${KEY}`)))
    expect((await failureOf(clientOf(stub).generate(REQUEST))).message).toBe('no such key: [key]')
  })
})
