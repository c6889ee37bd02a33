import { type IdempotencyStore, memoryIdempotency } from '@stagecraft/http'
import { StagecraftError } from '@stagecraft/spec'
import { describe, expect, test } from 'vitest'
import { PROJECT_ID, unit } from './api-double.ts'
import { type ApiService, OTHER_OWNER, startApi } from './api-service.ts'
import { expectData, expectFailure, expectFaults } from './expect-envelope.ts'
import { KEY } from './service.ts'

const UNITS = `/v1/projects/${PROJECT_ID}/units`
const BODY = { type: 'staging', source: 'raw.stripe.payments', options: { addTests: true, addDocs: true } }
const SAME = { options: { addDocs: true, addTests: true }, source: 'raw.stripe.payments', type: 'staging' }

function create({ ask }: ApiService, key: string, body: object = BODY): Promise<Response> {
  return ask(`POST ${UNITS}`, { body, headers: { 'idempotency-key': key } })
}

describe('the same key', () => {
  test('and body return the same bytes and headers, and run once', async () => {
    const service = await startApi()
    const first = await create(service, 'a')
    const second = await create(service, 'a', SAME)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(second.status).toBe(201)
    for (const name of ['x-request-id', 'location', 'etag', 'content-type']) {
      expect(second.headers.get(name), name).toBe(first.headers.get(name))
    }
    expect(await second.clone().text()).toBe(await first.text())
    await expectData(second, 201)
    expect(service.calls).toHaveLength(1)
  })

  test('with another body or address is refused', async () => {
    const service = await startApi()
    await create(service, 'a')
    const other = await expectFailure(await create(service, 'a', { ...BODY, name: 'x' }), 'INVALID_REQUEST')
    expectFaults(other, 'headers.idempotency-key')
    expect(other.error.details).toMatchObject({ reason: 'other-body' })
    const headers = { 'idempotency-key': 'b' }
    await service.ask('POST /v1/webhook-deliveries/dlv_1/redeliver', { headers })
    const elsewhere = await service.ask('POST /v1/webhook-deliveries/dlv_2/redeliver', { headers })
    await expectFailure(elsewhere, 'INVALID_REQUEST')
    expect(service.calls).toHaveLength(2)
  })

  test('in another operation is another request', async () => {
    const service = await startApi()
    await create(service, 'a')
    const headers = { 'idempotency-key': 'a' }
    expect((await service.ask(`POST /v1/projects/${PROJECT_ID}/scans`, { headers })).status).toBe(202)
    expect(service.calls).toHaveLength(2)
  })

  test('is refused while the first request runs', async () => {
    const go = Promise.withResolvers<undefined>()
    const started = Promise.withResolvers<undefined>()
    let runs = 0
    const service = await startApi({
      handlers: {
        createUnit: async () => {
          runs++
          started.resolve(undefined)
          await go.promise
          return { data: unit }
        },
      },
    })
    const first = create(service, 'a')
    await started.promise
    const second = await create(service, 'a')
    expect(second.headers.get('retry-after')).toBe('1')
    const { error } = await expectFailure(second, 'INVALID_REQUEST')
    expect(error.details).toMatchObject({ reason: 'in-flight' })
    go.resolve(undefined)
    await expectData(await first, 201)
    await expectData(await create(service, 'a'), 201)
    expect(runs).toBe(1)
  })

  test('in twenty concurrent requests runs once', async () => {
    const service = await startApi()
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(service, 'a')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(
      new Set(answers.some(({ status }) => status === 400) ? [201, 400] : [201]),
    )
    expect(service.calls).toHaveLength(1)
  })

  test('runs again after a failure', async () => {
    let runs = 0
    const service = await startApi({
      handlers: {
        createUnit: () =>
          ++runs === 1
            ? Promise.reject(new StagecraftError('CONNECTION_FAILED', 'gone', { details: { reason: 'x' } }))
            : Promise.resolve({ data: unit }),
      },
    })
    await expectFailure(await create(service, 'a'), 'CONNECTION_FAILED')
    await expectData(await create(service, 'a'), 201)
    expect(runs).toBe(2)
  })

  test('can be used again after a malformed request', async () => {
    const service = await startApi()
    await expectFailure(await create(service, 'a', { type: 1 }), 'INVALID_REQUEST')
    await expectData(await create(service, 'a'), 201)
  })

  test('is answered for a client that had disconnected', async () => {
    const started = Promise.withResolvers<undefined>()
    const go = Promise.withResolvers<undefined>()
    const service = await startApi({
      handlers: {
        createUnit: async () => {
          started.resolve(undefined)
          await go.promise
          return { data: unit }
        },
      },
    })
    const leave = new AbortController()
    const first = fetch(`${service.url}${UNITS}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${KEY}`,
        'content-type': 'application/json',
        'idempotency-key': 'a',
      },
      body: JSON.stringify(BODY),
      signal: leave.signal,
    }).catch(() => 'gone')
    await started.promise
    leave.abort()
    expect(await first).toBe('gone')
    go.resolve(undefined)
    await expect
      .poll(async () => (await create(service, 'a')).headers.get('idempotent-replayed'))
      .toBe('true')
  })
})

test.each([[''], ['two words'], ['ü'], ['x'.repeat(256)]])('the key "%s" is malformed', async (key) => {
  const service = await startApi()
  expectFaults(await expectFailure(await create(service, key), 'INVALID_REQUEST'), 'headers.idempotency-key')
  const generate = await service.ask('POST /generate', { body: BODY, headers: { 'idempotency-key': key } })
  expectFaults(await expectFailure(generate, 'INVALID_REQUEST'), 'headers.idempotency-key')
  expect(service.calls).toEqual([])
})

test('keys of different API keys are independent', async () => {
  const service = await startApi()
  await create(service, 'a')
  const headers = { 'idempotency-key': 'a' }
  const other = await service.ask(`POST ${UNITS}`, { body: BODY, headers, key: OTHER_OWNER })
  expect(other.headers.get('idempotent-replayed')).toBeNull()
  expect(service.calls).toHaveLength(2)
})

test('a key is ignored if nothing is created', async () => {
  const service = await startApi()
  const headers = { 'idempotency-key': 'a' }
  for (const name of ['x', 'y']) await service.ask(`PATCH ${UNITS}/unit_1`, { body: { name }, headers })
  expect(service.calls).toHaveLength(2)
})

test('POST /generate also accepts a key', async () => {
  const { ask } = await startApi()
  const asked = { body: BODY, headers: { 'idempotency-key': 'a' } }
  const first = await ask('POST /generate', asked)
  const second = await ask('POST /generate', { ...asked, body: SAME })
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect(await second.text()).toBe(await first.text())
  const other = { ...asked, body: { ...BODY, options: {} } }
  await expectFailure(await ask('POST /generate', other), 'INVALID_REQUEST')
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const refused = await ask('POST /generate', { body: deep, headers: { 'idempotency-key': 'b' } })
  expectFaults(await expectFailure(refused, 'INVALID_REQUEST'), '')
})

test('a failing store stops the work before it starts, but not afterwards', async () => {
  const memory = memoryIdempotency()
  const broken = (part: Partial<IdempotencyStore>): IdempotencyStore => ({ ...memory, ...part })
  const fail = () => Promise.reject(new Error('hunter2'))
  const late = await startApi({ api: { idempotency: broken({ finish: fail }) } })
  await expectData(await create(late, 'a'), 201)
  const early = await startApi({ api: { idempotency: broken({ begin: fail }) } })
  await expectFailure(await create(early, 'b'), 'GENERATION_FAILED')
  expect(early.calls).toEqual([])
})
