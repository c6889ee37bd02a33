// Counts the source files that one operation executes: `npm run -s pn -- bench:files`, with `-- --list` for their names.
// With `-- --json` they are printed as JSON, by operation.
import { systemClock, timeSortedIds } from '@stagecraft/spec'
import { mkdtempSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createApp, createKey, memoryRateLimiter } from '@stagecraft/http'
import {
  addConnection,
  closeContext,
  createHandlers,
  ensureFirstProject,
  openContext,
  startWork,
  storedEngine,
  storedIdempotency,
  storedKeys,
} from '../../packages/service/src/index.ts'
import { DatabaseSync } from 'node:sqlite'

const SOURCE = /\/packages\/([\w-]+)\/src\/(?!.*\.test\.ts$)(.+\.ts)$/
const folder = mkdtempSync(join(tmpdir(), 'stagecraft-files-'))
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

const warehouse = join(folder, 'warehouse.db')
const database = new DatabaseSync(warehouse)
database.exec(`create table customers (id integer primary key, email text not null);
  create table orders (id integer primary key, customer_id integer references customers (id), total numeric(10, 2));`)
database.close()

const context = await openContext({
  store: { file: join(folder, 'stagecraft.db') },
  secretKeys: [new Uint8Array(32).fill(7)],
  folder,
  ids: timeSortedIds(systemClock),
  clock: systemClock,
  logger: quiet,
  newKey: () => createKey({ environment: 'test' }),
  allowLocalFiles: true,
})
const first = await ensureFirstProject({ name: 'Files' }, context)
if (!first) throw new TypeError('expected an empty store')
const { key, project } = first
await addConnection({ projectId: project.id, name: 'warehouse', catalog: `sqlite:${warehouse}` }, context)
const app = createApp({
  engine: storedEngine(context),
  keys: storedKeys(context),
  api: { handlers: createHandlers(context), idempotency: storedIdempotency(context) },
  limits: { rate: memoryRateLimiter({ requests: 1000, seconds: 60 }) },
})
const work = startWork(context, { record: () => {} })
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

async function call(method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${key.secret}` }
  const reply = await app.inject({ method, url, headers, ...(payload && { payload }) })
  if (reply.statusCode >= 300) throw new Error(`${method} ${url}: ${reply.statusCode} ${reply.body}`)
  return reply.json<{ readonly data: unknown }>().data
}

/** Returns the files of which a function ran since the last call. */
async function takeFiles(): Promise<ReadonlySet<string>> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const files = result.filter(({ functions }) =>
    functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
  )
  return new Set(files.flatMap(({ url }) => (SOURCE.test(url) ? [fileURLToPath(url)] : [])))
}

/** Longer than the pauses of the loops that are always there: what they execute is no part of an operation. */
const IDLE_MS = 3000

async function takeIdleFiles(): Promise<ReadonlySet<string>> {
  await takeFiles()
  await pause(IDLE_MS)
  return await takeFiles()
}

/** Returns the files of an operation in its second run, without those of the loops that run before and after it. */
async function measure(run: () => Promise<unknown>): Promise<readonly string[]> {
  await run()
  const before = await takeIdleFiles()
  await run()
  const files = await takeFiles()
  const idle = new Set([...before, ...(await takeIdleFiles())])
  return [...files]
    .filter((file) => !idle.has(file))
    .map((file) => file.replace(/^.*\/packages\//, ''))
    .toSorted()
}

const figures: Record<string, readonly string[]> = {}

function print(name: string, files: readonly string[]): void {
  figures[name] = files
  if (process.argv.includes('--json')) return
  const packages = Map.groupBy(files, (file) => file.split('/')[0])
  const parts = [...packages].map(([one, { length }]) => `${one} ${length}`)
  process.stdout.write(`${name}: ${files.length} files (${parts.join(', ')})\n`)
  if (process.argv.includes('--list')) for (const file of files) process.stdout.write(`  ${file}\n`)
}

/** Long enough for what a job does after its last write. */
const AFTERWARDS_MS = 300

/** Waits for the job of a batch, with a query of its own, since a request would execute files too. */
async function finishBatch(batchId: string): Promise<void> {
  for (;;) {
    const { error, state } = await context.store.db
      .selectFrom('generations')
      .select(['error', 'state'])
      .where('id', '=', batchId)
      .executeTakeFirstOrThrow()
    if (state === 'completed') return await pause(AFTERWARDS_MS)
    if (state !== 'queued' && state !== 'running') throw new Error(`the batch has ${state}: ${error}`)
    await pause(20)
  }
}

const unitIds: string[] = []
for (const source of ['main.customers', 'main.orders']) {
  const path = `/v1/projects/${project.id}/units`
  unitIds.push(((await call('POST', path, { type: 'staging', source })) as { readonly id: string }).id)
}
const [unitId = ''] = unitIds
let name = 0
print(
  'PATCH of a unit',
  await measure(() =>
    call('PATCH', `/v1/projects/${project.id}/units/${unitId}`, { name: `orders_${(name += 1)}` }),
  ),
)
print(
  'POST /generate',
  await measure(() => call('POST', '/generate', { type: 'staging', source: 'main.orders' })),
)
print(
  'batch of two with its job',
  await measure(async () => {
    const batch = await call('POST', `/v1/projects/${project.id}/generations`, { unitIds })
    await finishBatch((batch as { readonly id: string }).id)
  }),
)
if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(figures)}\n`)

await work.stop()
await app.close()
await closeContext(context)
rmSync(folder, { recursive: true })
