import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { AT_ONCE_MS } from '../../at-once.ts'
import { cancelDeliveries } from '../../../packages/service/src/delivery/cancel-deliveries.ts'
import { deliveryDepth, sendOne } from '../../../packages/service/src/delivery/run-deliveries.ts'
import { pruneDeliveries } from '../../../packages/service/src/delivery/prune-deliveries.ts'
import { addWebhook, attemptsOf, countStates, type DeliveryWorld, publishEvents } from './delivery-world.ts'
import { describeDeliveries, QUICK, receiver } from './describe-deliveries.ts'

const DAY = 86_400_000

/** A receiver that answers when it is told to. */
async function holding(): Promise<{ readonly url: string; readonly held: ServerResponse[] }> {
  const held: ServerResponse[] = []
  return { held, url: await receiver((_, response) => void held.push(response)) }
}

async function delivery({ store }: DeliveryWorld) {
  return await store.db.selectFrom('deliveries').selectAll().executeTakeFirstOrThrow()
}

await describeDeliveries('deliveries under way', ({ run, world }) => {
  test('are not tried again when their webhook is disabled meanwhile', async () => {
    const service = await world()
    const { held, url } = await holding()
    await addWebhook(service, url)
    run(service)
    await publishEvents(service, 1)
    await expect.poll(() => held).toHaveLength(1)
    await service.store.db.updateTable('webhooks').set({ state: 'disabled' }).execute()
    held[0]?.writeHead(500).end()
    await expect.poll(async () => await countStates(service)).toEqual({ cancelled: 1 })
    expect(await attemptsOf(service)).toMatchObject([{ outcome: 'failed', status: 500 }])
  })

  test('wait when their webhook is paused meanwhile', async () => {
    const service = await world()
    const { held, url } = await holding()
    await addWebhook(service, url)
    run(service)
    await publishEvents(service, 1)
    await expect.poll(() => held).toHaveLength(1)
    await service.store.db.updateTable('webhooks').set({ state: 'paused' }).execute()
    held[0]?.writeHead(500).end()
    await expect.poll(async () => await countStates(service)).toEqual({ pending: 1 })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(held).toHaveLength(1)
  })

  test('leave nothing behind when their webhook is deleted meanwhile', async () => {
    const service = await world()
    const { held, url } = await holding()
    await addWebhook(service, url)
    const running = run(service)
    await publishEvents(service, 2)
    await expect.poll(() => held).toHaveLength(2)
    const { db } = service.store
    await db.deleteFrom('webhooks').execute()
    const { id } = await delivery(service)
    await db.deleteFrom('deliveries').where('id', '=', id).execute()
    for (const response of held) response.writeHead(500).end()
    await expect.poll(async () => await countStates(service)).toEqual({ cancelled: 1 })
    await running.stop()
    expect(service.log).toEqual([])
  })

  test('are handed back when the process stops', async () => {
    const service = await world()
    const { held, url } = await holding()
    await addWebhook(service, url)
    const running = run(service, { graceMs: 50 })
    await publishEvents(service, 3)
    await expect.poll(() => held).toHaveLength(3)
    held[0]?.end()
    const start = performance.now()
    await running.stop()
    expect(performance.now() - start).toBeLessThan(AT_ONCE_MS)
    expect(await countStates(service)).toEqual({ delivered: 1, pending: 2 })
    expect(await deliveryDepth(service.store)).toMatchObject({ due: 2, parked: 0 })
    const attempts = await attemptsOf(service)
    expect(attempts.map(({ failure, outcome }) => `${outcome} ${failure}`).toSorted()).toEqual([
      'delivered null',
      'unknown aborted',
      'unknown aborted',
    ])
    run(service)
    await expect.poll(() => held).toHaveLength(5)
    for (const response of held) response.end()
    await expect.poll(async () => await countStates(service)).toEqual({ delivered: 3 })
  })

  test('end when their process stops, if that does not take long', async () => {
    const service = await world()
    const { held, url } = await holding()
    await addWebhook(service, url)
    const running = run(service, { graceMs: 5000 })
    await publishEvents(service, 1)
    await expect.poll(() => held).toHaveLength(1)
    setTimeout(() => held[0]?.end(), 100)
    await running.stop()
    expect(await countStates(service)).toEqual({ delivered: 1 })
  })
})

