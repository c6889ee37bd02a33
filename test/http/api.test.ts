import { API_OPERATIONS, type Operation, type OperationId } from '@stagecraft/spec/api'
import { StagecraftError } from '@stagecraft/spec'
import { createApp, memoryRateLimiter, staticKeys } from '@stagecraft/http'
import { describe, expect, test } from 'vitest'
import { PROJECT_ID, unit } from './api-double.ts'
import { KEY_WITHOUT_PROJECT, READER, startApi } from './api-service.ts'
import { expectData, expectFailure, expectFaults } from './expect-envelope.ts'
import { KEY } from './service.ts'

const UNITS = `/v1/projects/${PROJECT_ID}/units`
const UNIT = `${UNITS}/unit_1`
const NEW_UNIT = { type: 'staging', source: 'raw.stripe.payments' }

const OPERATIONS = Object.entries(API_OPERATIONS) as [OperationId, Operation][]

/** An address of an operation, with something in its braces. */
function lineOf({ method, path }: Operation): string {
  const filled = path
    .replace('{projectId}', PROJECT_ID)
    .replace('{path*}', 'models/a%20b/c.sql')
    .replace(/\{\w+\}/g, 'x_1')
  return `${method} ${filled}`
}

/** A body that is accepted. */
function bodyOf({ examples }: Operation): unknown {
  return Object.values(examples ?? {})[0]
}

describe('every operation', () => {
  test.each(OPERATIONS)('%s is a route that answers by its schema', async (id, operation) => {
    const { ask, calls } = await startApi()
    const response = await ask(lineOf(operation), { body: bodyOf(operation) })
    expect(response.headers.get('api-version')).toBe('2026-11-21')
    if (operation.data) await expectData(response, operation.status ?? 200)
    else expect(response.status).toBe(200)
    expect(calls.map((recorded) => recorded.id)).toEqual([id])
    const { caller, requestId } = calls[0]!.call
    expect(caller).toMatchObject({ keyId: 'owner', projectId: PROJECT_ID })
    expect(requestId).toBe(response.headers.get('x-request-id'))
  })

  test.each(OPERATIONS)('%s needs a key, its scope, and a key of a project', async (_id, operation) => {
    const { ask, calls } = await startApi()
    const body = bodyOf(operation)
    const line = lineOf(operation)
    await expectFailure(await ask(line, { body, key: 'x' }), 'UNAUTHORIZED')
    await expectFailure(await ask(line, { body, key: KEY_WITHOUT_PROJECT }), 'FORBIDDEN')
    if (operation.scope !== 'read') await expectFailure(await ask(line, { body, key: READER }), 'FORBIDDEN')
    expect(calls).toEqual([])
  })

  const foreign = OPERATIONS.filter(([, { path }]) => path.includes('{projectId}'))
  test.each(foreign)('%s of another project is not there', async (_id, operation) => {
    const { ask, calls } = await startApi()
    const line = lineOf(operation).replace(PROJECT_ID, 'proj_2')
    const { error } = await expectFailure(await ask(line, { body: bodyOf(operation) }), 'NOT_FOUND')
    expect(error).toEqual({ code: 'NOT_FOUND', message: 'there is no project proj_2' })
    expect(calls).toEqual([])
  })

  const withExamples = OPERATIONS.flatMap(([id, operation]) =>
    Object.entries(operation.examples ?? {}).map(([name, body]) => [id, name, operation, body] as const),
  )
  test.each(withExamples)('%s takes its example %s', async (id, _name, operation, body) => {
    const { ask, calls } = await startApi()
    const response = await ask(lineOf(operation), { body })
    expect(response.status, await response.text()).toBe(operation.status ?? 200)
    expect(calls).toMatchObject([{ id, call: { body } }])
  })

  test('that has a body has examples, and locations are addresses of the table', () => {
    const gets = new Set(
      OPERATIONS.filter(([, { method }]) => method === 'GET').map(([, { path }]) => shape(path)),
    )
    for (const [id, { body, examples = {}, location }] of OPERATIONS) {
      if (body) expect(Object.keys(examples), id).not.toEqual([])
      if (location !== undefined) expect(gets, id).toContain(shape(location))
    }
  })

  function shape(path: string): string {
    return path.replace(/\{\w+\}(?=$)/, '{}')
  }
})

