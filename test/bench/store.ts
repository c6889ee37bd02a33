// How fast the store is on either engine: `npm run -s bench:store`.
import { type StoreOf, openStoreOf } from '../service/each-store.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { claimJobs, UNCLAIMED, updateClaimed } from '../../packages/service/src/store/claims.ts'
import { TEST_MIGRATIONS, type TestDatabase, asStore } from '../service/store-schema.ts'
import { postgresServer } from '../servers.ts'

const ROUNDS = 3
const TRANSACTIONS = 1500
const JOBS = 5000
const BACKLOG = 100_000
const text = 'x'.repeat(300)

async function rate(count: number, work: () => Promise<unknown>): Promise<string> {
  const [start, processor] = [performance.now(), process.cpuUsage()]
  await work()
  const seconds = (performance.now() - start) / 1000
  const { system, user } = process.cpuUsage(processor)
  return `${Math.round(count / seconds)}/s (${Math.round((user + system) / count)} µs CPU)`
}

function insert(store: StoreOf<TestDatabase>, id: string): Promise<void> {
  return store.transaction(async (transaction) => {
    await transaction.insertInto('notes').values({ id, created_at: 1, body: text }).execute()
    await transaction.insertInto('note_tags').values({ note_id: id, tag: text }).execute()
  })
}

async function insertAll(store: StoreOf<TestDatabase>, prefix: string, lanes: number): Promise<void> {
  const lane = async (number: number): Promise<void> => {
    for (let index = number; index < TRANSACTIONS; index += lanes) await insert(store, `${prefix}_${index}`)
  }
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)))
}

async function addJobs(store: StoreOf<TestDatabase>, prefix: string, count: number): Promise<void> {
  for (let start = 0; start < count; start += 1000) {
    const jobs = Array.from({ length: Math.min(1000, count - start) }, (_, index) => ({
      id: `${prefix}_${start + index}`,
      state: 'queued',
      due_at: start + index,
      attempts: 0,
    }))
    await store.db.insertInto('scans').values(jobs).execute()
  }
}

/** Claims in batches of 50 and settles each batch with one statement. */
async function drain(store: StoreOf<TestDatabase>, most: number): Promise<void> {
  for (let total = 0; total < most;) {
    const rows = await claimJobs(asStore(store), {
      table: 'scans',
      worker: 'bench',
      limit: 50,
      leaseMs: 60_000,
    })
    const leaseOwner = rows[0]?.lease_owner
    if (typeof leaseOwner !== 'string') return
    const ids = rows.map(({ id }) => id)
    const claim = { table: 'scans', ids, leaseOwner } as const
    await updateClaimed(asStore(store).db, claim, { state: 'done', ...UNCLAIMED })
    total += rows.length
  }
}

async function measure(store: StoreOf<TestDatabase>): Promise<void> {
  const print = (what: string, figure: string): void =>
    console.log(`${store.engine.padEnd(9)} ${what.padEnd(44)} ${figure}`)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const lanes of [1, 8]) {
      const figure = await rate(TRANSACTIONS, () => insertAll(store, `r${round}_${lanes}`, lanes))
      print(`transactions of two rows of 300 B, ${lanes} at once`, figure)
    }
    await addJobs(store, `r${round}`, JOBS)
    print('claim 50 and settle 50, rows', await rate(JOBS, () => drain(store, JOBS)))
  }
  await addJobs(store, 'backlog', BACKLOG)
  print(`the same, ${BACKLOG} rows waiting`, await rate(JOBS, () => drain(store, JOBS)))
}

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-bench-'))
const sqlite = await openStoreOf<TestDatabase>({
  file: join(folder, 'bench.db'),
  migrations: TEST_MIGRATIONS,
})
await measure(sqlite)
await sqlite.close()
rmSync(folder, { recursive: true })

const { url } = await postgresServer()
const schema = `bench_${process.pid}`
const postgres = await openStoreOf<TestDatabase>({ url, schema, migrations: TEST_MIGRATIONS })
await measure(postgres)
await postgres.close()
const client = new pg.Client({ connectionString: url })
await client.connect()
await client.query(`drop schema ${schema} cascade`)
await client.end()
