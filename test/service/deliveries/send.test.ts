import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { verify } from '@stagecraft/webhooks/verify'
import { addWebhook, attemptsOf, countStates, publishEvents } from './delivery-world.ts'
import { describeDeliveries, receiver } from './describe-deliveries.ts'

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

async function recorder(): Promise<{ readonly url: string; readonly received: Received[] }> {
  const received: Received[] = []
  const url = await receiver(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
    response.end('{"received":true}')
  })
  return { url, received }
}

await describeDeliveries('sending', ({ run, world }) => {
  test('delivers every event once', async () => {
    const service = await world()
    const { received, url } = await recorder()
    await addWebhook(service, url)
    run(service)
    await publishEvents(service, 50)
    await expect.poll(async () => await countStates(service)).toEqual({ delivered: 50 })
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(50)
    expect(received).toHaveLength(50)
    expect(service.log).toEqual([])
  })

  test('sends the bytes of the event with exactly these headers', async () => {
    const service = await world()
    const { received, url } = await recorder()
    await addWebhook(service, url, {
      secret: 'geheim ü',
      headers: { 'X-Team': 'data', 'Content-Type': 'text/x' },
    })
    run(service)
    await publishEvents(service, 1)
    await expect.poll(async () => await countStates(service)).toEqual({ delivered: 1 })
    const [{ body, headers } = { body: '', headers: {} }] = received
    const [event] = await service.store.db.selectFrom('events').selectAll().execute()
    const [delivery] = await service.store.db.selectFrom('deliveries').selectAll().execute()
    expect(body).toBe(event?.payload)
    expect(headers).toEqual({
      'accept-encoding': 'identity',
      connection: 'keep-alive',
      'content-length': String(Buffer.byteLength(body)),
      'content-type': 'application/json',
      host: new URL(url).host,
      'user-agent': 'stagecraft-webhooks',
      'webhook-id': event?.id,
      'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'x-service-attempt': '1',
      'x-service-delivery': delivery?.id,
      'x-service-signature': `sha256=${createHmac('sha256', 'geheim ü').update(body).digest('hex')}`,
      'x-team': 'data',
    })
    const now = await service.store.now()
    await expect(verify(body, headers, 'geheim ü', { now: () => now })).resolves.toMatchObject({
      id: event?.id,
    })
    expect(await attemptsOf(service)).toEqual([
      {
        delivery_id: delivery?.id,
        number: 1,
        started_at: expect.any(Number),
        finished_at: expect.any(Number),
        outcome: 'delivered',
        status: 200,
        failure: null,
        duration_ms: expect.any(Number),
        excerpt: '{"received":true}',
      },
    ])
  })

  test('signs with both secrets while they overlap, and with one afterwards', async () => {
    let offset = 0
    const service = await world({ clockOffset: () => offset })
    const { received, url } = await recorder()
    const previous = { secret: 'old', expiresAt: (await service.store.now()) + 60_000 }
    await addWebhook(service, url, { secret: 'new', previous })
    run(service)
    await publishEvents(service, 1)
    await expect.poll(() => received).toHaveLength(1)
    offset = 61_000
    await publishEvents(service, 1)
    await expect.poll(() => received).toHaveLength(2)
    const [during, after] = received
    expect(during?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
    expect(after?.headers['webhook-signature']).toMatch(/^v1,\S+$/)
    const hmac = createHmac('sha256', 'new')
      .update(during?.body ?? '')
      .digest('hex')
    expect(during?.headers['x-service-signature']).toBe(`sha256=${hmac}`)
  })

  test('does not believe the clock of its own process', async () => {
    const service = await world()
    const { received, url } = await recorder()
    await addWebhook(service, url)
    const [now, believed] = [await service.store.now(), Date.now()]
    for (const skew of [-600_000, 600_000]) {
      const clock = vi.spyOn(Date, 'now').mockImplementation(() => believed + skew)
      const running = run(service)
      await publishEvents(service, 1)
      await expect.poll(() => received.length).toBeGreaterThan(0)
      await running.stop()
      clock.mockRestore()
      const timestamp = received.pop()?.headers['webhook-timestamp']
      expect(Math.abs(Number(timestamp) - now / 1000)).toBeLessThan(60)
    }
  })

  test('serves every webhook while one has a long backlog', async () => {
    const service = await world()
    const order: string[] = []
    const url = await receiver((request, response) => {
      order.push(request.url ?? '')
      response.end()
    })
    const busy = await addWebhook(service, `${url}/busy`)
    await publishEvents(service, 600)
    await service.store.db.updateTable('webhooks').set({ events: '[]' }).where('id', '=', busy).execute()
    for (let index = 0; index < 5; index++) await addWebhook(service, `${url}/${index}`)
    await publishEvents(service, 3)
    run(service, { concurrency: 8 })
    await expect.poll(async () => await countStates(service)).toEqual({ delivered: 615 })
    const last = Math.max(...['0', '1', '2', '3', '4'].map((name) => order.lastIndexOf(`/hook/${name}`)))
    expect(last).toBeLessThan(100)
  })

  test('has no more under way to one receiver than its window', async () => {
    const service = await world()
    let held: ServerResponse[] | undefined = []
    const url = await receiver((_, response) => void (held?.push(response) ?? response.end()))
    await addWebhook(service, url)
    await publishEvents(service, 60)
    run(service)
    await expect.poll(() => held).toHaveLength(10)
    await pause(200)
    const first = held
    expect(first).toHaveLength(10)
    held = undefined
    for (const response of first) response.end()
    await expect.poll(async () => await countStates(service)).toEqual({ delivered: 60 })
  })
})
