import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ApiHandlers, Caller } from '@stagecraft/spec/api'
import { onTestFinished } from 'vitest'
import { connectionHandlers } from '../../packages/service/src/connections/connection-handlers.ts'
import type { ServiceContext, ServiceSettings } from '../../packages/service/src/context.ts'
import { generationHandlers } from '../../packages/service/src/generations/generation-handlers.ts'
import { storedEngine, type StoredEngine } from '../../packages/service/src/generations/stored-engine.ts'
import { runJobs } from '../../packages/service/src/jobs/run-jobs.ts'
import type { RunJobsOptions } from '../../packages/service/src/jobs/run-jobs.ts'
import { projectHandlers } from '../../packages/service/src/projects/project-handlers.ts'
import { pushHandlers } from '../../packages/service/src/pushes/pushes.ts'
import { scanHandlers } from '../../packages/service/src/scans/scan-handlers.ts'
import { unitHandlers } from '../../packages/service/src/units/unit-handlers.ts'
import type { OpenStore } from './each-store.ts'
import { jobsOf } from './jobs-of.ts'
import { addProject, callOf, openTestContext } from './open-test-context.ts'

const TABLES = `
  create table customers (id integer primary key, email text not null, created_at timestamp);
  create table orders (
    id integer primary key, customer_id integer not null references customers (id), total numeric(10, 2));
  create table payments (id integer primary key, order_id integer references orders (id), amount_cents integer);`

/** A folder that is gone after the test. */
export function makeTestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-shop-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** A warehouse of three tables that refer to each other; `more` has tables beside them. */
export function makeWarehouse(more = ''): string {
  const file = join(makeTestFolder(), 'warehouse.db')
  const database = new DatabaseSync(file)
  database.exec(TABLES + more)
  database.close()
  return file
}

type ShopHandlers = Pick<
  ApiHandlers,
  | keyof ReturnType<typeof unitHandlers>
  | keyof ReturnType<typeof generationHandlers>
  | keyof ReturnType<typeof pushHandlers>
  | keyof ReturnType<typeof projectHandlers>
  | keyof ReturnType<typeof scanHandlers>
>

/** A project with a connection to a warehouse, and all that is done with it. */
export interface Shop {
  readonly context: ServiceContext
  readonly caller: Caller
  readonly handlers: ShopHandlers
  readonly engine: StoredEngine
  readonly warehouse: string
  /** What `POST /generate` does. */
  readonly generate: (source: string, more?: object) => ReturnType<StoredEngine['generate']>
  readonly addUnit: (source: string, more?: object) => Promise<string>
  /** Kind and data of the events of the project so far. */
  readonly events: () => Promise<
    readonly { readonly event: string; readonly data: Readonly<Record<string, unknown>> }[]
  >
  /** Does jobs until the test is over. */
  readonly work: (options?: RunJobsOptions) => void
}

function handlersOf(context: ServiceContext): ShopHandlers {
  return {
    ...unitHandlers(context),
    ...generationHandlers(context),
    ...pushHandlers(context),
    ...projectHandlers(context),
    ...scanHandlers(context),
  }
}

export async function openShop(
  open: OpenStore,
  {
    settings = {},
    warehouse = makeWarehouse(),
  }: { readonly settings?: Partial<ServiceSettings>; readonly warehouse?: string } = {},
): Promise<Shop> {
  const context = openTestContext(await open(), { settings })
  onTestFinished(() => context.catalogs.close())
  onTestFinished(() => context.projects.close())
  const caller = await addProject(context)
  await connectionHandlers(context).createConnection(
    callOf(caller, { body: { name: 'warehouse', catalog: `sqlite:${warehouse}` } }),
  )
  const handlers = handlersOf(context)
  const engine = storedEngine(context)
  return {
    context,
    caller,
    handlers,
    engine,
    warehouse,
    generate: (source, more = {}) =>
      engine.generate({ type: 'staging', source, ...more }, { caller, requestId: 'req_test' }),
    async addUnit(source, more = {}) {
      const { data } = await handlers.createUnit(
        callOf(caller, { body: { type: 'staging', source, ...more } }),
      )
      return data.id
    },
    events: () => readEvents(context),
    work(options = {}) {
      const jobs = runJobs(context, jobsOf(context), { pollMs: 20, ...options })
      onTestFinished(() => jobs.stop())
    },
  }
}

async function readEvents({ store }: ServiceContext) {
  const rows = await store.db.selectFrom('events').select('payload').orderBy('id').execute()
  return rows.map(({ payload }) => JSON.parse(payload) as Awaited<ReturnType<Shop['events']>>[number])
}
