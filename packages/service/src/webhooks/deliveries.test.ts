import { exampleEvent, type EventKind } from '@stagecraft/spec/api'
import { signDelivery } from '@stagecraft/webhooks'
import { expect, test } from 'vitest'
import { describeEachStore } from '../../../../test/service/each-store.ts'
import {
  callOf,
  deliveryRows,
  FIRST_PAGE,
  publicLookup,
  webhookContext,
} from '../../../../test/service/webhook-bench.ts'
import { publish, writeEvent } from '../events/publish.ts'
import { MIGRATIONS } from '../store/migrations/index.ts'
import type { DeliveryRow, WebhookRow } from '../store/schema.ts'
import { webhookHandlers } from './webhook-handlers.ts'

const HOUR = 3_600_000
const NOON = Date.parse('2026-11-21T12:00:00Z')
const DAY = { since: '2026-11-21T00:00:00Z', until: '2026-11-22T00:00:00Z' }

await describeEachStore('deliveries', MIGRATIONS, (open) => {
  const start = async () => {
    const context = await webhookContext(await open())
    const handlers = webhookHandlers(context, { lookup: publicLookup })
    const { ids, store } = context
    const createWebhook = async () => {
      const events: EventKind[] = ['push.completed', 'scan.completed']
      const body = { url: 'https://example.com/', events, secret: 'secret' }
      return (await handlers.createWebhook(callOf({ body }))).data.id
    }
    const webhookId = await createWebhook()
    const emit = async (event: EventKind, now: number, projectId = 'proj_1') => {
      await store.transaction(async (transaction) => {
        await publish(transaction, { projectId, event, data: exampleEvent(event).data }, { ids, now })
      })
    }
    const rows = async () => await deliveryRows(store, webhookId)
    const set = async (id: string, columns: Partial<DeliveryRow>) => {
      await store.db.updateTable('deliveries').set(columns).where('id', '=', id).execute()
    }
    const setWebhook = async (columns: Partial<WebhookRow>) => {
      await store.db.updateTable('webhooks').set(columns).where('id', '=', webhookId).execute()
    }
    const params = { webhookId }
    const replay = async (body: object) =>
      (await handlers.replayEvents(callOf({ params, body: { ...DAY, ...body } }))).data.deliveries
    return {
      context,
      createWebhook,
      emit,
      handlers,
      ids,
      params,
      replay,
      rows,
      set,
      setWebhook,
      store,
      webhookId,
    }
  }

  test('are listed newest first, by state, event and time', async () => {
    const { emit, handlers, params, rows, set } = await start()
    await emit('push.completed', NOON)
    await emit('scan.completed', NOON + HOUR)
    await emit('push.completed', NOON + 2 * HOUR)
    const [first, second, third] = (await rows()).map(({ id }) => id)
    await set(first ?? '', {
      state: 'exhausted',
      last_status: 500,
      last_failure: 'status',
      finished_at: NOON,
    })
    const list = async (query: object) => {
      const { data, nextCursor } = await handlers.listDeliveries(
        callOf({ params, query: { limit: 50, ...query } }),
      )
      return { ids: data.items.map(({ id }) => id), items: data.items, nextCursor }
    }
    const page = await list({ limit: 2 })
    expect(page.ids).toEqual([third, second])
    expect(page.items[0]).not.toHaveProperty('finishedAt')
    expect(page.items[0]?.nextAttemptAt).toBe('2026-11-21T14:00:00.000Z')
    const { items } = await list({ limit: 2, cursor: page.nextCursor })
    expect(items).toEqual([
      {
        id: first,
        webhookId: params.webhookId,
        eventId: expect.stringMatching(/^evt_/),
        event: 'push.completed',
        state: 'exhausted',
        trigger: 'event',
        attempts: 0,
        lastStatus: 500,
        lastFailure: 'status',
        createdAt: '2026-11-21T12:00:00.000Z',
        finishedAt: '2026-11-21T12:00:00.000Z',
      },
    ])
    expect((await list({ state: 'pending' })).ids).toEqual([third, second])
    expect((await list({ event: 'scan.completed' })).ids).toEqual([second])
    const range = { since: '2026-11-21T12:00:00Z', until: '2026-11-21T14:00:00Z' }
    expect((await list(range)).ids).toEqual([second, first])
    expect((await list({ ...range, state: 'pending', event: 'push.completed' })).ids).toEqual([])
  })

  test('tell their request as it would be sent now, signed and without the headers of the webhook', async () => {
    const { emit, handlers, params, rows, setWebhook, store } = await start()
    await handlers.updateWebhook(
      callOf({ params, body: { headers: { Authorization: 'Bearer canary', 'X-Team': 'canary' } } }),
    )
    await emit('push.completed', NOON)
    const deliveryId = (await rows())[0]?.id ?? ''
    const ask = async () => (await handlers.getDeliveryRequest(callOf({ params: { deliveryId } }))).data
    const { body, headers, method, url } = await ask()
    expect({ method, url }).toEqual({ method: 'POST', url: 'https://example.com/' })
    const { payload } = await store.db.selectFrom('events').select('payload').executeTakeFirstOrThrow()
    expect(body).toBe(payload)
    expect(headers).toMatchObject({
      authorization: '(hidden)',
      'x-team': '(hidden)',
      'user-agent': 'stagecraft-webhooks',
      'x-service-delivery': deliveryId,
      'x-service-attempt': '1',
    })
    const signed = { id: headers['webhook-id'] ?? '', timestamp: Number(headers['webhook-timestamp']), body }
    expect(headers['webhook-signature']).toBe(
      signDelivery({ ...signed, secrets: ['secret'] })['webhook-signature'],
    )
    expect(Math.abs(signed.timestamp * 1000 - (await store.now()))).toBeLessThan(60_000)
    await handlers.rotateWebhookSecret(callOf({ params, body: { secret: 'newer' } }))
    const both = (await ask()).headers
    expect(both['webhook-signature']).toBe(
      signDelivery({ ...signed, timestamp: Number(both['webhook-timestamp']), secrets: ['newer', 'secret'] })[
        'webhook-signature'
      ],
    )
    await setWebhook({ previous_secret_expires_at: 1 })
    expect((await ask()).headers['webhook-signature']).not.toContain(' ')
    await store.db.deleteFrom('events').execute()
    await expect(ask()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('come with their attempts', async () => {
    const { emit, handlers, rows, store } = await start()
    await emit('push.completed', NOON)
    const deliveryId = (await rows())[0]?.id ?? ''
    const attempt = { delivery_id: deliveryId, status: null, failure: null, duration_ms: null, excerpt: null }
    await store.db
      .insertInto('attempts')
      .values([
        { ...attempt, number: 2, started_at: NOON + 5, finished_at: null, outcome: 'unknown' },
        { ...attempt, number: 1, started_at: NOON, finished_at: NOON + 3, outcome: 'failed', failure: 'dns' },
      ])
      .execute()
    const { data } = await handlers.getDelivery(callOf({ params: { deliveryId } }))
    expect(data).toMatchObject({ id: deliveryId, state: 'pending' })
    expect(data.attemptLog).toEqual([
      {
        number: 1,
        outcome: 'failed',
        failure: 'dns',
        startedAt: '2026-11-21T12:00:00.000Z',
        finishedAt: '2026-11-21T12:00:00.003Z',
      },
      { number: 2, outcome: 'unknown', startedAt: '2026-11-21T12:00:00.005Z' },
    ])
  })

  test('of another project are neither shown nor sent again', async () => {
    const { emit, handlers, rows } = await start()
    await emit('push.completed', NOON)
    const call = callOf({ params: { deliveryId: (await rows())[0]?.id ?? '' } }, 'proj_2')
    await expect(handlers.getDelivery(call)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(handlers.redeliver(call)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await rows()).toHaveLength(1)
  })

  test('are counted by state, with the oldest that waits', async () => {
    const { createWebhook, emit, handlers, params, rows, set } = await start()
    await createWebhook()
    for (const hour of [0, 1, 2, 3]) await emit('push.completed', NOON + hour * HOUR)
    await set((await rows())[0]?.id ?? '', { state: 'delivered', finished_at: NOON })
    const { data } = await handlers.getWebhookStats(callOf({ params }))
    expect(data).toMatchObject({
      deliveries: { pending: 3, sending: 0, delivered: 1, exhausted: 0, cancelled: 0, expired: 0 },
      oldestPendingAt: '2026-11-21T13:00:00.000Z',
    })
  })

  test('of the last 7 days are measured: how many arrived, and how long 95 of 100 took', async () => {
    const { context, emit, handlers, params, rows, set } = await start()
    const { store } = context
    const now = await store.now()
    for (let index = 0; index < 22; index++) await emit('push.completed', now - index * HOUR)
    await emit('push.completed', now - 169 * HOUR)
    for (const [index, { id }] of (await rows()).entries()) {
      if (index === 21) continue
      await set(id, { state: index === 20 ? 'exhausted' : 'delivered', attempts: 2 })
      const attempt = { delivery_id: id, started_at: now, outcome: 'delivered' } as const
      await store.db
        .insertInto('attempts')
        .values([
          { ...attempt, number: 1, duration_ms: 90_000 },
          { ...attempt, number: 2, duration_ms: (index + 1) * 10 },
        ])
        .execute()
    }
    const { data } = await handlers.getWebhookStats(callOf({ params }))
    expect(data.recent).toEqual({ ended: 21, delivered: 20, p95Ms: 200 })
    const all = await handlers.listWebhookStats(callOf({}))
    expect(all.data.items).toEqual([{ webhookId: params.webhookId, ...data.recent }])
  })

  test('are sent again as new ones, as often as is asked', async () => {
    const { context, emit, handlers, rows, set } = await start()
    await emit('push.completed', NOON)
    const deliveryId = (await rows())[0]?.id ?? ''
    await set(deliveryId, { state: 'delivered', finished_at: NOON, attempts: 3 })
    let noticed = 0
    context.wakeups.listen('deliveries', () => (noticed += 1))
    const call = callOf({ params: { deliveryId } })
    const { data } = await handlers.redeliver(call)
    const again = await handlers.redeliver(call)
    expect(data).toMatchObject({ state: 'pending', trigger: 'manual', attempts: 0 })
    expect(data.nextAttemptAt).toBe(data.createdAt)
    const all = await rows()
    expect(all.map(({ id }) => id)).toEqual([deliveryId, data.id, again.data.id])
    expect(new Set(all.map(({ event_id }) => event_id)).size).toBe(1)
    expect(all[0]).toMatchObject({ state: 'delivered', attempts: 3 })
    expect(noticed).toBe(2)
  })

  test('of an event that is no more kept are not sent again', async () => {
    const { emit, handlers, rows, store } = await start()
    await emit('push.completed', NOON)
    await store.db.deleteFrom('events').execute()
    const again = handlers.redeliver(callOf({ params: { deliveryId: (await rows())[0]?.id ?? '' } }))
    await expect(again).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await rows()).toHaveLength(1)
  })

  test('are not sent again while the webhook is disabled, since they would wait forever', async () => {
    const { emit, handlers, params, replay, rows, setWebhook } = await start()
    await emit('push.completed', NOON)
    await setWebhook({ state: 'disabled' })
    const refusal = {
      code: 'INVALID_REQUEST',
      details: { suggestion: `POST /v1/webhooks/${params.webhookId}/enable` },
    }
    const call = callOf({ params: { deliveryId: (await rows())[0]?.id ?? '' } })
    await expect(handlers.redeliver(call)).rejects.toMatchObject(refusal)
    await expect(replay({})).rejects.toMatchObject(refusal)
    expect(await rows()).toHaveLength(1)
  })

  test('of a range are made anew: all events that the webhook wants, and no others', async () => {
    const { emit, ids, replay, rows, store } = await start()
    await emit('push.completed', NOON)
    await emit('unit.created', NOON)
    await emit('scan.completed', NOON + HOUR)
    await emit('push.completed', NOON + 13 * HOUR)
    await emit('push.completed', NOON, 'proj_2')
    const made = { projectId: 'proj_1', event: 'push.completed', data: exampleEvent('push.completed').data }
    await store.transaction(async (transaction) => {
      await writeEvent(transaction, { ...made, event: 'push.completed' }, { ids, now: NOON, isTest: true })
    })
    expect(await replay({ dryRun: true })).toBe(2)
    expect(await rows()).toHaveLength(3)
    expect(await replay({})).toBe(2)
    const [first, second, , ...replayed] = await rows()
    expect(replayed.map(({ event_id, trigger }) => [event_id, trigger])).toEqual([
      [first?.event_id, 'replay'],
      [second?.event_id, 'replay'],
    ])
    expect(await replay({ events: ['scan.completed'] })).toBe(1)
  })

  test('of a range without an end are those up to now, by the clock of the store', async () => {
    const { emit, replay, rows, store } = await start()
    const now = await store.now()
    for (const time of [NOON, now - HOUR, now + HOUR]) await emit('push.completed', time)
    const [, second] = await rows()
    expect(await replay({ since: new Date(now - 2 * HOUR).toISOString(), until: undefined })).toBe(1)
    expect((await rows()).at(-1)).toMatchObject({ event_id: second?.event_id, trigger: 'replay' })
  })

  test('that were missed are those without any that arrived', async () => {
    const { emit, handlers, replay, rows, set } = await start()
    for (const minute of [0, 1, 2, 3]) await emit('push.completed', NOON + minute)
    const [first, second, third] = await rows()
    await set(first?.id ?? '', { state: 'delivered' })
    await set(second?.id ?? '', { state: 'exhausted' })
    const { data } = await handlers.redeliver(callOf({ params: { deliveryId: second?.id ?? '' } }))
    await set(third?.id ?? '', { state: 'cancelled' })
    expect(await replay({ only: 'missed', dryRun: true })).toBe(3)
    await set(data.id, { state: 'delivered' })
    expect(await replay({ only: 'missed', dryRun: true })).toBe(2)
    expect(await replay({ only: 'missed' })).toBe(2)
    const missed = (await rows()).filter(({ trigger }) => trigger === 'replay')
    expect(missed.map(({ event_id }) => event_id)).toEqual(
      (await rows()).slice(2, 4).map((row) => row.event_id),
    )
    expect(await replay({ only: 'all', dryRun: true })).toBe(4)
  })

  test('that one webhook missed are missed though another got them', async () => {
    const { createWebhook, emit, replay, store } = await start()
    const other = await createWebhook()
    await emit('push.completed', NOON)
    await store.db
      .updateTable('deliveries')
      .set({ state: 'delivered' })
      .where('webhook_id', '=', other)
      .execute()
    expect(await replay({ only: 'missed' })).toBe(1)
  })

  test('of thousands of events, many of one millisecond, are each made once', async () => {
    const { ids, replay, rows, store } = await start()
    const events = Array.from({ length: 2500 }, (_, index) => ({
      id: ids.next('evt'),
      project_id: 'proj_1',
      event: 'push.completed' as const,
      created_at: NOON + Math.floor(index / 1400),
      payload: '{}',
      is_test: 0 as const,
    }))
    for (const half of [events.slice(0, 1250), events.slice(1250)])
      await store.db.insertInto('events').values(half).execute()
    expect(await replay({})).toBe(2500)
    expect(new Set((await rows()).map(({ event_id }) => event_id)).size).toBe(2500)
  })

  test('of a range that ends before it begins are refused', async () => {
    const { replay, store } = await start()
    await expect(replay({ since: DAY.until, until: DAY.since })).rejects.toMatchObject({
      details: { faults: [{ path: 'since' }] },
    })
    const later = new Date((await store.now()) + HOUR).toISOString()
    await expect(replay({ since: later, until: undefined })).rejects.toMatchObject({
      details: { faults: [{ path: 'since' }] },
    })
  })

  test('of events that the webhook does not want are refused', async () => {
    const { replay } = await start()
    await expect(replay({ events: ['push.completed', 'unit.created'] })).rejects.toMatchObject({
      details: { faults: [{ path: 'events.1', received: 'unit.created' }] },
    })
  })

  test('go with their webhook, and their attempts too, however many', async () => {
    const { createWebhook, emit, handlers, ids, params, rows, store } = await start()
    await emit('push.completed', NOON)
    const other = await createWebhook()
    await emit('push.completed', NOON)
    const [template] = await rows()
    if (!template) throw new Error('expected a delivery')
    const many = Array.from({ length: 2100 }, () => ({
      ...template,
      id: ids.next('dlv'),
      trigger: 'replay' as const,
    }))
    for (const part of [many.slice(0, 1050), many.slice(1050)])
      await store.db.insertInto('deliveries').values(part).execute()
    const attempt = { number: 1, started_at: NOON, finished_at: NOON, outcome: 'failed' as const }
    const empty = { status: null, failure: null, duration_ms: null, excerpt: null }
    const kept = (await deliveryRows(store, other))[0]?.id ?? ''
    await store.db
      .insertInto('attempts')
      .values(
        [many[0]?.id ?? '', many.at(-1)?.id ?? '', kept].map((delivery_id) => ({
          delivery_id,
          ...attempt,
          ...empty,
        })),
      )
      .execute()
    expect(await handlers.deleteWebhook(callOf({ params }))).toEqual({
      data: { id: params.webhookId, deleted: true },
    })
    expect(await rows()).toEqual([])
    expect(await store.db.selectFrom('attempts').select('delivery_id').execute()).toEqual([
      { delivery_id: kept },
    ])
    expect((await handlers.listWebhooks(callOf(FIRST_PAGE))).data.items.map(({ id }) => id)).toEqual([other])
    await expect(handlers.deleteWebhook(callOf({ params }))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await store.db.selectFrom('events').select('id').execute()).toHaveLength(2)
  })
})
