import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { runDeliveries } from '../../../packages/service/src/delivery/run-deliveries.ts'
import { MIGRATIONS } from '../../../packages/service/src/store/migrations/index.ts'
import { openStore } from '../../../packages/service/src/store/open-store.ts'
import { describeWithServer, postgresServer } from '../../servers.ts'
import { addWebhook, attemptsOf, countStates, deliveryWorld, publishEvents } from './delivery-world.ts'
import { QUICK, receiver } from './describe-deliveries.ts'
import { flakyServer } from './flaky-server.ts'
import { seen, type SeenRequest } from './requests.ts'

const server = await postgresServer()
const EVENTS = 300
const CONCURRENCY = 8
/** What asks the store by itself: those that claim, settle, take back and tidy up. */
const LOOPS = 4

async function withClient(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await work(client)
  await client.end()
}

describeWithServer('deliveries', server, () => {
  test('go on after PostgreSQL ended all connections, and after it was away', async () => {
    const name = `outage_${randomBytes(6).toString('hex')}`
    onTestFinished(() => withClient((client) => client.query(`drop schema ${name} cascade`)))
    const { hostname, port } = new URL(server.url)
    const way = await flakyServer({ host: hostname, port: Number(port || 5432) })
    onTestFinished(() => way.close())
    const url = new URL(server.url)
    url.port = String(way.port)
    url.searchParams.set('application_name', name)
    const store = await openStore({ migrations: MIGRATIONS, url: url.href, schema: name })
    onTestFinished(() => store.close())
    const world = deliveryWorld(store)
    const requests: SeenRequest[] = []
    const hook = await receiver((request, response) => {
      requests.push(seen(request))
      setTimeout(() => response.end(), 20)
    })
    await addWebhook(world, hook)
    await publishEvents(world, EVENTS)

    const begunAt = performance.now()
    const leases = { attemptMs: 2000, leaseMs: 2300, reclaimMs: 50 }
    const running = runDeliveries(world, { ...leases, concurrency: CONCURRENCY, pollMs: 20, rules: QUICK })
    for (let kills = 0; kills < 3; kills++) {
      await pause(60)
      await withClient((client) =>
        client.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
          name,
        ]),
      )
    }
    await pause(60)
    way.cut(1500)
    await pause(1400)
    const { length: lines } = world.log
    await expect.poll(async () => await countStates(world)).toEqual({ delivered: EVENTS })
    await running.stop()

    expect(requests.length - EVENTS).toBeLessThanOrEqual(4 * CONCURRENCY)
    const noted = new Set((await attemptsOf(world)).map((row) => `${row.delivery_id} ${row.number}`))
    expect(requests.filter(({ attempt, delivery }) => !noted.has(`${delivery} ${attempt}`))).toEqual([])
    // Each of the loops says so once a second at most.
    const seconds = Math.ceil((performance.now() - begunAt) / 1000)
    expect(lines).toBeGreaterThan(0)
    expect(world.log.length).toBeLessThanOrEqual(LOOPS * (seconds + 1))
    expect(world.log.every(({ level }) => level === 'warn')).toBe(true)
  })
})