await describeDeliveries('one delivery', ({ world }) => {
  test.each([
    [200, 'delivered', 'delivered'],
    [500, 'exhausted', 'failed'],
    [410, 'exhausted', 'gone'],
  ])(
    'of a test is sent to a paused webhook, and only once, for an answer of %i',
    async (status, state, outcome) => {
      const service = await world()
      const url = await receiver((_, response) => response.writeHead(status).end('seen'))
      await addWebhook(service, url, { change: { state: 'paused' } })
      await publishEvents(service, 1)
      await service.store.db.updateTable('deliveries').set({ trigger: 'test' }).execute()
      const { id } = await delivery(service)
      await sendOne(service, id)
      expect(await delivery(service)).toMatchObject({
        state,
        attempts: 1,
        last_status: status,
        lease_owner: null,
      })
      expect(await attemptsOf(service)).toMatchObject([{ number: 1, outcome, status, excerpt: 'seen' }])
      const webhook = await service.store.db.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow()
      expect(webhook).toMatchObject({
        state: 'paused',
        consecutive_failures: 0,
        last_success_at: null,
        version: 1,
      })
      await sendOne(service, id)
      expect((await delivery(service)).attempts).toBe(1)
    },
  )
})

await describeDeliveries('waiting deliveries', ({ run, world }) => {
  test('are cancelled with their webhook', async () => {
    const service = await world()
    const id = await addWebhook(service, 'http://127.0.0.1:1024/')
    await addWebhook(service, 'http://127.0.0.1:1024/other')
    await publishEvents(service, 3)
    const { store } = service
    expect(await store.transaction((transaction) => cancelDeliveries(transaction, id, 5))).toBe(3)
    expect(await countStates(service)).toEqual({ cancelled: 3, pending: 3 })
  })

  test('are counted', async () => {
    const service = await world()
    await addWebhook(service, 'http://127.0.0.1:1024/')
    expect(await deliveryDepth(service.store)).toEqual({ due: 0, parked: 0, oldestDueMs: 0 })
    await publishEvents(service, 3)
    const { db } = service.store
    const { id } = await delivery(service)
    const now = await service.store.now()
    await db
      .updateTable('deliveries')
      .set({ next_at: now + DAY })
      .execute()
    await db
      .updateTable('deliveries')
      .set({ next_at: now - 5000 })
      .where('id', '=', id)
      .execute()
    const { oldestDueMs, ...counts } = await deliveryDepth(service.store)
    expect(counts).toEqual({ due: 1, parked: 2 })
    expect(oldestDueMs).toBeGreaterThanOrEqual(5000)
    expect(oldestDueMs).toBeLessThan(5000 + AT_ONCE_MS)
  })

  test('expire, and what is old is deleted', async () => {
    let offset = 0
    const service = await world({ clockOffset: () => offset })
    const url = await receiver((_, response) => response.end())
    await addWebhook(service, url)
    const running = run(service)
    await publishEvents(service, 2)
    await expect.poll(async () => await countStates(service)).toEqual({ delivered: 2 })
    await running.stop()
    await service.store.db.updateTable('webhooks').set({ state: 'paused' }).execute()
    await publishEvents(service, 3)
    const rows = async () => {
      const { db } = service.store
      const events = await db.selectFrom('events').select('id').execute()
      return [events.length, (await attemptsOf(service)).length, await countStates(service)]
    }
    offset = 3 * DAY
    await pruneDeliveries(service)
    expect(await rows()).toEqual([5, 2, { delivered: 2, pending: 3 }])
    offset = 4 * DAY
    await pruneDeliveries(service)
    expect(await rows()).toEqual([5, 2, { delivered: 2, expired: 3 }])
    await publishEvents(service, 1)
    offset = 30 * DAY + 60_000
    await pruneDeliveries(service)
    expect(await rows()).toEqual([1, 0, { expired: 1 }])
  })

  test('of a webhook that was disabled are cancelled, however many', async () => {
    const service = await world()
    await addWebhook(service, 'http://127.0.0.1:1024/')
    await publishEvents(service, 5)
    await service.store.db.updateTable('webhooks').set({ state: 'disabled' }).execute()
    await pruneDeliveries(service)
    expect(await countStates(service)).toEqual({ cancelled: 5 })
    expect(() => run(service, { attemptMs: 1000, leaseMs: 1000, rules: QUICK })).toThrow('expected leaseMs')
  })
})
