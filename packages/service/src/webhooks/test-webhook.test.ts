import { exampleEvent } from '@stagecraft/spec/api'
import { verify } from '@stagecraft/webhooks/verify'
import { expect, onTestFinished, test } from 'vitest'
import { describeEachStore } from '../../../../test/service/each-store.ts'
import { startReceiver } from '../../../../test/service/receiver.ts'
import { callOf, deliveryRows, FIRST_PAGE, webhookContext } from '../../../../test/service/webhook-bench.ts'
import { eventHandlers } from '../events/event-handlers.ts'
import { MIGRATIONS } from '../store/migrations/index.ts'
import type { WebhookRow } from '../store/schema.ts'
import { webhookHandlers } from './webhook-handlers.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

await describeEachStore('testing a webhook', MIGRATIONS, (open) => {
  const start = async (status = 200) => {
    const deliveryPolicy = { allowCidrs: ['127.0.0.0/8'], allowHttp: true }
    const context = await webhookContext(await open(), { deliveryPolicy })
    const handlers = webhookHandlers(context)
    const receiver = await startReceiver(status, onTestFinished)
    const create = async () => {
      const { url } = receiver
      const body = { url, events: ['scan.completed' as const, 'push.completed' as const], secret: SECRET }
      return (await handlers.createWebhook(callOf({ body }))).data.id
    }
    const params = { webhookId: await create() }
    const set = async (columns: Partial<WebhookRow>) => {
      await context.store.db.updateTable('webhooks').set(columns).where('id', '=', params.webhookId).execute()
    }
    const send = async (body: object = {}) => (await handlers.testWebhook(callOf({ params, body }))).data
    return { context, create, handlers, params, receiver, send, set }
  }

  test('sends a signed event of the first kind, and tells how it went', async () => {
    const { receiver, send } = await start()
    const delivery = await send()
    expect(delivery).toMatchObject({
      state: 'delivered',
      trigger: 'test',
      event: 'scan.completed',
      attempts: 1,
      lastStatus: 200,
      eventId: expect.stringMatching(/^evt_.+test$/),
      attemptLog: [{ number: 1, outcome: 'delivered', status: 200, excerpt: 'received' }],
    })
    expect(receiver.requests).toHaveLength(1)
    const [{ body, headers } = { body: '', headers: {} }] = receiver.requests
    // PostgreSQL has a clock of its own.
    const now = () => Number(headers['webhook-timestamp']) * 1000
    expect(await verify(body, headers, SECRET, { require: 'standard', now })).toMatchObject({
      id: delivery.eventId,
      event: 'scan.completed',
      data: exampleEvent('scan.completed').data,
    })
  })

  test('sends the kind that is asked for', async () => {
    const { receiver, send } = await start()
    expect(await send({ event: 'generation.completed' })).toMatchObject({ event: 'generation.completed' })
    expect(JSON.parse(receiver.requests[0]?.body ?? '')).toMatchObject({ event: 'generation.completed' })
  })

  test('reaches no other webhook and no list of events', async () => {
    const { context, create, receiver, send } = await start()
    const other = await create()
    const { eventId } = await send()
    expect(await deliveryRows(context.store, other)).toEqual([])
    expect(receiver.requests).toHaveLength(1)
    const events = eventHandlers(context)
    expect((await events.listEvents(callOf(FIRST_PAGE))).data.items).toEqual([])
    const { data } = await events.getEvent(callOf({ params: { eventId } }))
    expect(JSON.stringify(data)).toBe(receiver.requests[0]?.body)
  })

  test('tells of a failure, and does not try again', async () => {
    const { send } = await start(500)
    const delivery = await send()
    expect(delivery.attemptLog).toMatchObject([
      { number: 1, outcome: 'failed', status: 500, failure: 'status' },
    ])
    expect(delivery).not.toHaveProperty('nextAttemptAt')
    expect(delivery.state).toBe('exhausted')
  })

  test.each(['paused', 'disabled'] as const)(
    'sends though the webhook is %s, which it stays',
    async (state) => {
      const { handlers, params, send, set } = await start()
      await set({ state })
      expect((await send()).state).toBe('delivered')
      expect((await handlers.getWebhook(callOf({ params }))).data.state).toBe(state)
    },
  )
})
