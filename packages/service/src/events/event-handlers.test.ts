import { EVENT_KIND_NAMES, exampleEvent, type EventKind } from '@stagecraft/spec/api'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { describeEachStore } from '../../../../test/service/each-store.ts'
import { callOf, webhookContext } from '../../../../test/service/webhook-bench.ts'
import { MIGRATIONS } from '../store/migrations/index.ts'
import { eventHandlers, eventTypes } from './event-handlers.ts'
import { writeEvent } from './publish.ts'

await describeEachStore('events', MIGRATIONS, (open) => {
  const start = async () => {
    const context = await webhookContext(await open())
    const { ids, store } = context
    const write = async (event: EventKind, now: number, { isTest = false, projectId = 'proj_1' } = {}) =>
      await store.transaction(
        async (transaction) =>
          await writeEvent(
            transaction,
            { projectId, event, data: exampleEvent(event).data },
            { ids, now, isTest },
          ),
      )
    const handlers = eventHandlers(context)
    const list = async (query: object) => {
      const { data, nextCursor } = await handlers.listEvents(callOf({ query: { limit: 50, ...query } }))
      return { ids: data.items.map(({ id }) => id), nextCursor }
    }
    return { handlers, list, write }
  }
  const at = (time: string) => Date.parse(`2026-11-21T${time}Z`)

  test('are listed newest first, page by page, those of the project alone', async () => {
    const { list, write } = await start()
    const first = await write('unit.created', at('09:00:00'))
    const second = await write('unit.updated', at('09:00:00'))
    const third = await write('unit.deleted', at('10:00:00'))
    await write('unit.created', at('09:30:00'), { projectId: 'proj_2' })
    const page = await list({ limit: 2 })
    expect(page.ids).toEqual([third, second])
    expect(await list({ limit: 2, cursor: page.nextCursor })).toEqual({ ids: [first], nextCursor: undefined })
  })

  test('are found by kind and by time, the end of a range not in it', async () => {
    const { list, write } = await start()
    const first = await write('unit.created', at('09:00:00'))
    const second = await write('push.completed', at('10:00:00'))
    const third = await write('unit.created', at('11:00:00'))
    expect((await list({ event: 'unit.created' })).ids).toEqual([third, first])
    const range = { since: '2026-11-21T09:00:00Z', until: '2026-11-21T11:00:00Z' }
    expect((await list(range)).ids).toEqual([second, first])
    expect((await list({ ...range, event: 'push.completed' })).ids).toEqual([second])
  })

  test('are shown as they were sent', async () => {
    const { handlers, write } = await start()
    const eventId = await write('scan.completed', at('09:00:00'))
    const { data } = await handlers.getEvent(callOf({ params: { eventId } }))
    const { created_at: _, id: __, project_id: ___, ...rest } = exampleEvent('scan.completed')
    const envelope = { id: eventId, created_at: '2026-11-21T09:00:00.000Z', project_id: 'proj_1' }
    expect(data).toEqual({ ...envelope, ...rest })
  })

  test('of another project are not found', async () => {
    const { handlers, write } = await start()
    const eventId = await write('scan.completed', at('09:00:00'), { projectId: 'proj_2' })
    const get = handlers.getEvent(callOf({ params: { eventId } }))
    await expect(get).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('that were made up are in no list', async () => {
    const { list, write } = await start()
    expect(await write('scan.completed', at('09:00:00'), { isTest: true })).toMatch(/^evt_\d+test$/)
    expect((await list({})).ids).toEqual([])
  })
})

test('all eight kinds have a meaning, a schema and an example that fits it', () => {
  const types = eventTypes()
  expect(types.map(({ event }) => event)).toEqual([...EVENT_KIND_NAMES])
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const { description, event, example, schema } of types) {
    expect(description).toMatch(/\.$/)
    const validate = ajv.compile(schema)
    expect(validate(example), JSON.stringify(validate.errors)).toBe(true)
    expect(validate({ ...example, event: 'unit.renamed' })).toBe(false)
    expect(validate({ ...example, data: {} })).toBe(false)
    // A member that comes later breaks nobody who validates.
    expect(validate({ ...example, data: { ...example.data, later: 1 } }), event).toBe(true)
  }
})
