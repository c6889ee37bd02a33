import { CompiledQuery, type Kysely, type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import { expect, test } from 'vitest'
import { createClaimer } from '../../../packages/service/src/delivery/claim/create-claimer.ts'
import { reclaim } from '../../../packages/service/src/delivery/run-deliveries.ts'
import { writeOutcomes } from '../../../packages/service/src/delivery/outcomes/write-outcomes.ts'
import type { Database } from '../../../packages/service/src/store/schema.ts'
import type { Store } from '../../../packages/service/src/store/store.ts'
import { fillDeliveries } from '../../bench/webhooks/fill-deliveries.ts'
import { addWebhook, type DeliveryWorld } from './delivery-world.ts'
import { describeDeliveries, QUICK } from './describe-deliveries.ts'

interface Recorded {
  readonly store: Store
  readonly nodes: RootOperationNode[]
}

/** The store, and what is asked of it. */
function recorded(store: Store): Recorded {
  const nodes: RootOperationNode[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node)
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  return {
    nodes,
    store: {
      ...store,
      db: store.db.withPlugin(plugin),
      transaction: (work) => store.transaction((transaction) => work(transaction.withPlugin(plugin))),
    },
  }
}

/** How the database would do it: a line for each step. */
async function explain(db: Kysely<Database>, node: RootOperationNode, how: string): Promise<string> {
  const compiled = db.getExecutor().compileQuery(node, { queryId: 'explained' })
  const { rows } = await db.executeQuery(
    CompiledQuery.raw(`${how} ${compiled.sql}`, [...compiled.parameters]),
  )
  return rows.map((row) => JSON.stringify(row)).join('\n')
}

async function park(world: DeliveryWorld): Promise<void> {
  for (let index = 0; index < 3; index++) {
    await addWebhook(world, `http://127.0.0.1:1024/${index}`, { change: { window_size: 30 } })
  }
  await fillDeliveries(world, { events: 20_000, inMs: 86_400_000, name: 'parked' })
  await fillDeliveries(world, { events: 100, inMs: 0, name: 'due' })
  await sql`
    insert into attempts (delivery_id, number, started_at, outcome)
    select id, 1, 1, 'failed' from deliveries where attempts = 0 and id like 'dlv\\_parked%' escape '\\'`.execute(
    world.store.db,
  )
  await sql`analyze`.execute(world.store.db)
}

await describeDeliveries('with many retries parked', ({ engine, world }) => {
  test('what is asked for each delivery reads by an index', async () => {
    const service = await world()
    await park(service)
    const { nodes, store } = recorded(service.store)
    const claimer = createClaimer(store, { worker: 'test', leaseMs: 25_000 })
    // 300 are due, which is less than is looked at; then 600, which is more.
    expect((await claimer.claim(10)).deliveries).toHaveLength(10)
    await fillDeliveries(service, { events: 100, inMs: 0, name: 'more' })
    await fillDeliveries(service, { events: 100, inMs: 0, name: 'most' })
    const { deliveries } = await claimer.claim(64)
    expect(deliveries).toHaveLength(64)
    const result = { outcome: 'failed', status: 500, failure: 'status', durationMs: 1 } as const
    const sent = deliveries.map((delivery) => ({ delivery, result, endedAt: 1 }))
    await writeOutcomes(store, sent, { rules: QUICK, random: Math.random })
    await reclaim(store)
    expect(nodes.length).toBeGreaterThan(12)
    const how = engine === 'postgres' ? 'explain' : 'explain query plan'
    for (const node of nodes) {
      const plan = await explain(service.store.db, node, how)
      const scans = plan.match(
        /Seq Scan on (?:deliveries|events|attempts)\b|SCAN (?:deliveries|events|attempts)\b(?! USING)/g,
      )
      expect(scans, plan).toBeNull()
    }
  })
})
