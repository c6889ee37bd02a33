import {
  deliveryDepth,
  jobDepth,
  type DeliveryFact,
  type DeliveryMetrics,
  type ServiceContext,
} from '@stagecraft/service'
import type { createApp } from '@stagecraft/http'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** The counters of a process, for Prometheus. */
export interface Metrics {
  readonly deliveries: DeliveryMetrics
  /** Counts the responses of an app. */
  observe(app: ReturnType<typeof createApp>): void
  /** Returns the text of `GET /metrics`. */
  print(): Promise<string>
}

/** Seconds, from a response from memory to a generation with a language model. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Seconds, from a nearby receiver to one that was unavailable for a day. */
const DELIVERY_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300, 3600, 86_400]

export function createMetrics(context: Pick<ServiceContext, 'store'>): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'stagecraft_http_request_seconds',
    help: 'Response time, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
    registers,
  })
  addDepth(context, registers)
  return {
    deliveries: deliveryMetrics(registers),
    observe(app) {
      app.addHook('onResponse', (request, reply, done) => {
        // The route, not the address, which the caller chooses.
        const route = request.routeOptions.url ?? 'none'
        requests.observe(
          { method: request.method, route, status: reply.statusCode },
          reply.elapsedTime / 1000,
        )
        done()
      })
    },
    print: () => registry.metrics(),
  }
}

function deliveryMetrics(registers: Registry[]): DeliveryMetrics {
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name: `stagecraft_webhook_${name}_total`, help, labelNames, registers })
  const attempts = counter('attempts', 'Attempts, by result', ['outcome', 'code'])
  const reclaimed = counter('reclaimed', 'Deliveries with an expired lease')
  const events = counter('facts', 'Events of endpoints and deliveries', ['kind'])
  const latency = new Histogram({
    name: 'stagecraft_webhook_delivery_seconds',
    help: 'From the event to the response of the receiver',
    buckets: DELIVERY_BUCKETS,
    registers,
  })
  const inFlight = new Gauge({
    name: 'stagecraft_webhook_in_flight',
    help: 'Deliveries leased by this process',
    registers,
  })
  return {
    record(fact: DeliveryFact) {
      if (fact.kind === 'attempt') attempts.inc({ outcome: fact.outcome, code: fact.code })
      else if (fact.kind === 'delivered') latency.observe(fact.latencyMs / 1000)
      else if (fact.kind === 'reclaimed') reclaimed.inc(fact.deliveries)
      else if (fact.kind === 'in_flight') inFlight.set(fact.deliveries)
      else events.inc({ kind: fact.kind })
    },
  }
}

/** The time for which counts of large tables are reused. */
const DEPTH_MS = 5000

/** Adds the backlog over all processes. All gauges of one request share one count. */
function addDepth({ store }: Pick<ServiceContext, 'store'>, registers: Registry[]): void {
  let counted: Promise<void> | undefined
  let countedAt = Number.NEGATIVE_INFINITY
  const collect = (): Promise<void> => {
    if (counted === undefined || performance.now() - countedAt > DEPTH_MS) {
      countedAt = performance.now()
      counted = count()
    }
    return counted
  }
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `stagecraft_${name}`, help, labelNames, registers, collect })
  const waiting = gauge('webhook_waiting', 'Waiting deliveries: due now, or scheduled for later', ['state'])
  const oldest = gauge('webhook_oldest_due_seconds', 'Age of the oldest due delivery')
  const jobs = gauge('jobs', 'Jobs that have not ended', ['kind', 'state'])
  const oldestJob = gauge('job_oldest_due_seconds', 'Age of the oldest due job', ['kind'])
  const count = async (): Promise<void> => {
    const [{ due, oldestDueMs, parked }, depths] = await Promise.all([deliveryDepth(store), jobDepth(store)])
    waiting.set({ state: 'due' }, due)
    waiting.set({ state: 'parked' }, parked)
    oldest.set(oldestDueMs / 1000)
    for (const { table, ...depth } of depths) {
      jobs.set({ kind: table, state: 'queued' }, depth.queued)
      jobs.set({ kind: table, state: 'running' }, depth.running)
      oldestJob.set({ kind: table }, depth.oldestDueMs / 1000)
    }
  }
}
