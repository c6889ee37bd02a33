import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { AT_ONCE_MS } from '../../at-once.ts'
import { httpReceiver, rawReceiver } from '../../../packages/webhooks/src/testing/receivers.ts'
import { addWebhook, attemptsOf, countStates, publishEvents } from './delivery-world.ts'
import { describeDeliveries, QUICK, receiver } from './describe-deliveries.ts'

/** One attempt, and no breaker. */
const ONCE = { ...QUICK, pausesMs: [0], breaker: { ...QUICK.breaker, failures: 1000 } }

const END = 'connection: close\r\ncontent-length: 0\r\n\r\n'

/** An answer of one byte at a time. */
function drip(socket: Socket): void {
  const bytes = 'HTTP/1.1 200 OK\r\nserver: slow\r\n\r\n'
  let sent = 0
  const timer = setInterval(() => socket.write(bytes.charAt(sent++)), 400)
  socket.once('close', () => clearInterval(timer))
}

/** Far longer than all deliveries take on a slow and busy machine that nobody holds up. */
const ATTEMPT_MS = 6000

await describeDeliveries('receivers that are at fault', ({ run, world }) => {
  test('end in time, each for its reason, and hold nobody else up', async () => {
    const service = await world()
    const canary = await httpReceiver((_, response) => response.end(), onTestFinished)
    const raw = async (onRequest: (socket: Socket) => void): Promise<string> => {
      const { port } = await rawReceiver(onRequest, onTestFinished)
      return `http://127.0.0.1:${port}/hook`
    }
    const elsewhere = `http://127.0.0.1:${canary.port}/`
    const huge = 'x'.repeat(1024 * 1024)
    const receivers: readonly (readonly [url: string, failure: string | null, status: number | null])[] = [
      [await raw(() => {}), 'timeout', null],
      [await raw(drip), 'timeout', null],
      [await raw((socket) => socket.resetAndDestroy()), 'reset', null],
      [await raw((socket) => socket.write('HTTP/1.1 200 O', () => socket.resetAndDestroy())), 'reset', null],
      [
        await raw((socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${huge}\r\n${END}`)),
        'too_large_headers',
        null,
      ],
      [await raw((socket) => socket.write('nonsense\r\n\r\n')), 'protocol', null],
      [
        await raw((socket) => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 9999999\r\n\r\n${huge}`)),
        null,
        200,
      ],
      [
        await raw((socket) => socket.write(`HTTP/1.1 307 Go\r\nlocation: ${elsewhere}\r\n${END}`)),
        'redirect',
        307,
      ],
      ['http://127.0.0.1:1/', 'unsafe_url', null],
      ['http://169.254.169.254/latest', 'unsafe_url', null],
      ['http://127.0.0.1:9/hook', 'unsafe_url', null],
    ]
    const ids = await Promise.all(receivers.map(([url]) => addWebhook(service, url)))
    const times: number[] = []
    await addWebhook(
      service,
      await receiver((_, response) => (times.push(performance.now()), response.end())),
    )
    await publishEvents(service, 4)
    const start = performance.now()
    run(service, { attemptMs: ATTEMPT_MS, rules: ONCE })
    await expect.poll(async () => await countStates(service)).toEqual({ delivered: 8, exhausted: 40 })
    expect(Math.max(...times) - start, 'before any attempt runs out of time').toBeLessThan(ATTEMPT_MS)
    const rows = await service.store.db
      .selectFrom('deliveries')
      .select(['webhook_id', 'last_failure', 'last_status'])
      .distinct()
      .execute()
    const byId = new Map(rows.map((row) => [row.webhook_id, row]))
    expect(ids.map((id) => [byId.get(id)?.last_failure, byId.get(id)?.last_status])).toEqual(
      receivers.map(([, failure, status]) => [failure, status]),
    )
    expect(canary.connections()).toBe(0)
    for (const { duration_ms: duration, excerpt } of await attemptsOf(service)) {
      expect(duration).toBeLessThan(ATTEMPT_MS + AT_ONCE_MS)
      expect((excerpt ?? '').length).toBeLessThanOrEqual(16_384)
    }
  })

  test('do not slow others down by a storm of failures', async () => {
    const service = await world()
    let failures = 0
    const url = await receiver((request, response) => {
      const isStorm = request.url === '/hook/storm'
      if (isStorm) failures += 1
      response.writeHead(isStorm ? 500 : 200).end()
    })
    const storm = await addWebhook(service, `${url}/storm`)
    await publishEvents(service, 300)
    await service.store.db.updateTable('webhooks').set({ events: '[]' }).where('id', '=', storm).execute()
    for (let index = 0; index < 5; index++) await addWebhook(service, `${url}/${index}`)
    run(service, { concurrency: 16, rules: { ...ONCE, pausesMs: QUICK.pausesMs } })
    await publishEvents(service, 20)
    await expect.poll(async () => (await countStates(service))['delivered']).toBe(100)
    // All others are through before a third of what came before them was tried once.
    expect(failures).toBeLessThan(100)
  })
})
