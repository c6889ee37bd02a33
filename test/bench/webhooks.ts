// Prints how fast webhooks go out: how many a second one process sends of a backlog, and how long an event takes to its
// receiver at 200 events/s, on both stores, without and with a million retries that wait for their time. The sender, the
// receiver and this are processes of their own. Run: pnpm bench:webhooks [--parked=1000000]
// [--store=sqlite,postgres]
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Engine } from '../../packages/service/src/store/store.ts'
import { repositoryPath } from '../paths.ts'
import { addWebhook, countStates } from '../service/deliveries/delivery-world.ts'
import { type BenchStore, benchStore } from './webhooks/bench-store.ts'
import { fillDeliveries } from './webhooks/fill-deliveries.ts'
import { readOption } from './webhooks/read-option.ts'

const WEBHOOKS = 20
const BACKLOG_EVENTS = 1000
const PER_SECOND = 200
const SECONDS = 20
const PARKED = Number(readOption('parked') ?? 1_000_000)
const engines = (readOption('store')?.split(',') ?? ['sqlite', 'postgres']) as readonly Engine[]

interface SenderReport {
  readonly cpu: NodeJS.CpuUsage
  readonly log: readonly object[]
}

function start(file: string, ...parameters: readonly string[]): ChildProcess {
  return fork(repositoryPath(`test/bench/webhooks/${file}`), parameters, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

async function answer<Message>(child: ChildProcess, order?: object): Promise<Message> {
  const message = once(child, 'message')
  if (order !== undefined) child.send(order)
  return (await message)[0] as Message
}

function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Until nothing is due and nothing is under way. */
async function drained({ world }: BenchStore): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ left: number }>`
      select count(*) as left from (select 1 from deliveries where state = 'sending'
        union all select 1 from deliveries where state = 'pending' and next_at <= (select ${world.store.nowMs()}) limit 1) as waiting`.execute(
      world.store.db,
    )
    if (rows[0]?.left === 0) return
    await pause(20)
  }
}

async function measureDrain(bench: BenchStore, receiver: ChildProcess, name: string): Promise<void> {
  await fillDeliveries(bench.world, { events: BACKLOG_EVENTS, inMs: 0, name })
  const sender = start('sender.ts', JSON.stringify(bench.place))
  await once(sender, 'message')
  const before = performance.now()
  await answer(sender, { kind: 'send' })
  await drained(bench)
  const seconds = (performance.now() - before) / 1000
  const received = await answer<readonly number[]>(receiver, {})
  print(
    `  drain: ${(received.length / seconds).toFixed(0)} deliveries/s (${received.length} in ${seconds.toFixed(1)} s)`,
  )
  const { cpu, log } = await answer<SenderReport>(sender, { kind: 'read' })
  const microseconds = (cpu.user + cpu.system) / received.length
  print(`  sender: ${microseconds.toFixed(0)} µs CPU per delivery; ${log.length} lines logged`)
  sender.disconnect()
  await once(sender, 'exit')
}

async function measureLatency(bench: BenchStore, receiver: ChildProcess): Promise<void> {
  const sender = start('sender.ts', JSON.stringify(bench.place))
  await once(sender, 'message')
  await answer(sender, { kind: 'send' })
  await answer(sender, { kind: 'publish', perSecond: PER_SECOND, seconds: 2 })
  await drained(bench)
  await answer(receiver, {})
  await answer(sender, { kind: 'publish', perSecond: PER_SECOND, seconds: SECONDS })
  await drained(bench)
  const sorted = (await answer<number[]>(receiver, {})).toSorted((a, b) => a - b)
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((part) => percentile(sorted, part))
  print(
    `  event to receipt at ${PER_SECOND}/s: p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms (${sorted.length} events)`,
  )
  sender.disconnect()
  await once(sender, 'exit')
}

async function measure(engine: Engine): Promise<void> {
  const bench = await benchStore(engine)
  const receiver = start('receiver.ts')
  try {
    const [port] = (await once(receiver, 'message')) as [number]
    for (let index = 0; index < WEBHOOKS; index++) {
      // Only one gets what is published: 200 events are 200 deliveries.
      const change = index === 0 ? {} : { events: '["unit.created"]' }
      await addWebhook(bench.world, `http://127.0.0.1:${port}/${index}`, { change })
    }
    print(`${engine}, nothing parked:`)
    await measureDrain(bench, receiver, 'a')
    await measureLatency(bench, receiver)
    if (PARKED === 0) return
    const start = performance.now()
    await fillDeliveries(bench.world, { events: PARKED / WEBHOOKS, inMs: 86_400_000, name: 'p' })
    if (engine === 'postgres') await sql`analyze`.execute(bench.world.store.db)
    print(`${engine}, ${PARKED} parked (written in ${((performance.now() - start) / 1000).toFixed(0)} s):`)
    await measureDrain(bench, receiver, 'b')
    await measureLatency(bench, receiver)
    print(`  ${JSON.stringify(await countStates(bench.world))}`)
  } finally {
    receiver.disconnect()
    await bench.remove()
  }
}

for (const engine of engines) await measure(engine)
