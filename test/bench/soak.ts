// The crashes of deliveries at full size, on both stores: processes that are killed while receivers fail, and processes
// beside each other of which one is frozen (on PostgreSQL). Prints what it counted, and fails when an event was lost, a request was not
// noted, or more was repeated than was under way. What has begun is finished after the minutes too.
// Run: pnpm soak [--minutes=10] [--store=sqlite,postgres]
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Engine } from '../../packages/service/src/store/store.ts'
import { addWebhook, attemptsOf, countStates } from '../service/deliveries/delivery-world.ts'
import { killSenders } from '../service/deliveries/kill-senders.ts'
import { seen, type SeenRequest } from '../service/deliveries/requests.ts'
import { kill, startSender } from '../service/deliveries/start-sender.ts'
import { type BenchStore, benchStore } from './webhooks/bench-store.ts'
import { fillDeliveries } from './webhooks/fill-deliveries.ts'
import { readOption } from './webhooks/read-option.ts'

const KILLS = 50
const CONCURRENCY = 64
const WEBHOOKS = 10
const MINUTES = Number(readOption('minutes') ?? 10)
const engines = (readOption('store')?.split(',') ?? ['sqlite', 'postgres']) as readonly Engine[]

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function check(isTrue: boolean, what: string): void {
  if (isTrue) return
  print(`  FAILED: ${what}`)
  process.exitCode = 1
}

/** A receiver of which one request in fifty fails, is cut off or takes its time. */
async function startReceiver(requests: SeenRequest[]): Promise<string> {
  const server = createServer((request, response) => {
    requests.push(seen(request))
    const chance = Math.random() * 50
    if (chance < 0.4) response.writeHead(500).end()
    else if (chance < 0.7) request.socket.resetAndDestroy()
    else setTimeout(() => response.end(), chance < 1 ? 200 : 5)
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function fill({ world }: BenchStore, events: number, name: string): Promise<number> {
  await fillDeliveries(world, { events, inMs: 0, name })
  return events * WEBHOOKS
}

/** Kills one process after the other while they send. */
async function soakKills(bench: BenchStore, requests: SeenRequest[], until: number): Promise<void> {
  requests.length = 0
  const deliveries = await fill(bench, 2000, 'kill')
  const settings = { place: bench.place, requests, concurrency: CONCURRENCY, kills: KILLS, deliveries, until }
  const report = await killSenders(bench.world, settings)
  print(`  ${report.killed} kills, ${deliveries} deliveries: ${JSON.stringify(report)}`)
  check(report.lost === 0 && report.unnoted === 0, 'nothing is lost, and every request is noted')
  check(report.repeated <= report.killed * CONCURRENCY + report.failed, 'only what was under way is repeated')
}

/** Three processes, of which one at a time is frozen for longer than a lease. */
async function soakFreezes(bench: BenchStore, requests: SeenRequest[], round: number): Promise<void> {
  requests.length = 0
  const before = (await countStates(bench.world))['delivered'] ?? 0
  const deliveries = await fill(bench, 500, `freeze${round}`)
  const settings = { attemptMs: 400, leaseMs: 700, reclaimMs: 50, pollMs: 20, concurrency: CONCURRENCY }
  const children = await Promise.all([1, 2, 3].map(() => startSender(bench.place, settings)))
  let frozen = 0
  while (((await countStates(bench.world))['delivered'] ?? 0) < before + deliveries) {
    const child = children[frozen % children.length]
    // One that holds the lock of the file would hold all others up: that is no fault of deliveries.
    if (bench.world.store.engine === 'postgres') {
      child?.kill('SIGSTOP')
      frozen += 1
    }
    await pause(1000)
    child?.kill('SIGCONT')
    await pause(100)
  }
  await Promise.all(children.map(kill))
  const events = new Set(requests.map(({ delivery }) => delivery))
  const noted = new Set((await attemptsOf(bench.world)).map((row) => `${row.delivery_id} ${row.number}`))
  const unnoted = requests.filter(({ attempt, delivery }) => !noted.has(`${delivery} ${attempt}`)).length
  print(
    `  3 processes, ${frozen} freezes, ${deliveries} deliveries: ${requests.length} requests, ${unnoted} unnoted`,
  )
  check(events.size === deliveries && unnoted === 0, 'nothing is lost, and every request is noted')
}

async function soak(engine: Engine): Promise<void> {
  print(`${engine}:`)
  const bench = await benchStore(engine)
  const requests: SeenRequest[] = []
  const start = performance.now()
  try {
    const url = await startReceiver(requests)
    for (let index = 0; index < WEBHOOKS; index++) await addWebhook(bench.world, `${url}/${index}`)
    const share = (MINUTES * 60_000) / engines.length
    await soakKills(bench, requests, start + share / 2)
    for (let round = 0; round === 0 || performance.now() - start < share; round++)
      await soakFreezes(bench, requests, round)
    print(
      `  ${((performance.now() - start) / 1000).toFixed(0)} s, ${JSON.stringify(await countStates(bench.world))}`,
    )
  } finally {
    await bench.remove()
  }
}

for (const engine of engines) await soak(engine)
