import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { addWebhook, attemptsOf, countStates, publishEvents } from './delivery-world.ts'
import { describeDeliveries, receiver } from './describe-deliveries.ts'
import { killSenders } from './kill-senders.ts'
import { seen, type SeenRequest } from './requests.ts'
import { kill, startSender } from './start-sender.ts'

const CONCURRENCY = 8
const KILLS = 8
const EVENTS = 500
/** Long enough for a slow machine to freeze a process in the middle of an attempt. */
const LEASES = { attemptMs: 3000, leaseMs: 3300 }

await describeDeliveries('a process that sends deliveries', ({ place, run, world }) => {
  test('loses none when it is killed, and repeats only what was under way', async () => {
    const service = await world()
    const requests: SeenRequest[] = []
    const url = await receiver((request, response) => {
      requests.push(seen(request))
      setTimeout(() => response.end(), 10)
    })
    await addWebhook(service, url)
    await publishEvents(service, EVENTS)
    const report = await killSenders(service, {
      place,
      requests,
      kills: KILLS,
      concurrency: CONCURRENCY,
      deliveries: EVENTS,
    })
    expect(report).toMatchObject({ lost: 0, unnoted: 0 })
    expect(report.killed).toBeGreaterThanOrEqual(3)
    expect(report.repeated).toBeLessThanOrEqual(report.killed * CONCURRENCY)
    expect(new Set(requests.map(({ attempt, delivery }) => `${delivery} ${attempt}`)).size).toBe(
      requests.length,
    )
  })

  test('changes nothing when it wakes up after another one took over', async () => {
    const service = await world()
    const held: ServerResponse[] = []
    const url = await receiver((_, response) => {
      if (held.length === 0) held.push(response)
      else response.end()
    })
    await addWebhook(service, url)
    const frozen = await startSender(place, { ...LEASES, reclaimMs: 60_000 })
    onTestFinished(() => kill(frozen))
    await publishEvents(service, 1)
    await expect.poll(() => held).toHaveLength(1)
    frozen.kill('SIGSTOP')
    run(service, { ...LEASES, reclaimMs: 50 })
    await expect.poll(async () => await countStates(service)).toEqual({ delivered: 1 })
    const before = await service.store.db.selectFrom('deliveries').selectAll().execute()
    expect((await attemptsOf(service)).map(({ outcome }) => outcome)).toEqual(['unknown', 'delivered'])
    held[0]?.writeHead(500).end()
    frozen.kill('SIGCONT')
    await expect.poll(async () => (await attemptsOf(service))[0]?.outcome).toBe('failed')
    expect(await service.store.db.selectFrom('deliveries').selectAll().execute()).toEqual(before)
    expect(before).toMatchObject([{ state: 'delivered', attempts: 2, last_status: 200 }])
  })
})