describe('a request', () => {
  test('has its parameters decoded, and the rest of a path', async () => {
    const { ask, calls } = await startApi()
    await ask(`GET /v1/projects/${PROJECT_ID}/generations/gen_1/files/models/a%20b/%C3%BC.sql`)
    await ask(`GET /v1/projects/${PROJECT_ID}/sources/raw.%22My%20Schema%22.payments`)
    expect(calls.map(({ call }) => call.params)).toEqual([
      { projectId: PROJECT_ID, generationId: 'gen_1', path: 'models/a b/ü.sql' },
      { projectId: PROJECT_ID, name: 'raw."My Schema".payments' },
    ])
  })

  test.each([['a'.repeat(1001)], ['a'.repeat(9000)], ['a%00b'], ['%0a']])(
    'with an id that none can be is answered like one that is not there',
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

  test('has its query read by the schema, defaults included', async () => {
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
    [`POST /v1/projects/${PROJECT_ID}/scans`, {}],
  ])('%s needs no body, and takes an empty one', async (line, read) => {
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

  test('is told of a client that goes away', async () => {
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

describe('a failure', () => {
  test('of an unknown path or method is the envelope', async () => {
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
  ])('of a handler that crashes with %s is answered without internals', async (_what, getUnit) => {
    const { ask } = await startApi({ handlers: { getUnit } })
    const envelope = await expectFailure(await ask(`GET ${UNIT}`), 'GENERATION_FAILED')
    expect(JSON.stringify(envelope)).not.toContain('hunter2')
  })

  test('of a handler that knows why keeps its code, and is an envelope also where answers are bytes', async () => {
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

describe('an answer', () => {
  test('to a creation says where it is', async () => {
    const { ask } = await startApi()
    const made = await ask(`POST ${UNITS}`, { body: NEW_UNIT })
    expect(made.headers.get('location')).toBe(UNIT)
    expect(made.headers.get('etag')).toBe('"v3"')
    await expectData(made, 201)
    const queued = await ask(`POST /v1/projects/${PROJECT_ID}/generations`)
    expect(queued.headers.get('location')).toBe(`/v1/projects/${PROJECT_ID}/generations/gen_1`)
    expect((await expectData(queued, 202)).meta.tokensUsed).toBe(7)
    const again = await ask('POST /v1/webhook-deliveries/dlv_7/redeliver')
    expect(again.headers.get('location')).toBe('/v1/webhook-deliveries/dlv_1')
  })

  test('has the status of the reply where that depends', async () => {
    const { ask } = await startApi({
      handlers: { createUnit: () => Promise.resolve({ data: unit, status: 200 }) },
    })
    const response = await ask(`POST ${UNITS}`, { body: NEW_UNIT })
    expect(response.headers.get('location')).toBeNull()
    await expectData(response)
  })

  test('to a list that goes on links its next page, which is the last', async () => {
    const { ask } = await startApi()
    const first = await ask(`GET ${UNITS}?limit=1&source=a%20b`)
    const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1]
    expect((await expectData(first)).meta.nextCursor).toBe('a+b&c')
    expect(next).toBe(`${UNITS}?limit=1&source=a+b&cursor=a%2Bb%26c`)
    const last = await ask(`GET ${next}`)
    expect(last.headers.get('link')).toBeNull()
    expect((await expectData(last)).meta.nextCursor).toBeUndefined()
  })

  test('of a resource that is known already is 304 and empty', async () => {
    const { ask } = await startApi()
    for (const tag of ['"v3"', 'W/"v3"', '"v1", "v3"', '*']) {
      const response = await ask(`GET ${UNIT}`, { headers: { 'if-none-match': tag } })
      expect(response.status, tag).toBe(304)
      expect(response.headers.get('etag')).toBe('"v3"')
      expect(response.headers.get('content-type')).toBeNull()
      expect(response.headers.get('x-request-id')).toMatch(/^req_/)
      expect(await response.text()).toBe('')
    }
    const changed = await ask(`GET ${UNIT}`, { headers: { 'if-none-match': '"v2"' } })
    expect(changed.headers.get('cache-control')).toBe('private, no-cache')
    await expectData(changed)
  })

  test('to HEAD is that to GET without its body', async () => {
    const { ask } = await startApi()
    const response = await ask(`HEAD ${UNIT}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('etag')).toBe('"v3"')
    expect(await response.text()).toBe('')
  })

  test('that is a file has its bytes, its type and a name that breaks nothing', async () => {
    const { ask } = await startApi()
    const text = await ask(`GET /v1/projects/${PROJECT_ID}/generations/gen_1/files/a.sql`)
    expect(await text.text()).toBe('größe')
    expect(Object.fromEntries(text.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="stg _gr__e___.sql"; filename*=UTF-8''stg%20%22gr%C3%B6%C3%9Fe%22%0D%0A.sql`,
      'x-content-type-options': 'nosniff',
      'api-version': '2026-11-21',
    })
    const archive = await ask(`GET /v1/projects/${PROJECT_ID}/archive`)
    expect([...new Uint8Array(await archive.arrayBuffer())]).toEqual([0x50, 0x4b, 0, 255])
    expect(archive.headers.get('content-type')).toBe('application/zip')
    expect(archive.headers.get('content-disposition')).toBe('attachment; filename="files.zip"')
  })
})

describe('If-Match', () => {
  test.each([
    [undefined, undefined],
    ['*', undefined],
    ['"v3"', 3],
  ])('%s reaches the handler', async (header, version) => {
    const { ask, calls } = await startApi()
    const headers = header === undefined ? {} : { 'if-match': header }
    const response = await ask(`PATCH ${UNIT}`, { body: { name: 'x' }, headers })
    expect(response.headers.get('etag')).toBe('"v4"')
    await ask(`DELETE ${UNIT}`, { headers })
    expect(calls.map(({ call }) => call.ifVersion)).toEqual([version, version])
  })

  test('of another version is the conflict that the handler tells', async () => {
    const { ask } = await startApi()
    const response = await ask(`PATCH ${UNIT}`, { body: { name: 'x' }, headers: { 'if-match': '"v2"' } })
    const { error } = await expectFailure(response, 'INVALID_REQUEST')
    expect(error.details).toMatchObject({ reason: 'version' })
  })

  test.each(['v3', '"3"', '"v0"', 'W/"v3"', '"v3", "v4"', '"v99999999999999999999"'])(
    '%s is malformed',
    async (header) => {
      const { ask, calls } = await startApi()
      const response = await ask(`DELETE ${UNIT}`, { headers: { 'if-match': header } })
      expectFaults(await expectFailure(response, 'INVALID_REQUEST'), 'headers.if-match')
      expect(calls).toEqual([])
    },
  )

  test('is refused where it could not be heeded', async () => {
    const { ask, calls } = await startApi()
    const headers = { 'if-match': '"v3"' }
    const response = await ask(`DELETE /v1/projects/${PROJECT_ID}/keys/key_1`, { headers })
    expectFaults(await expectFailure(response, 'INVALID_REQUEST'), 'headers.if-match')
    expect(calls).toEqual([])
  })
})

describe('the end of an operation', () => {
  const listUnits: Operation = {
    ...API_OPERATIONS.listUnits,
    deprecated: { since: '2026-11-21', sunset: '2027-11-21', successor: '/v1/other' },
  }
  const api = { operations: { ...API_OPERATIONS, listUnits } }

  test('is announced by every answer to it, and by no other', async () => {
    const { ask } = await startApi({ api })
    const announced = '</docs>; rel="deprecation"; type="text/html", </v1/other>; rel="successor-version"'
    const last = await ask(`GET ${UNITS}?cursor=x`)
    expect(Object.fromEntries(last.headers)).toMatchObject({
      deprecation: '@1795219200',
      sunset: 'Sun, 21 Nov 2027 00:00:00 GMT',
      link: announced,
    })
    const first = await ask(`GET ${UNITS}`)
    expect(first.headers.get('link')).toBe(`${announced}, <${UNITS}?cursor=a%2Bb%26c>; rel="next"`)
    const failed = await ask(`GET ${UNITS}`, { key: 'x' })
    expect(failed.headers.get('deprecation')).toBe('@1795219200')
    expect((await ask(`GET ${UNIT}`)).headers.get('deprecation')).toBeNull()
  })

  test('stands in the document', async () => {
    const { url } = await startApi({ api })
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
      paths: Record<string, { get: { deprecated?: true; description: string } }>
    }
    const { get } = document.paths['/v1/projects/{projectId}/units']!
    expect(get.deprecated).toBe(true)
    expect(get.description).toContain('may be gone from 2027-11-21 on; use `/v1/other`')
  })
})

describe('serve', () => {
  test('generate and api are the two addresses of the contract', async () => {
    const generate = await startApi({ serve: 'generate' })
    const api = await startApi({ serve: 'api' })
    const request = { body: NEW_UNIT }
    expect((await generate.ask('POST /generate', request)).status).toBe(200)
    expect((await api.ask(`POST ${UNITS}`, request)).status).toBe(201)
    await expectFailure(await generate.ask(`POST ${UNITS}`, request), 'NOT_FOUND')
    await expectFailure(await api.ask('POST /generate', request), 'NOT_FOUND')
    for (const { url } of [generate, api]) {
      for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs']) {
        expect((await fetch(`${url}${path}`)).status).toBe(200)
      }
    }
  })

  test('api without handlers is refused at once', async () => {
    const engine = { generate: () => Promise.reject(new Error('unused')) }
    expect(() => createApp({ engine, keys: staticKeys([]), serve: 'api' })).toThrow('expects the option api')
  })
})

test('/generate tells the engine who calls', async () => {
  const seen: unknown[] = []
  const engine = {
    generate: (_request: unknown, options: unknown) => {
      seen.push(options)
      return Promise.reject(new StagecraftError('INVALID_SOURCE', 'no'))
    },
  }
  const { ask } = await startApi({ engine })
  const response = await ask('POST /generate', { body: NEW_UNIT })
  expect(seen).toMatchObject([
    {
      caller: { keyId: 'owner', projectId: PROJECT_ID },
      requestId: response.headers.get('x-request-id'),
    },
  ])
  await expectFailure(await ask('POST /generate', { body: NEW_UNIT, key: KEY_WITHOUT_PROJECT }), 'FORBIDDEN')
})

test('/metrics is open, and is there when it is given', async () => {
  const { ask, url } = await startApi({ metrics: () => Promise.resolve('up 1\n') })
  const response = await fetch(`${url}/metrics`)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(await response.text()).toBe('up 1\n')
  expect((await ask('POST /metrics')).headers.get('allow')).toBe('GET, HEAD')
  await expectFailure(await (await startApi()).ask('GET /metrics'), 'NOT_FOUND')
})
