import { createHmac, timingSafeEqual } from 'node:crypto'
import { describe, expect, test, type TestContext } from 'vitest'
import { freshName } from './ask.ts'
import { expectSuccess, TIMESTAMP } from './expect-envelope.ts'
import { type Hook, readBody, subscribe, WITHIN_SECONDS } from './hook.ts'
import type { Delivery } from './receiver.ts'
import type { UseSession } from './session.ts'
import { until } from './until.ts'

/** The first retry comes after 5 s and what chance adds; the machine may be slow. */
const RETRY_SECONDS = 40

/** §6.2: delivery and envelope. */
export function deliveryTests(use: UseSession): void {
  const units = () => `/v1/projects/${use().projectId}/units`
  const createUnit = async () =>
    String((await use().create(units(), { type: 'staging', source: `${freshName('schema')}.orders` }))['id'])
  const delivered = async (context: TestContext) => {
    const hook = await subscribe(context, use(), { events: ['unit.created'] })
    const unitId = await createUnit()
    return await hook.next('unit.created', ({ unit_id }) => unit_id === unitId)
  }

  describe('§6.2 delivery', () => {
    test('§6.2 is an HTTP POST with a JSON body', async (context) => {
      const { body, delivery } = await delivered(context)
      expect(delivery.method).toBe('POST')
      expect(delivery.headers['content-type']).toMatch(/^application\/json\b/)
      expect(body).toBeTypeOf('object')
    })

    test('§6.2 is made for subscribed events only', async (context) => {
      const hook = await subscribe(context, use(), { events: ['unit.deleted'] })
      const first = await createUnit()
      expectSuccess(await use().ask(`DELETE ${units()}/${first}`))
      await hook.next('unit.deleted', ({ unit_id }) => unit_id === first)
      const kinds = new Set(hook.deliveries().map((delivery) => readBody(delivery).event))
      expect([...kinds]).toEqual(['unit.deleted'])
    })

    test('§6.2 comes within seconds of the event', async (context) => {
      // By the clock of this machine alone: that of the service may be another one.
      const begunAt = Date.now()
      const { delivery } = await delivered(context)
      expect(delivery.at - begunAt).toBeLessThan(WITHIN_SECONDS * 1000)
    })

    test('§6.2 is retried when it failed, with the same body, until it succeeds', async (context) => {
      const hook = await subscribe(context, use(), { events: ['unit.created'], statuses: [500] })
      await createUnit()
      const [first, second] = await retried(hook)
      expect(second.body).toEqual(first.body)
      expect(second.at - first.at).toBeGreaterThan(4000)
    })
  })

  describe('§6.2 envelope', () => {
    test('§6.2 has these members, in this order, and no other', async (context) => {
      const { body } = await delivered(context)
      expect(Object.keys(body)).toEqual(['id', 'event', 'created_at', 'project_id', 'data'])
    })

    test('§6.2 id: evt_<id>, and that of the event', async (context) => {
      const { body } = await delivered(context)
      expect(body.id).toMatch(/^evt_\w+$/)
      expect(expectSuccess(await use().ask(`GET /v1/events/${body.id}`))).toEqual(body)
    })

    test('§6.2 event: one of the kinds', async (context) => {
      expect((await delivered(context)).body.event).toBe('unit.created')
    })

    test('§6.2 created_at: ISO 8601 in UTC', async (context) => {
      expect((await delivered(context)).body.created_at).toMatch(TIMESTAMP)
    })

    test('§6.2 project_id: that of the project', async (context) => {
      expect((await delivered(context)).body.project_id).toBe(use().projectId)
    })

    test('§6.2 data: an object', async (context) => {
      expect((await delivered(context)).body.data).toEqual(expect.objectContaining({}))
    })
  })
}

/** §6.3, by a receiver of its own. */
export function signatureTests(use: UseSession): void {
  const units = () => `/v1/projects/${use().projectId}/units`
  const deliver = async (context: TestContext, secret: string): Promise<Delivery> => {
    const hook = await subscribe(context, use(), { events: ['unit.created'], secret })
    const input = { type: 'staging', source: `${freshName('schema')}.orders`, name: freshName('Größe ✓ </>') }
    const { id } = await use().create(units(), input)
    return (await hook.next('unit.created', ({ unit_id }) => unit_id === id)).delivery
  }

  describe('§6.3 signature', () => {
    test.for([
      ['any text', freshName('secret')],
      ['text beyond ASCII', `geheim ✓ ${freshName('secret')}`],
      ['one that begins with whsec_', `whsec_${Buffer.from(freshName('secret')).toString('base64')}`],
    ])(
      '§6.3 x-service-signature is sha256= and the HMAC-SHA-256 of the bytes: %s',
      async ([, secret = ''], context) => {
        expectSigned(await deliver(context, secret), secret)
      },
    )

    test('§6.3 a receiver that refuses a signature with 401 is sent it again', async (context) => {
      const hook = await subscribe(context, use(), { events: ['unit.created'], statuses: [401] })
      const input = { type: 'staging', source: `${freshName('schema')}.orders` }
      await use().create(units(), input)
      for (const delivery of await retried(hook)) expectSigned(delivery, hook.secret)
    })
  })
}

/** The first two deliveries of one event; other tests make events at the same time. */
async function retried(hook: Hook): Promise<readonly [Delivery, Delivery]> {
  return await until(
    () => {
      const attempts = Map.groupBy(hook.deliveries(), (delivery) => readBody(delivery).id)
      const [first, second] = [...attempts.values()].find(({ length }) => length > 1) ?? []
      return first && second ? ([first, second] as const) : undefined
    },
    { what: 'a second attempt', seconds: RETRY_SECONDS },
  )
}

function expectSigned({ body, headers }: Delivery, secret: string): void {
  const given = String(headers['x-service-signature'])
  expect(given).toMatch(/^sha256=[0-9a-f]{64}$/)
  const own = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  expect(timingSafeEqual(Buffer.from(given), Buffer.from(own))).toBe(true)
}
