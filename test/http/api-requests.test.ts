import { memoryRateLimiter } from '@stagecraft/http'
import { StagecraftError } from '@stagecraft/spec'
import { describe, expect, test } from 'vitest'
import { PROJECT_ID, unit } from './api-double.ts'
import { startApi } from './api-service.ts'
import { expectData, expectFailure, expectFaults } from './expect-envelope.ts'
import { KEY } from './service.ts'

const UNITS = `/v1/projects/${PROJECT_ID}/units`
const UNIT = `${UNITS}/unit_1`
const NEW_UNIT = { type: 'staging', source: 'raw.stripe.payments' }

describe('a request', () => {
  test('has its parameters and the rest of its path decoded', async () => {
    const { ask, calls } = await startApi()
    await ask(`GET /v1/projects/${PROJECT_ID}/generations/gen_1/files/models/a%20b/%C3%BC.sql`)
    await ask(`GET /v1/projects/${PROJECT_ID}/sources/raw.%22My%20Schema%22.payments`)
    expect(calls.map(({ call }) => call.params)).toEqual([
      { projectId: PROJECT_ID, generationId: 'gen_1', path: 'models/a b/ü.sql' },
      { projectId: PROJECT_ID, name: 'raw."My Schema".payments' },
    ])
  })

  test.each([['a'.repeat(1001)], ['a'.repeat(9000)], ['a%00b'], ['%0a']])(
    'with an impossible id is answered like one that does not exist',
    async (id) => {
      const { ask, calls } = await startApi()
      await expectFailure(await ask(`GET ${UNITS}/${id}`), 'NOT_FOUND')
      await expectFailure(
        await ask(`GET /v1/projects/${PROJECT_ID}/generations/gen_1/files/${id}`),
        'NOT_FOUND',
      )
      expect(calls).toEqual([])
    },
  )

  test('has its query read by the schema, with defaults', async () => {
    const { ask, calls } = await startApi()
    await ask(`GET ${UNITS}?limit=7&source=raw.a%2Bb+c`)
    await ask(`GET ${UNITS}`)
    expect(calls.map(({ call }) => call.query)).toEqual([{ limit: 7, source: 'raw.a+b c' }, { limit: 50 }])
  })

  test.each([
    ['limit=abc', 'query.limit'],
    ['limit=0', 'query.limit'],
    ['limit=201', 'query.limit'],
    ['limit=1.5', 'query.limit'],
    ['limit=', 'query.limit'],
    ['limit=1&limit=2', 'query.limit'],
    ['type=nothing', 'query.type'],
    ['cursor=', 'query.cursor'],
    ['source=a%00b', 'query.source'],
    ['other=1', 'query.other'],
  ])('with the query %s is refused', async (query, path) => {
    const { ask, calls } = await startApi()
    expectFaults(await expectFailure(await ask(`GET ${UNITS}?${query}`), 'INVALID_REQUEST'), path)
    expect(calls).toEqual([])
  })

  test('is refused with the faults of headers, query and body together', async () => {
    const { ask } = await startApi()
    const response = await ask(`PATCH ${UNIT}?x=1&y=2&y=3`, {
      body: { name: 7, options: { addTests: 'yes' }, more: 1 },
      headers: { 'if-match': 'v3' },
    })
    const envelope = await expectFailure(response, 'INVALID_REQUEST')
    expectFaults(envelope, 'headers.if-match', 'query.y', 'query.x', 'name', 'options.addTests', 'more')
    expect(envelope.error.details?.['faults']).toContainEqual({
      path: 'options.addTests',
      expected: 'true or false',
      received: '"yes"',
    })
  })

  test.each([
    ['half of an object', '{"type":', ''],
    ['a list', '[]', ''],
    ['nothing', '', ''],
    ['a key that reaches for prototypes', '{"__proto__":{}}', '__proto__'],
    ['a text with a NUL', String.raw`{"type":"staging","source":"a\u0000b"}`, 'source'],
  ])('with the body %s is refused', async (_what, body, path) => {
    const { ask, calls } = await startApi()
    expectFaults(await expectFailure(await ask(`POST ${UNITS}`, { body }), 'INVALID_REQUEST'), path)
    expect(calls).toEqual([])
  })

  test('with another content type, or too long, is refused', async () => {
    const { ask } = await startApi({ limits: { bodyBytes: 200 } })
    const headers = { 'content-type': 'text/plain' }
    for (const line of [`POST ${UNITS}`, `PATCH ${UNIT}`, `POST /v1/webhooks/whk_1/test`]) {
      const response = await ask(line, { body: '{}', headers })
      expectFaults(await expectFailure(response, 'INVALID_REQUEST'), 'headers.content-type')
    }
    const long = await ask(`POST ${UNITS}`, { body: { ...NEW_UNIT, name: 'x'.repeat(200) } })
    expectFaults(await expectFailure(long, 'INVALID_REQUEST'), '')
  })

  test.each([
    ['POST /v1/webhooks/whk_1/pause', undefined],
    ['POST /v1/webhooks/whk_1/test', {}],
    [`POST /v1/projects/${PROJECT_ID}/scans`, { profile: false }],
  ])('%s needs no body, and accepts an empty one', async (line, read) => {
    const { ask, calls } = await startApi()
    expect((await ask(line)).status).toBeLessThan(300)
    expect((await ask(line, { body: {} })).status).toBeLessThan(300)
    expectFaults(await expectFailure(await ask(line, { body: { no: 1 } }), 'INVALID_REQUEST'), 'no')
    expect(calls.map(({ call }) => call.body)).toEqual([read, read])
  })

  test('of DELETE has its body ignored', async () => {
    const { ask, calls } = await startApi()
    await expectData(await ask(`DELETE ${UNIT}`, { body: 'anything', headers: { 'content-type': 'x/y' } }))
    expect(calls[0]?.call.body).toBeUndefined()
  })

  test('is aborted if the client disconnects', async () => {
    const started = Promise.withResolvers<AbortSignal>()
    const { url } = await startApi({
      handlers: {
        getUnit: ({ signal }) => {
          started.resolve(signal)
          return new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error))
          })
        },
      },
    })
    const leave = new AbortController()
    const asked = fetch(`${url}${UNIT}`, {
      headers: { authorization: `Bearer ${KEY}` },
      signal: leave.signal,
    }).catch(() => 'gone')
    const signal = await started.promise
    leave.abort()
    await expect(asked).resolves.toBe('gone')
    await expect.poll(() => signal.aborted).toBe(true)
  })
})

