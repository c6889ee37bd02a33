import { exampleEvent } from '@stagecraft/spec/api'
import { expect, test } from 'vitest'
import { activityHandlers } from '../../packages/service/src/activity/activity-handlers.ts'
import type { ServiceContext } from '../../packages/service/src/context.ts'
import { writeEvent } from '../../packages/service/src/events/publish.ts'
import { newGeneration } from '../../packages/service/src/generations/batch-members.ts'
import { createHandlers } from '../../packages/service/src/service.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { newDelivery } from '../../packages/service/src/webhooks/to-delivery.ts'
import { describeEachStore } from './each-store.ts'
import { addProject, callOf, openTestContext } from './open-test-context.ts'

const HOUR = 3_600_000
type Caller = Awaited<ReturnType<typeof addProject>>

/** Adds generations and deliveries of a project, as workers would have left them. */
async function filler(context: ServiceContext, caller: Caller) {
  const { ids, store } = context
  const handlers = createHandlers(context)
  const { projectId } = caller
  const make = async (id: 'createUnit' | 'createWebhook', body: object): Promise<string> =>
    (await (handlers[id] as (call: never) => Promise<{ data: { id: string } }>)(callOf(caller, { body })))
      .data.id
  const unitId = await make('createUnit', { type: 'staging', source: `raw.${projectId}` })
  const webhookId = await make('createWebhook', {
    url: 'https://example.com/',
    events: ['push.completed'],
    secret: 'secret',
  })
  return {
    async generate(at: number, state: 'completed' | 'failed' | 'queued', kind: 'unit' | 'project' = 'unit') {
      const own = kind === 'unit' ? { unit_id: unitId } : {}
      const row = newGeneration(
        { id: ids.next('gen'), kind, columns: 'live', project_id: projectId, ...own },
        at,
      )
      await store.db
        .insertInto('generations')
        .values({ ...row, state })
        .execute()
    },
    async deliver(at: number, state: 'delivered' | 'exhausted' | 'expired' | 'cancelled' | 'pending') {
      const id = ids.next('dlv')
      const event = 'push.completed'
      const eventId = await store.transaction((db) =>
        writeEvent(db, { projectId, event, data: exampleEvent(event).data }, { ids, now: at }),
      )
      const row = newDelivery({
        id,
        webhookId,
        projectId,
        eventId,
        event,
        trigger: 'event',
        now: at,
      })
      await store.db
        .insertInto('deliveries')
        .values({ ...row, state })
        .execute()
    },
  }
}

await describeEachStore('the activity of a project', MIGRATIONS, (open) => {
  test('is counted hour by hour, without what is older or of others', async () => {
    const context = openTestContext(await open())
    const caller = await addProject(context)
    const other = await filler(context, await addProject(context, 'Other'))
    const own = await filler(context, caller)
    // The middle of the hours of a whole day ago and before, so that no hour begins meanwhile.
    const now = await context.store.now()
    const at = (hours: number) => (Math.floor(now / HOUR) - hours + 0.5) * HOUR
    await own.generate(at(20), 'completed')
    await own.generate(at(20), 'completed')
    await own.generate(at(20), 'failed')
    await own.generate(at(20), 'queued')
    await own.generate(at(20), 'completed', 'project')
    await own.generate(at(200), 'failed')
    await other.generate(at(20), 'completed')
    await own.deliver(at(2), 'delivered')
    await own.deliver(at(2), 'exhausted')
    await own.deliver(at(2), 'expired')
    await own.deliver(at(2), 'cancelled')
    await own.deliver(at(2), 'pending')
    await other.deliver(at(2), 'delivered')

    const { getActivity } = activityHandlers(context)
    const { data } = await getActivity(callOf(caller, { query: { hours: 30 } }))
    expect(data.units).toBe(1)
    expect(data.hours).toHaveLength(30)
    expect(data.hours.map((hour) => Date.parse(hour.at) % HOUR)).toEqual(Array(30).fill(0))
    expect(data.hours.reduce((sum, { unitsCreated }) => sum + unitsCreated, 0)).toBe(1)
    const hourOf = (time: number) =>
      data.hours.find((hour) => Date.parse(hour.at) === Math.floor(time / HOUR) * HOUR)
    expect(hourOf(at(20))).toMatchObject({ generationsCompleted: 2, generationsFailed: 1, scansFailed: 0 })
    expect(hourOf(at(2))).toMatchObject({ deliveriesDelivered: 1, deliveriesFailed: 2 })
    const sums = (name: 'generationsCompleted' | 'deliveriesFailed') =>
      data.hours.reduce((sum, hour) => sum + (hour[name] ?? 0), 0)
    expect([sums('generationsCompleted'), sums('deliveriesFailed')]).toEqual([2, 2])

    const short = await getActivity(callOf(caller, { query: { hours: 1 } }))
    expect(short.data.hours).toHaveLength(1)
    const reader = { ...caller, scopes: ['read'] as const }
    const { data: read } = await getActivity(callOf(reader, { query: { hours: 30 } }))
    expect(read.hours[0]).not.toHaveProperty('deliveriesDelivered')
  })
})
