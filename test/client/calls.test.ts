import type { Client } from '@stagecraft/client'
import { describe, expect, test } from 'vitest'
import { AT_ONCE_MS } from '../at-once.ts'
import { answer, startApi } from './api-stub.ts'
import { failureOf } from './failure-of.ts'
import { clientOf, failure, hang, type Reply, reset, send, startStub, SUCCESS, success } from './stub.ts'

const IN_PROJECT = { projectId: 'proj_1' } as const
const ANSWER = answer({ isWhole: false })
const UNIT = { type: 'staging', source: 'raw.a' } as const

const create = (client: Client) => client.units.create(UNIT)

describe('retries', () => {
  test.each<readonly [string, Reply]>([
    ['a reset', reset],
    ['503', send(503, 'not ready')],
    ['429', send(429, failure('RATE_LIMITED'))],
  ])('of a creation use the same key, after %s', async (_, reply) => {
    const stub = await startStub(reply, ANSWER)
    const client = clientOf(stub, IN_PROJECT)
    await create(client)
    const [first, second, ...others] = stub.requests.map(({ headers }) => headers['idempotency-key'])
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect([second, others]).toEqual([first, []])
    expect(stub.bodies[1]).toBe(stub.bodies[0])
    await create(client)
    expect(stub.requests[2]?.headers['idempotency-key']).not.toBe(first)
  })

  test('of generate use the same key', async () => {
    const stub = await startStub(reset, send(200, SUCCESS))
    await clientOf(stub).generate(UNIT, { idempotencyKey: 'nightly-7' })
    expect(stub.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['nightly-7', 'nightly-7'])
    await clientOf(stub).generate(UNIT)
    expect(stub.requests[2]?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/)
  })

  test.each<readonly [string, (client: Client) => Promise<unknown>]>([
    ['GET', (client) => client.units.get('unit_1')],
    ['DELETE', (client) => client.units.delete('unit_1')],
    ['PATCH with a version', (client) => client.units.update('unit_1', { name: 'a' }, { ifMatch: 3 })],
    ['cancel', (client) => client.scans.cancel('scan_1')],
    ['pause', (client) => client.webhooks.pause('whk_1')],
    ['enable', (client) => client.webhooks.enable('whk_1')],
  ])('succeed: %s', async (_, call) => {
    const stub = await startStub(reset, ANSWER)
    await call(clientOf(stub, IN_PROJECT))
    expect(stub.requests).toHaveLength(2)
  })

  test.each<readonly [string, (client: Client) => Promise<unknown>]>([
    ['PATCH without a version', (client) => client.units.update('unit_1', { name: 'a' })],
    ['test of a connection', (client) => client.connections.test('conn_1')],
    ['test of a webhook', (client) => client.webhooks.test('whk_1')],
    ['rotate-secret', (client) => client.webhooks.rotateSecret('whk_1')],
  ])('do not happen once the request was sent: %s', async (_, call) => {
    for (const reply of [reset, send(503, 'not ready'), send(429, failure('RATE_LIMITED'))]) {
      const stub = await startStub(reply, ANSWER)
      await failureOf(call(clientOf(stub, IN_PROJECT)))
      expect(stub.requests).toHaveLength(1)
    }
  })

  test('happen if nothing was sent', async () => {
    const stub = await startApi()
    let tries = 0
    const fetch: typeof globalThis.fetch = (...input) => {
      tries += 1
      const cause = Object.assign(new Error('x'), { code: 'ECONNREFUSED' })
      return tries === 1
        ? Promise.reject(new TypeError('fetch failed', { cause }))
        : globalThis.fetch(...input)
    }
    await clientOf(stub, { fetch }).webhooks.test('whk_1')
    expect([tries, stub.requests.length]).toEqual([2, 1])
  })

  test('happen for an interrupted GET, but not for a creation', async () => {
    const broken: Reply = (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{')
      setTimeout(() => response.socket?.destroy(), 20)
    }
    const stub = await startStub(broken, ANSWER)
    await clientOf(stub, IN_PROJECT).units.get('unit_1')
    expect(stub.requests).toHaveLength(2)
    const other = await startStub(broken, ANSWER)
    await failureOf(create(clientOf(other, IN_PROJECT)))
    expect(other.requests).toHaveLength(1)
  })
})

describe('a version', () => {
  test('is sent, and a conflict is reported', async () => {
    const stub = await startStub(
      send(400, failure('INVALID_REQUEST', 'it has changed', { reason: 'version' })),
    )
    const error = await failureOf(
      clientOf(stub, IN_PROJECT).units.update('unit_1', { name: 'a' }, { ifMatch: 3 }),
    )
    expect(error).toMatchObject({
      code: 'INVALID_REQUEST',
      details: { reason: 'version', requestId: 'req_2' },
    })
    expect(stub.requests[0]?.headers['if-match']).toBe('"v3"')
  })

  test.each<readonly [string, (client: Client) => Promise<unknown>]>([
    ['ifMatch', (client) => client.units.update('unit_1', {}, { ifMatch: 1.5 })],
    ['idempotencyKey', (client) => client.units.create(UNIT, { idempotencyKey: 'a\nb' })],
    ['idempotencyKey', (client) => client.generate(UNIT, { idempotencyKey: '' })],
    ['limit', (client) => client.units.list().all({ limit: 0 })],
  ])('is refused before anything is sent if it is invalid: %s', async (name, call) => {
    const stub = await startApi()
    const error = await failureOf(call(clientOf(stub, IN_PROJECT)))
    expect([error.code, error.details?.faults?.[0]?.path]).toEqual(['INVALID_REQUEST', name])
    expect(stub.requests).toHaveLength(0)
  })
})

describe('the project', () => {
  test('is requested once for many calls', async () => {
    const stub = await startApi()
    const client = clientOf(stub)
    await Promise.all([client.units.get('unit_1'), create(client), client.scans.list().page()])
    await client.keys.list().all()
    const lines = stub.requests.map(({ url }) => url)
    expect(lines[0]).toBe('/v1/projects?limit=2')
    expect(lines.slice(1).every((line) => line?.startsWith('/v1/projects/proj_0a/'))).toBe(true)
    expect(lines).toHaveLength(5)
  })

  test('is not requested if a call names it, or needs none', async () => {
    const stub = await startApi()
    const client = clientOf(stub)
    await client.units.get('unit_1', { projectId: 'proj_7' })
    await client.projects.get('proj_8')
    await client.events.types()
    expect(stub.requests.map(({ url }) => url)).toEqual([
      '/v1/projects/proj_7/units/unit_1',
      '/v1/projects/proj_8',
      '/v1/webhook-event-types',
    ])
  })

  test('is requested again after a failure', async () => {
    const stub = await startStub(send(401, failure('UNAUTHORIZED')), ANSWER)
    const client = clientOf(stub)
    expect((await failureOf(create(client))).code).toBe('UNAUTHORIZED')
    await create(client)
    expect(stub.requests).toHaveLength(3)
  })

  test('is required if the key may not read it', async () => {
    const stub = await startStub(send(403, failure('FORBIDDEN', 'the key may not read')))
    const error = await failureOf(create(clientOf(stub)))
    expect(error).toMatchObject({ code: 'FORBIDDEN', details: { requestId: 'req_2' } })
    expect(error.message).toContain('set projectId')
  })

  test('must be a valid id', async () => {
    const stub = await startStub(send(200, success({ items: [] })))
    const error = await failureOf(create(clientOf(stub)))
    expect([error.code, error.message]).toEqual(['NOT_FOUND', expect.stringContaining('got none')])
  })
})

describe('apiUrl', () => {
  test('is used for /v1, and baseUrl for generate', async () => {
    const base = await startStub(send(200, SUCCESS))
    const api = await startApi()
    const client = clientOf(base, { ...IN_PROJECT, apiUrl: `${api.url}/` })
    await client.generate(UNIT)
    await client.units.get('unit_1')
    expect(base.requests.map(({ url }) => url)).toEqual(['/generate'])
    expect(api.requests.map(({ url }) => url)).toEqual(['/v1/projects/proj_1/units/unit_1'])
  })

  test('is named in failures, and a redirect is not followed', async () => {
    const other = await startApi()
    const api = await startStub(send(307, '', { location: other.url }))
    const base = await startApi()
    const error = await failureOf(create(clientOf(base, { ...IN_PROJECT, apiUrl: api.url })))
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', details: { host: api.host } })
    expect(error.message).toContain('the service redirected')
    expect([api, other, base].map(({ requests }) => requests.length)).toEqual([1, 0, 0])
  })
})

const ITEM = { id: 'unit_1', name: 'a', type: 'staging', source: 'a', options: {}, version: 1, state: 'new' }
const TIMES = { createdAt: '2026-11-21T09:30:00.000Z', updatedAt: '2026-11-21T09:30:00.000Z' }

/** A page of units with these names. */
function page(names: string, nextCursor?: string): Reply {
  const items = names.split('').map((name) => ({ ...ITEM, ...TIMES, name }))
  return send(200, success({ items }, { nextCursor }))
}

describe('a list', () => {
  const cursors = (stub: { readonly requests: readonly { readonly url?: string | undefined }[] }) =>
    stub.requests.map(({ url }) => new URL(url ?? '', 'http://x').searchParams.get('cursor'))

  test('goes through all pages, with the query', async () => {
    const stub = await startStub(page('ab', 'c1'), page('', 'c2'), page('c'))
    const names: string[] = []
    const list = clientOf(stub, IN_PROJECT).units.list({ limit: 2 })
    expect(stub.requests).toHaveLength(0)
    for await (const { name } of list) names.push(name)
    expect(names).toEqual(['a', 'b', 'c'])
    expect(cursors(stub)).toEqual([null, 'c1', 'c2'])
    expect(stub.requests.every(({ url }) => url?.includes('limit=2'))).toBe(true)
  })

  test('returns one page, the first or that of a cursor', async () => {
    const stub = await startStub(page('ab', 'c1'), page('c'))
    const list = clientOf(stub, IN_PROJECT).units.list()
    const first = await list.page()
    expect(first).toMatchObject({ items: [{ name: 'a' }, { name: 'b' }], nextCursor: 'c1' })
    expect(first.meta.requestId).toBe('req_1')
    expect((await list.page({ cursor: first.nextCursor })).nextCursor).toBeUndefined()
    expect(cursors(stub)).toEqual([null, 'c1'])
  })

  test('stops at its maximum, without requesting more pages', async () => {
    const stub = await startStub(page('ab', 'c1'), page('cd', 'c2'), page('e'))
    const list = clientOf(stub, IN_PROJECT).units.list()
    expect((await list.all({ limit: 3 })).map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect(stub.requests).toHaveLength(2)
  })

  test('fails if a cursor repeats', async () => {
    const stub = await startStub(page('a', 'c1'), page('b', 'c2'), page('c', 'c1'))
    const error = await failureOf(clientOf(stub, IN_PROJECT).units.list().all())
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', details: { host: stub.host } })
    expect(error.message).toContain('the same page twice')
    expect(stub.requests).toHaveLength(3)
  })
})

describe('wait', () => {
  const job = (state: string) =>
    send(200, success({ id: 'gen_1', kind: 'unit', state, createdAt: TIMES.createdAt, tokensUsed: 0 }))

  test.each(['completed', 'failed', 'cancelled'])('ends if the job is %s', async (state) => {
    const stub = await startStub(job('queued'), job('running'), job(state))
    const { generations } = clientOf(stub, IN_PROJECT)
    expect((await generations.wait('gen_1')).state).toBe(state)
    expect(stub.requests.map(({ url }) => url)).toEqual(
      Array(3).fill('/v1/projects/proj_1/generations/gen_1'),
    )
    const [first = 0, second = 0, third = 0] = stub.times
    expect(second - first).toBeGreaterThan(240)
    expect(third - second).toBeGreaterThan(360)
  })

  test('also waits for scans and pushes', async () => {
    const fields = { state: 'completed', createdAt: TIMES.createdAt }
    const scan = await startStub(
      send(200, success({ id: 'scan_1', connectionId: 'conn_1', profile: false, ...fields })),
    )
    expect((await clientOf(scan, IN_PROJECT).scans.wait('scan_1')).id).toBe('scan_1')
    const data = { id: 'push_1', branch: 'a', message: 'b', overwrite: false, dryRun: false, ...fields }
    const push = await startStub(send(200, success(data)))
    expect((await clientOf(push, IN_PROJECT).pushes.wait('push_1')).id).toBe('push_1')
  })

  test('fails if the job is deleted', async () => {
    const stub = await startStub(job('running'), send(404, failure('NOT_FOUND')))
    expect((await failureOf(clientOf(stub, IN_PROJECT).generations.wait('gen_1'))).code).toBe('NOT_FOUND')
  })
})

describe('an abort', () => {
  const reason = new Error('enough')
  const running = success({
    id: 'scan_1',
    connectionId: 'conn_1',
    profile: false,
    state: 'running',
    createdAt: TIMES.createdAt,
  })
  const later = send(429, failure('RATE_LIMITED'), { 'retry-after': '30' })
  type Stopped = (client: Client, options: { readonly signal: AbortSignal }) => Promise<unknown>
  const get: Stopped = (client, options) => client.units.get('unit_1', options)

  test.each<readonly [string, readonly [Reply, ...Reply[]], Stopped]>([
    ['while the project is asked for', [hang], get],
    ['in a pause while the project is asked for', [later], get],
    ['in flight', [ANSWER, hang], get],
    ['in a pause before a retry', [ANSWER, later], get],
    ['in the middle of an answer', [ANSWER, (response) => void response.writeHead(200).write('{')], get],
    [
      'between polls',
      [ANSWER, send(200, running)],
      (client, options) => client.scans.wait('scan_1', options),
    ],
    ['in a list', [ANSWER, page('a', 'c1'), hang], (client, options) => client.units.list({}, options).all()],
  ])('throws its reason at once: %s', async (_, replies, call) => {
    const stub = await startStub(...replies)
    const controller = new AbortController()
    const settled = call(clientOf(stub), controller).catch((error: unknown) => error)
    await expect.poll(() => stub.requests.length).toBe(replies.length)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const start = performance.now()
    controller.abort(reason)
    expect(await settled).toBe(reason)
    expect(performance.now() - start).toBeLessThan(AT_ONCE_MS)
  })

  test('of one call does not affect the project of other calls', async () => {
    const stub = await startStub((...input) => void setTimeout(() => ANSWER(...input), 100), ANSWER)
    const client = clientOf(stub)
    const controller = new AbortController()
    const stopped = client.units.get('unit_1', controller).catch((error: unknown) => error)
    const other = client.units.get('unit_2')
    await expect.poll(() => stub.requests.length).toBe(1)
    controller.abort(reason)
    expect(await stopped).toBe(reason)
    await expect(other).resolves.toHaveProperty('id')
  })

  test('before the call sends nothing', async () => {
    const stub = await startApi()
    await expect(get(clientOf(stub), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(stub.requests).toHaveLength(0)
  })

  test('by the time limit of a call includes looking up the project', async () => {
    const stub = await startStub(hang)
    const error = await failureOf(clientOf(stub, { timeoutMs: 150 }).units.get('unit_1'))
    expect(error.message).toContain('no answer within 0.15 s')
  })
})
