import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { AT_ONCE_MS } from '../at-once.ts'
import { type Ask, askOf, freshName } from '../conformance/ask.ts'
import { expectSuccess } from '../conformance/expect-envelope.ts'
import { until } from '../conformance/until.ts'
import { describeWithServer, postgresServer } from '../servers.ts'
import { createGate, type Gate } from './gate.ts'
import { type HeldReceiver, openHeldReceiver } from './held-receiver.ts'
import { createDatabase, type OwnDatabase } from './own-database.ts'
import { newAdminKey, type RunningService, startService } from './start-service.ts'

const EVENTS = Number(process.env['STAGECRAFT_SOAK_EVENTS'] ?? 1000)
const QUOTA = 40
/** A job whose process was killed is taken up when its lease has run out. */
const LEASE_SECONDS = 30

const server = await postgresServer()

describeWithServer('two processes on one store', server, () => {
  const adminKey = newAdminKey()
  let folder: string
  let database: OwnDatabase
  let client: pg.Client
  let receiver: HeldReceiver
  let projectId: string

  const start = async (...flags: readonly string[]): Promise<RunningService & { readonly ask: Ask }> => {
    const limit = flags.includes('--rate-limit') ? [] : ['--rate-limit', '1000000']
    const service = await startService({
      adminKey,
      folder,
      databaseUrl: database.url,
      flags: [...limit, ...flags],
    })
    onTestFinished(async () => void (await service.stop('SIGKILL')))
    const ask = askOf({ ...service, key: adminKey })
    const { items } = expectSuccess(await ask('GET /v1/projects'))
    projectId = (items as readonly [{ readonly id: string }])[0].id
    return { ...service, ask }
  }
  const path = (rest: string) => `/v1/projects/${projectId}/${rest}`
  const subscribe = async (ask: Ask, event: string, url = receiver.url) => {
    const body = { url, events: [event], secret: 'secret' }
    const { id } = expectSuccess(await ask('POST /v1/webhooks', { body }), 201)
    onTestFinished(async () => void (await client.query('delete from webhooks where id = $1', [id])))
  }
  const eventIds = async (event: string): Promise<readonly string[]> => {
    const { rows } = await client.query<{ id: string }>('select id from events where event = $1', [event])
    return rows.map(({ id }) => id)
  }
  /** Makes units at one process after the other, several at a time. */
  const makeUnits = async (asks: readonly Ask[], count: number): Promise<void> => {
    const waiting = Array.from({ length: count }, (_, index) => asks[index % asks.length]!)
    const work = async () => {
      for (let ask = waiting.pop(); ask; ask = waiting.pop()) {
        const body = { type: 'staging', source: `${freshName('schema')}.orders` }
        expectSuccess(await ask(`POST ${path('units')}`, { body }), 201)
      }
    }
    await Promise.all(Array.from({ length: 8 }, work))
  }
  /** A scan that waits for its gate, claimed by the one process that runs. */
  const beginHeldScan = async (ask: Ask): Promise<{ readonly gate: Gate; readonly scanId: string }> => {
    const { hostname, port } = new URL(server.url)
    const gate = await createGate({ host: hostname, port: Number(port) || 5432 })
    onTestFinished(gate.close)
    const catalog = Object.assign(new URL(database.url), { host: `127.0.0.1:${gate.port}` }).href
    const body = { name: freshName('held'), catalog }
    const { id: connectionId } = expectSuccess(await ask(`POST ${path('connections')}`, { body }), 201)
    const { id } = expectSuccess(await ask(`POST ${path('scans')}`, { body: { connectionId } }), 202)
    await until(() => gate.connections() || undefined, { what: 'the scan at its gate', seconds: 40 })
    return { gate, scanId: String(id) }
  }
  const completed = (ask: Ask, scanId: string, seconds: number) =>
    until(
      async () => {
        const scan = expectSuccess(await ask(`GET ${path(`scans/${scanId}`)}`))
        if (scan['state'] === 'failed') throw new Error(JSON.stringify(scan))
        return scan['state'] === 'completed' ? scan : undefined
      },
      { what: 'the end of the scan', seconds },
    )

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stagecraft-two-'))
    database = await createDatabase(server.url)
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    receiver = await openHeldReceiver()
    receiver.release()
  })

  afterAll(async () => {
    await receiver.close()
    await client.end()
    await database.drop()
    await rm(folder, { recursive: true })
  })

  test(
    `each of ${EVENTS} events is delivered, and both processes send`,
    async () => {
      const [one, two] = await Promise.all([start(), start()])
      await subscribe(one.ask, 'unit.created')
      await subscribe(two.ask, 'unit.created')
      const before = new Set(await eventIds('unit.created'))
      await makeUnits([one.ask, two.ask], EVENTS)
      const events = (await eventIds('unit.created')).filter((id) => !before.has(id))
      expect(events).toHaveLength(EVENTS)
      const missing = async () => {
        const { rows } = await client.query<{ count: string }>(
          "select count(*) from deliveries where state <> 'delivered' and event = 'unit.created'",
        )
        return Number(rows[0]?.count) === 0 ? true : undefined
      }
      await until(missing, { what: 'the end of all deliveries', seconds: 60 + EVENTS / 10 })
      const counts = Map.groupBy(receiver.received, (id) => id)
      // Once for each of the two subscriptions, and not again, because nothing failed.
      expect(events.filter((id) => counts.get(id)?.length !== 2)).toEqual([])
      for (const { apiUrl } of [one, two]) {
        const text = await (await fetch(`${apiUrl}/metrics`)).text()
        expect(text).toMatch(/^stagecraft_webhook_delivery_seconds_count(?:\{[^}]*\})? [1-9]/m)
      }
    },
    120_000 + EVENTS * 200,
  )

  test('no job is run twice', async () => {
    const [one, two] = await Promise.all([start(), start()])
    const scan = expectSuccess(await one.ask(`POST ${path('scans')}`, { body: {} }), 202)
    await completed(one.ask, String(scan['id']), 30)
    const { items } = expectSuccess(await two.ask(`GET ${path('sources?limit=12')}`))
    const unitIds: string[] = []
    for (const { name } of items as readonly { readonly name: string }[]) {
      const unit = await one.ask(`POST ${path('units')}`, { body: { type: 'base', source: name } })
      unitIds.push(String(expectSuccess(unit, 201)['id']))
    }
    const asks = unitIds.flatMap((unitId, index) => {
      const [first, second] = index % 2 === 0 ? [one.ask, two.ask] : [two.ask, one.ask]
      return [
        first(`POST ${path('generations')}`, { body: { unitId } }),
        second(`POST ${path('scans')}`, { body: {} }),
      ]
    })
    for (const answer of await Promise.all(asks)) expectSuccess(answer, 202)
    const ended = async (table: 'scans' | 'generations') => {
      const { rows } = await client.query<{ state: string; attempts: number }>(
        `select state, attempts from ${table}`,
      )
      return rows.every(({ state }) => state !== 'queued' && state !== 'running') ? rows : undefined
    }
    const scans = await until(() => ended('scans'), { what: 'the end of all scans', seconds: 40 })
    const generations = await until(() => ended('generations'), {
      what: 'the end of all generations',
      seconds: 40,
    })
    for (const job of [...scans, ...generations]) expect(job).toEqual({ state: 'completed', attempts: 1 })
    expect(generations).toHaveLength(unitIds.length)
    for (const event of ['generation.started', 'generation.completed']) {
      expect(await eventIds(event)).toHaveLength(unitIds.length)
    }
    expect(await eventIds('scan.completed')).toHaveLength(scans.length)
  }, 120_000)

  test('both count the same quota of a key', async () => {
    const flags = ['--role', 'api', '--rate-limit', `${QUOTA}`]
    const [one, two] = await Promise.all([start(...flags), start(...flags)])
    const body = { name: freshName('quota'), scopes: ['read'] }
    const key = String(expectSuccess(await one.ask(`POST ${path('keys')}`, { body }), 201)['secret'])
    const begunAt = performance.now()
    const answers = await Promise.all(
      Array.from({ length: QUOTA * 2 }, (_, index) =>
        (index % 2 === 0 ? one : two).ask('GET /v1/projects', { key }),
      ),
    )
    const seconds = (performance.now() - begunAt) / 1000
    const allowed = answers.filter(({ status }) => status === 200).length
    // What came back of the quota meanwhile: nothing, unless this machine is very slow.
    expect(allowed).toBeGreaterThanOrEqual(QUOTA)
    expect(allowed).toBeLessThanOrEqual(QUOTA + Math.floor((seconds * QUOTA) / 60))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(QUOTA * 2 - allowed)
  })

  test('a process that is told to stop hands its jobs over at once', async () => {
    const one = await start()
    const { gate, scanId } = await beginHeldScan(one.ask)
    const two = await start()
    const connections = gate.connections()
    const begunAt = performance.now()
    expect(await one.stop('SIGTERM')).toBe(0)
    await until(() => (gate.connections() > connections ? true : undefined), {
      what: 'the scan at its gate again',
      seconds: LEASE_SECONDS,
    })
    expect(performance.now() - begunAt, 'long before its lease runs out').toBeLessThan(AT_ONCE_MS)
    gate.open()
    await completed(two.ask, scanId, LEASE_SECONDS)
  }, 90_000)

  test('what a killed process worked on is finished by the other', async () => {
    const one = await start()
    const held = await openHeldReceiver()
    onTestFinished(held.close)
    await subscribe(one.ask, 'unit.created', held.url)
    const before = new Set(await eventIds('unit.created'))
    await makeUnits([one.ask], 30)
    const { gate, scanId } = await beginHeldScan(one.ask)
    await until(() => (held.received.length > 0 ? true : undefined), { what: 'a delivery', seconds: 40 })
    const two = await start()
    const underWay = new Set(held.received)
    await one.stop('SIGKILL')
    // Most of their time passes at once.
    for (const table of ['scans', 'deliveries'])
      await client.query(`update ${table} set lease_until = lease_until - 25000 where lease_owner like $1`, [
        `%:${one.child.pid}:%`,
      ])
    held.release()
    gate.open()
    await completed(two.ask, scanId, LEASE_SECONDS + 20)
    const events = (await eventIds('unit.created')).filter((id) => !before.has(id))
    expect(events).toHaveLength(30)
    const delivered = () => (events.every((id) => held.received.includes(id)) ? true : undefined)
    await until(delivered, { what: 'every event', seconds: LEASE_SECONDS + 20 })
    const repeated = () =>
      [...underWay].every((id) => held.received.filter((received) => received === id).length > 1)
        ? true
        : undefined
    await until(repeated, { what: 'what was under way once more', seconds: LEASE_SECONDS + 20 })
    expect((await client.query('select attempts from scans where id = $1', [scanId])).rows).toEqual([
      { attempts: 2 },
    ])
  }, 180_000)
})
