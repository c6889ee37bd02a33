import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { AT_ONCE_MS } from '../../at-once.ts'
import { addWebhook, attemptsOf, countStates, type DeliveryWorld, publishEvents } from './delivery-world.ts'
import { describeDeliveries, QUICK, receiver } from './describe-deliveries.ts'

/** A receiver that gives each of these answers in turn, and then the last of them for ever. */
async function answering(
  ...answers: readonly (readonly [status: number, headers?: Record<string, string>])[]
): Promise<string> {
  let count = 0
  return await receiver((_, response) => {
    const [status, headers = {}] = answers[Math.min(count, answers.length - 1)] ?? [200]
    count += 1
    response.writeHead(status, headers).end()
  })
}

async function expectStates(world: DeliveryWorld, states: Readonly<Record<string, number>>): Promise<void> {
  await expect.poll(async () => await countStates(world)).toEqual(states)
}

async function webhookRow({ store }: DeliveryWorld) {
  return await store.db.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow()
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

await describeDeliveries('retries', ({ run, world }) => {
  test('tries again, and notes every attempt', async () => {
    const service = await world()
    await addWebhook(service, await answering([500], [404], [200]))
    run(service)
    await publishEvents(service, 1)
    await expectStates(service, { delivered: 1 })
    const attempts = await attemptsOf(service)
    expect(attempts.map(({ number, outcome, status }) => [number, outcome, status])).toEqual([
      [1, 'failed', 500],
      [2, 'failed', 404],
      [3, 'delivered', 200],
    ])
  })

  test('gives up after the last attempt', async () => {
    const service = await world()
    await addWebhook(service, await answering([302, { location: 'http://127.0.0.1:1/' }]))
    run(service)
    await publishEvents(service, 1)
    await expectStates(service, { exhausted: 1 })
    const delivery = await service.store.db.selectFrom('deliveries').selectAll().executeTakeFirstOrThrow()
    expect(delivery).toMatchObject({
      attempts: 4,
      last_status: 302,
      last_failure: 'redirect',
      lease_owner: null,
    })
    expect(delivery.finished_at).toBeTypeOf('number')
    expect((await webhookRow(service)).consecutive_failures).toBe(4)
  })

  test.each([
    ['30', 30_000],
    ['1.5', 1500],
    ['99999999', 3_600_000],
    ['-5', 20],
    ['soon', 20],
  ])('waits for retry-after %s', async (text, pause) => {
    const service = await world()
    await addWebhook(service, await answering([500, { 'retry-after': text }], [200]))
    run(service, { rules: { ...QUICK, jitter: 0 } })
    await publishEvents(service, 1)
    const firstAttempt = async () => (await attemptsOf(service))[0]
    await expect.poll(async () => (await firstAttempt())?.outcome).toBe('failed')
    const { next_at: nextAt } = await service.store.db
      .selectFrom('deliveries')
      .selectAll()
      .executeTakeFirstOrThrow()
    const waited = nextAt - ((await firstAttempt())?.finished_at ?? 0)
    expect(waited).toBeGreaterThanOrEqual(pause)
    expect(waited).toBeLessThan(pause + AT_ONCE_MS)
  })

  test('disables the webhook at 410, and cancels what waits for it', async () => {
    const service = await world()
    await addWebhook(service, await answering([410]))
    await publishEvents(service, 30)
    run(service)
    await expectStates(service, { cancelled: 30 })
    expect(await webhookRow(service)).toMatchObject({
      state: 'disabled',
      version: 2,
      notice: 'disabled: the receiver refused further deliveries; enable it when it is ready',
    })
    expect((await attemptsOf(service)).length).toBeLessThanOrEqual(10)
  })

  test('does as the header webhook-delivery of an answer says', async () => {
    const service = await world()
    const url = await answering(
      [400, { 'webhook-delivery': 'abort-message' }],
      [200, { 'webhook-delivery': 'disable' }],
    )
    await addWebhook(service, url)
    run(service)
    await publishEvents(service, 1)
    await expectStates(service, { cancelled: 1 })
    expect(await webhookRow(service)).toMatchObject({ state: 'active', consecutive_failures: 0 })
    await publishEvents(service, 1)
    await expectStates(service, { cancelled: 1, delivered: 1 })
    expect(await webhookRow(service)).toMatchObject({ state: 'disabled' })
  })

  test('loses nothing when a receiver learns of a new secret late', async () => {
    const service = await world()
    let known = 'old'
    const url = await receiver(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const hmac = createHmac('sha256', known).update(Buffer.concat(chunks)).digest('hex')
      response.writeHead(request.headers['x-service-signature'] === `sha256=${hmac}` ? 200 : 401).end()
    })
    const previous = { secret: 'old', expiresAt: (await service.store.now()) + DAY }
    await addWebhook(service, url, { secret: 'new', previous })
    run(service)
    await publishEvents(service, 20)
    await expectStates(service, { delivered: 20 })
    const first = await attemptsOf(service)
    expect(first.map(({ failure, number, status }) => [number, status, failure])).toEqual(
      Array.from({ length: 20 }, () => [
        [1, 401, 'secret_refused'],
        [2, 200, null],
      ]).flat(),
    )
    known = 'new'
    await publishEvents(service, 20)
    await expectStates(service, { delivered: 40 })
    expect(await attemptsOf(service)).toHaveLength(60)
    expect(await webhookRow(service)).toMatchObject({ consecutive_failures: 0, failing_since: null })
  })

  test('opens the breaker, sends one probe, and closes it', async () => {
    let offset = 0
    const service = await world({ clockOffset: () => offset })
    let status = 500
    let requests = 0
    const url = await receiver((_, response) => {
      requests += 1
      response.writeHead(status).end()
    })
    await addWebhook(service, url)
    await publishEvents(service, 40)
    const breaker = { ...QUICK.breaker, pauseMs: HOUR, longestPauseMs: HOUR }
    run(service, { rules: { ...QUICK, breaker, pausesMs: [0, DAY, DAY] } })
    await expect.poll(async () => (await webhookRow(service)).breaker_opens).toBe(1)
    await expect.poll(async () => await countStates(service)).toEqual({ pending: 40 })
    expect(requests).toBeGreaterThanOrEqual(10)
    expect(requests).toBeLessThan(20)
    const before = requests
    offset = 2 * HOUR
    await expect.poll(async () => (await webhookRow(service)).breaker_opens).toBe(2)
    expect(requests).toBe(before + 1)
    status = 200
    offset = 4 * HOUR
    await expect.poll(async () => (await countStates(service))['delivered']).toBe(40 - before - 1)
    expect(await webhookRow(service)).toMatchObject({
      breaker_until: null,
      breaker_opens: 0,
      window_size: 10,
    })
  })

  test('disables a webhook after five days without a success', async () => {
    let offset = 0
    const service = await world({ clockOffset: () => offset })
    await addWebhook(service, await answering([500]))
    const many = Array.from({ length: 60 }, () => 0)
    run(service, {
      rules: { ...QUICK, pausesMs: many, lifetimeMs: 30 * DAY, breaker: { ...QUICK.breaker, pauseMs: 1 } },
    })
    await publishEvents(service, 1)
    const notices: (string | null)[] = []
    for (const days of [2.6, 3.6, 4.6]) {
      await expect
        .poll(async () => (await webhookRow(service)).consecutive_failures)
        .toBeGreaterThan(days * 4)
      offset = days * DAY
      await expect.poll(async () => (await webhookRow(service)).notice).not.toBe(notices.at(-1) ?? null)
      notices.push((await webhookRow(service)).notice)
    }
    expect(notices.map((notice) => notice?.slice(-6))).toEqual(['(50 %)', '(70 %)', '(90 %)'])
    offset = 5 * DAY
    await expectStates(service, { cancelled: 1 })
    expect(await webhookRow(service)).toMatchObject({ state: 'disabled' })
  })

  test('leaves deliveries of paused webhooks, and sends them afterwards', async () => {
    const service = await world()
    await addWebhook(service, await answering([200]), { change: { state: 'paused' } })
    run(service)
    await publishEvents(service, 3)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await countStates(service)).toEqual({ pending: 3 })
    await service.store.db.updateTable('webhooks').set({ state: 'active' }).execute()
    await expectStates(service, { delivered: 3 })
  })
})
