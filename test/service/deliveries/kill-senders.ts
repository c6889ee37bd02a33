import { setTimeout as pause } from 'node:timers/promises'
import type { StorePlace } from '../each-store.ts'
import { attemptsOf, countStates, type DeliveryWorld } from './delivery-world.ts'
import type { Requests } from './requests.ts'
import { kill, startSender } from './start-sender.ts'

export interface KillOptions {
  readonly place: StorePlace
  readonly requests: Requests
  /** How many processes are killed before one is left to finish. */
  readonly kills: number
  readonly concurrency: number
  /** No process is killed after this, by `performance.now()`. @default never */
  readonly until?: number
  /** How many deliveries there are. */
  readonly deliveries: number
}

export interface KillReport {
  readonly killed: number
  readonly requests: number
  /** Deliveries that never arrived. */
  readonly lost: number
  /** Requests beyond the first of each delivery. */
  readonly repeated: number
  /** Attempts that failed, and so were followed by another one. */
  readonly failed: number
  /** Requests of which no attempt is noted. */
  readonly unnoted: number
}

/** Sends all deliveries by processes that are killed at random moments, and counts what the receiver got. */
export async function killSenders(world: DeliveryWorld, options: KillOptions): Promise<KillReport> {
  const { concurrency, deliveries, kills, place, requests, until = Infinity } = options
  const settings = { concurrency, attemptMs: 2000, leaseMs: 2300, reclaimMs: 50, pollMs: 20 }
  let killed = 0
  const isDone = async (): Promise<boolean> => (await countStates(world))['delivered'] === deliveries
  while (killed < kills && performance.now() < until && !(await isDone())) {
    const child = await startSender(place, settings)
    await pause(Math.random() * 250)
    await kill(child)
    killed += 1
  }
  const last = await startSender(place, settings)
  while (!(await isDone())) await pause(50)
  await kill(last)
  const attempts = await attemptsOf(world)
  const noted = new Set(attempts.map((row) => `${row.delivery_id} ${row.number}`))
  const arrived = new Set(requests.map(({ delivery }) => delivery))
  return {
    killed,
    requests: requests.length,
    lost: deliveries - arrived.size,
    repeated: requests.length - arrived.size,
    failed: attempts.filter(({ outcome }) => outcome === 'failed').length,
    unnoted: requests.filter(({ attempt, delivery }) => !noted.has(`${delivery} ${attempt}`)).length,
  }
}
