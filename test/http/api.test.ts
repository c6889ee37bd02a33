import { API_OPERATIONS, type Operation, type OperationId } from '@stagecraft/spec/api'
import { StagecraftError } from '@stagecraft/spec'
import { createApp, staticKeys } from '@stagecraft/http'
import { describe, expect, test } from 'vitest'
import { PROJECT_ID } from './api-double.ts'
import { KEY_WITHOUT_PROJECT, READER, startApi } from './api-service.ts'
import { expectData, expectFailure } from './expect-envelope.ts'

const UNITS = `/v1/projects/${PROJECT_ID}/units`
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

/** What only a page of the service itself can send. */
const FROM_PAGE = { 'x-stagecraft': '1', 'sec-fetch-site': 'same-origin' }

/** A body that is accepted. */
function bodyOf({ examples }: Operation): unknown {
  return Object.values(examples ?? {})[0]
}

describe('every operation', () => {
  test.each(OPERATIONS)('%s is a route whose answer matches its schema', async (id, operation) => {
    const { ask, calls } = await startApi()
    const response = await ask(lineOf(operation), { body: bodyOf(operation), headers: FROM_PAGE })
    expect(response.headers.get('api-version')).toBe('2026-11-21')
    if (operation.data) await expectData(response, operation.status ?? 200)
    else expect(response.status).toBe(200)
    expect(calls.map((recorded) => recorded.id)).toEqual([id])
    const { caller, requestId } = calls[0]!.call
    if (operation.scope === 'none') expect(caller).toBeUndefined()
    else expect(caller).toMatchObject({ keyId: 'owner', projectId: PROJECT_ID })
    expect(requestId).toBe(response.headers.get('x-request-id'))
  })

  const closed = OPERATIONS.filter(([, { scope }]) => scope !== 'none')
  test.each(closed)('%s needs a key, its scope, and a key of a project', async (_id, operation) => {
    const { ask, calls } = await startApi()
    const body = bodyOf(operation)
    const line = lineOf(operation)
    await expectFailure(await ask(line, { body, key: 'x' }), 'UNAUTHORIZED')
    await expectFailure(await ask(line, { body, key: KEY_WITHOUT_PROJECT }), 'FORBIDDEN')
    if (operation.scope === 'read' || operation.scope === 'any') return
    await expectFailure(await ask(line, { body, key: READER }), 'FORBIDDEN')
    expect(calls).toEqual([])
  })

  const foreign = OPERATIONS.filter(([, { path }]) => path.includes('{projectId}'))
  test.each(foreign)('%s of another project is not found', async (_id, operation) => {
    const { ask, calls } = await startApi()
    const line = lineOf(operation).replace(PROJECT_ID, 'proj_2')
    const { error } = await expectFailure(await ask(line, { body: bodyOf(operation) }), 'NOT_FOUND')
    const faults = [{ path: 'projectId', expected: 'an id of this project', received: '"proj_2"' }]
    expect(error).toEqual({ code: 'NOT_FOUND', message: 'there is no project proj_2', details: { faults } })
    expect(calls).toEqual([])
  })

  const withExamples = OPERATIONS.flatMap(([id, operation]) =>
    Object.entries(operation.examples ?? {}).map(([name, body]) => [id, name, operation, body] as const),
  )
  test.each(withExamples)('%s accepts its example %s', async (id, _name, operation, body) => {
    const { ask, calls } = await startApi()
    const response = await ask(lineOf(operation), { body, headers: FROM_PAGE })
    expect(response.status, await response.text()).toBe(operation.status ?? 200)
    expect(calls).toMatchObject([{ id, call: { body } }])
  })

  test('that has a body has examples', () => {
    const without = OPERATIONS.filter(([, { body, examples }]) => body && !examples)
    expect(without).toEqual([])
  })

  test('has a location that a GET can read', () => {
    const shape = (path = ''): string => path.replace(/\{\w+\}$/, '{}')
    const gets = new Set(
      OPERATIONS.filter(([, { method }]) => method === 'GET').map(([, { path }]) => shape(path)),
    )
    const locations = OPERATIONS.flatMap(([, { location }]) => location ?? [])
    expect(locations.length).toBeGreaterThan(5)
    expect(locations.filter((location) => !gets.has(shape(location)))).toEqual([])
  })
})

describe('serve', () => {
  test('generate and api serve the two addresses of the contract', async () => {
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
    expect(() => createApp({ engine, keys: staticKeys([]), serve: 'api' })).toThrow('needs the option api')
  })
})

test('/generate passes the caller to the engine', async () => {
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

test('/metrics needs no key, and exists only if it is configured', async () => {
  const { ask, url } = await startApi({ metrics: () => Promise.resolve('up 1\n') })
  const response = await fetch(`${url}/metrics`)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(await response.text()).toBe('up 1\n')
  expect((await ask('POST /metrics')).headers.get('allow')).toBe('GET, HEAD')
  await expectFailure(await (await startApi()).ask('GET /metrics'), 'NOT_FOUND')
})