describe('If-Match', () => {
  test.each([
    [undefined, undefined],
    ['*', undefined],
    ['"v3"', 3],
    ['"v3-0123456789abcdef"', 3],
  ])('%s reaches the handler', async (header, version) => {
    const { ask, calls } = await startApi()
    const headers = header === undefined ? {} : { 'if-match': header }
    const response = await ask(`PATCH ${UNIT}`, { body: { name: 'x' }, headers })
    expect(response.headers.get('etag')).toMatch(/^"v4-[\da-f]{16}"$/)
    await ask(`DELETE ${UNIT}`, { headers })
    expect(calls.map(({ call }) => call.ifVersion)).toEqual([version, version])
  })

  test('of another version is the conflict of the handler', async () => {
    const { ask } = await startApi()
    const response = await ask(`PATCH ${UNIT}`, { body: { name: 'x' }, headers: { 'if-match': '"v2"' } })
    const { error } = await expectFailure(response, 'INVALID_REQUEST')
    expect(error.details).toMatchObject({ reason: 'version' })
  })

  test.each(['v3', '"3"', '"v3-"', '"v3-x"', '"v0"', 'W/"v3"', '"v3", "v4"', '"v99999999999999999999"'])(
    '%s is malformed',
    async (header) => {
      const { ask, calls } = await startApi()
      const response = await ask(`DELETE ${UNIT}`, { headers: { 'if-match': header } })
      expectFaults(await expectFailure(response, 'INVALID_REQUEST'), 'headers.if-match')
      expect(calls).toEqual([])
    },
  )

  test('is refused if the operation does not support it', async () => {
    const { ask, calls } = await startApi()
    const headers = { 'if-match': '"v3"' }
    const response = await ask(`DELETE /v1/projects/${PROJECT_ID}/keys/key_1`, { headers })
    expectFaults(await expectFailure(response, 'INVALID_REQUEST'), 'headers.if-match')
    expect(calls).toEqual([])
  })
})

describe('a failure', () => {
  test('of an unknown path or method is an envelope', async () => {
    const { ask } = await startApi()
    await expectFailure(await ask('GET /v1/nothing'), 'NOT_FOUND')
    await expectFailure(await ask('GET /v1'), 'NOT_FOUND')
    const wrong = await ask(`PUT ${UNIT}`, { body: {} })
    expect(wrong.headers.get('allow')?.split(', ').toSorted()).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH'])
    await expectFailure(wrong, 'NOT_FOUND')
  })

  test.each([
    ['an error', () => Promise.reject(new Error('hunter2'))],
    [
      'an error at once',
      () => {
        throw new TypeError('hunter2')
      },
    ],
    ['no data', () => Promise.resolve({} as never)],
    ['what is no JSON', () => Promise.resolve({ data: { ...unit, version: 1n } } as never)],
    ['what its schema refuses', () => Promise.resolve({ data: { ...unit, type: 'hunter2' } } as never)],
    ['a member too many', () => Promise.resolve({ data: { ...unit, hunter2: 1 } })],
  ])('of a handler that throws %s is answered without internals', async (_what, getUnit) => {
    const { ask } = await startApi({ handlers: { getUnit } })
    const envelope = await expectFailure(await ask(`GET ${UNIT}`), 'GENERATION_FAILED')
    expect(JSON.stringify(envelope)).not.toContain('hunter2')
  })

  test('with a code keeps it, and is an envelope even if answers are bytes', async () => {
    const missing = () => Promise.reject(new StagecraftError('NOT_FOUND', 'there is no unit unit_1'))
    const { ask } = await startApi({ handlers: { getUnit: missing, getArchive: missing } })
    await expectFailure(await ask(`GET ${UNIT}`), 'NOT_FOUND')
    const archive = await ask(`GET /v1/projects/${PROJECT_ID}/archive`)
    expect(archive.headers.get('content-disposition')).toBeNull()
    await expectFailure(archive, 'NOT_FOUND')
  })

  test('of the quota has the headers of the quota', async () => {
    const rate = memoryRateLimiter({ requests: 1, seconds: 60 })
    const { ask } = await startApi({ limits: { rate } })
    expect((await ask(`GET ${UNIT}`)).headers.get('ratelimit')).toBe('"default";r=0;t=60')
    const limited = await ask(`GET ${UNIT}`)
    expect(limited.headers.get('retry-after')).toBe('60')
    expect(limited.headers.get('api-version')).toBe('2026-11-21')
    await expectFailure(limited, 'RATE_LIMITED')
  })
})
