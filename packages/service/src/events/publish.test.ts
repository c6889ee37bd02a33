import type { EventData } from '@stagecraft/spec/api'
import { expect, test } from 'vitest'
import { describeEachStore } from '../../../../test/service/each-store.ts'
import { callOf, deliveryRows, publicLookup, webhookContext } from '../../../../test/service/webhook-bench.ts'
import { MIGRATIONS } from '../store/migrations/index.ts'
import { webhookHandlers } from '../webhooks/webhook-handlers.ts'
import { publish } from './publish.ts'

await describeEachStore('publishing an event', MIGRATIONS, (open) => {
  const start = async () => {
    const context = await webhookContext(await open())
    const handlers = webhookHandlers(context, { lookup: publicLookup })
    const { ids, store } = context
    const webhook = async (event: 'push.completed' | 'generation.completed', projectId?: string) => {
      const body = { url: 'https://example.com/', events: [event], secret: 'secret' }
      return (await handlers.createWebhook(callOf({ body }, projectId))).data.id
    }
    const complete = async (data: EventData['generation.completed'] = completed) => {
      await store.transaction(async (transaction) => {
        const setup = { ids, now: await store.now(transaction) }
        await publish(transaction, { projectId: 'proj_1', event: 'generation.completed', data }, setup)
      })
    }
    return { complete, context, handlers, store, webhook }
  }
  const completed = {
    unit_id: 'unit_1',
    unit_name: 'stg_stripe__payments',
    unit_type: 'staging' as const,
    files_generated: [{ path: 'models/stg_stripe__payments.sql', lines: 42 }],
    duration_ms: 1834,
  }

  test('writes exactly the body of the contract, in its order', async () => {
    const { complete, store } = await start()
    const { duration_ms, files_generated, unit_id, unit_name, unit_type } = completed
    await complete({ duration_ms, files_generated, unit_type, unit_name, unit_id })
    const { created_at, id, payload } = await store.db
      .selectFrom('events')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(payload).toBe(
      `{"id":"${id}","event":"generation.completed","created_at":"${new Date(created_at).toISOString()}",` +
        '"project_id":"proj_1","data":{"unit_id":"unit_1","unit_name":"stg_stripe__payments",' +
        '"unit_type":"staging","files_generated":[{"path":"models/stg_stripe__payments.sql","lines":42}],' +
        '"duration_ms":1834}}',
    )
  })

  test('makes a delivery for each webhook of the project that wants it and is not disabled', async () => {
    const { complete, handlers, store, webhook } = await start()
    const wanting = await webhook('generation.completed')
    const paused = await webhook('generation.completed')
    await handlers.pauseWebhook(callOf({ params: { webhookId: paused } }))
    const disabled = await webhook('generation.completed')
    await store.db.updateTable('webhooks').set({ state: 'disabled' }).where('id', '=', disabled).execute()
    const others = [
      await webhook('push.completed'),
      await webhook('generation.completed', 'proj_2'),
      disabled,
    ]
    await complete()
    for (const webhookId of [wanting, paused]) {
      expect(await deliveryRows(store, webhookId)).toMatchObject([
        { state: 'pending', trigger: 'event', attempts: 0, event: 'generation.completed' },
      ])
    }
    for (const webhookId of others) expect(await deliveryRows(store, webhookId)).toEqual([])
  })

  test('is undone with the change that caused it', async () => {
    const { context, store, webhook } = await start()
    const webhookId = await webhook('generation.completed')
    const failing = store.transaction(async (transaction) => {
      const setup = { ids: context.ids, now: await store.now(transaction) }
      const event = { projectId: 'proj_1', event: 'generation.completed' as const, data: completed }
      await publish(transaction, event, setup)
      throw new Error('the change failed')
    })
    await expect(failing).rejects.toThrow('the change failed')
    expect(await store.db.selectFrom('events').selectAll().execute()).toEqual([])
    expect(await deliveryRows(store, webhookId)).toEqual([])
  })

  test('refuses data that is not of its kind', async () => {
    const { complete, store } = await start()
    const wrong = { ...completed, secret: 'x' }
    await expect(complete(wrong)).rejects.toThrow('secret')
    expect(await store.db.selectFrom('events').selectAll().execute()).toEqual([])
  })
})
