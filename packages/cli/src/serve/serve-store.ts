import {
  addConnection,
  checkStore,
  closeContext,
  createHandlers,
  createSignInCode,
  ensureFirstProject,
  type ServiceContext,
  serviceMcp,
  startWork,
  storedEngine,
  storedIdempotency,
  storedKeys,
  storedRateLimiter,
  storedSessions,
} from '@stagecraft/service'
import { openDashboard } from '@stagecraft/dashboard'
import { createApp, memoryRateLimiter } from '@stagecraft/http'
import { keepOutOfGit } from '../backend/keep-out-of-git.ts'
import type { ServeFlags, ServeSettings } from './serve-flags.ts'
import { openServiceContext } from './open-service-context.ts'
import { readServiceSettings, type ServiceSettings } from './service-settings.ts'
import { readVersion } from '../read-version.ts'
import { createLogger } from './create-logger.ts'
import { listen } from './listen.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { endSoon, stopGracefully, stopSignal } from './stop.ts'
import { allowHeapGrowth } from './heap-limits.ts'
import { type LlmOptions, StagecraftError } from '@stagecraft/spec'
import { type BackendFlags, chooseBackend } from '../backend/choose-backend.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Serves everything over a store until stopped. */
export async function serveStore(flags: ServeFlags, settings: ServeSettings): Promise<void> {
  const role = flags.role ?? 'all'
  const logger = createLogger(flags.logLevel)
  const service = readServiceSettings(flags, process.env)
  const context = await openServiceContext(service, { logger, llm: await openServiceLlm(flags) })
  try {
    if ('file' in service.store) await keepOutOfGit(service.folder)
    const metrics = createMetrics(context)
    await prepareFirstProject(service, context, showKey)
    const apps = createApps({ context, logger, metrics, role, service, settings, flags })
    await run({ apps, context, logger, metrics, role, settings })
  } finally {
    await closeContext(context)
  }
  endSoon()
}

interface Running extends Omit<AppsSetup, 'service' | 'flags'> {
  readonly apps: ReturnType<typeof createApps>
}

/** Listens and runs the background work until stopped. If the start fails, nothing listens. */
async function run({ apps, context, logger, metrics, role, settings: { host } }: Running): Promise<void> {
  const all = apps.map(({ app }) => app)
  const stop = stopSignal()
  try {
    const addresses: string[] = []
    for (const { app, port } of apps) addresses.push(await listen(app, { host, port }))
    allowHeapGrowth()
    const work = role === 'api' ? undefined : startWork(context, metrics.deliveries)
    printAddresses({ role, addresses })
    await showSignIn(context, all.find(hasDashboard) && addresses.at(-1))
    logger.info(`stopping after ${await stop.signal}`)
    await stopGracefully(all, work ? [() => work.stop()] : [])
    await stop.settled
  } catch (error) {
    await Promise.all(all.map((app) => app.close()))
    throw error
  }
}

/** The limit of sign-ins for one address, over all processes. */
const SIGN_INS = { requests: 30, seconds: 60 }

/** The time that a response may take beyond its generation. */
const LOCK_SLACK = 300_000

interface AppsSetup {
  readonly logger: ReturnType<typeof createLogger>
  readonly context: ServiceContext
  readonly metrics: Metrics
  readonly role: 'api' | 'worker' | 'all'
  readonly service: ServiceSettings
  readonly settings: ServeSettings
  readonly flags: Pick<ServeFlags, 'dashboard'>
}

/** Creates one app for both base addresses, or one each. A worker serves only health checks. */
function createApps({ context, flags, logger, metrics, role, service, settings }: AppsSetup) {
  const { apiPort, deadlineMs, port, requests } = settings
  const isShared = 'url' in service.store
  const makeRate = (policy: { readonly requests: number; readonly seconds: number }) =>
    isShared ? storedRateLimiter(context, policy) : memoryRateLimiter(policy)
  const common = {
    engine: storedEngine(context),
    keys: storedKeys(context),
    api: {
      handlers: createHandlers(context),
      idempotency: storedIdempotency(context, { lockMs: deadlineMs + LOCK_SLACK }),
      sessions: storedSessions(context),
      ...(isShared && { signIns: storedRateLimiter(context, SIGN_INS) }),
    },
    limits: { deadlineMs, ...(requests > 0 && { rate: makeRate({ requests, seconds: 60 }) }) },
    ...(flags.dashboard && { dashboard: openDashboard() }),
    mcp: serviceMcp(context, { version: readVersion() }),
    logger,
    ready: () => checkStore(context.store),
    metrics: () => metrics.print(),
  }
  const app = (serve: 'all' | 'generate' | 'api' | 'none') => {
    const made = createApp({ ...common, serve })
    metrics.observe(made)
    return made
  }
  if (role === 'worker') return [{ app: app('none'), port }]
  if (apiPort === undefined) return [{ app: app('all'), port }]
  return [
    { app: app('generate'), port },
    { app: app('api'), port: apiPort },
  ]
}

interface Addresses {
  readonly addresses: readonly string[]
  readonly role: 'api' | 'worker' | 'all'
}

/** Prints to standard output, apart from the logs, which other people keep and read. */
function showKey(key: string): void {
  process.stdout.write(`Admin key of the first project, shown this once: ${key}\n`)
}

/** Returns true if an app serves the pages of the dashboard. */
function hasDashboard(app: ReturnType<typeof createApp>): boolean {
  return app.hasRoute({ method: 'GET', url: '/app/' })
}

/** Returns the link for the very first sign-in to a service on this machine; its code is valid once. */
async function showSignIn(context: ServiceContext, address: string | undefined): Promise<void> {
  if (address === undefined || context.store.engine === 'postgres') return
  const code = await createSignInCode(context)
  const fragment = code === undefined ? '' : `sign-in#code=${code}`
  process.stdout.write(`Dashboard ${address}/app/${fragment}\n`)
}

function printAddresses({ addresses: [first = '', second = first], role }: Addresses): void {
  if (role === 'worker') process.stdout.write(`worker, ${first}/healthz\n`)
  else
    process.stdout.write(
      `POST ${first}/generate\nAPI ${second}/v1\nAPI docs ${second}/docs\nMCP ${second}/mcp\n`,
    )
}

/**
 * Opens the language model that flags name for all projects; undefined to use rules only. There is no shared
 * configuration file.
 */
async function openServiceLlm(flags: BackendFlags): Promise<LlmOptions | undefined> {
  const { backend, settings } = chooseBackend(flags, undefined)
  if (!backend) return undefined
  const { openBackend } = await import('../backend/open-backend.ts')
  const options = { folder: '.', refresh: flags.refresh ?? false, environment: process.env }
  return { ...settings, backend: await openBackend(backend, options) }
}

/**
 * Gives an empty store its first project, with the demo warehouse if local files are allowed and DuckDB is installed.
 *
 * @param showKey Receives the key of that project, unless the operator chose it. Called at once, because later steps
 * can fail, and the key is stored nowhere else.
 */
async function prepareFirstProject(
  { adminKey, allowLocalFiles, folder }: ServiceSettings,
  context: ServiceContext,
  showKey: (key: string) => void,
): Promise<void> {
  const first = await ensureFirstProject({ name: 'First project', key: adminKey }, context)
  if (!first) return
  const { key, project } = first
  if (adminKey === undefined) showKey(key.secret)
  const warehouse = join(folder, 'demo.duckdb')
  if (!allowLocalFiles || !(await hasDemo(warehouse, context))) return
  await addConnection(
    { projectId: project.id, name: 'demo warehouse', catalog: `duckdb:${warehouse}` },
    context,
  )
}

/** Builds the demo warehouse unless it exists. Without its driver, the service works without it. */
async function hasDemo(warehouse: string, { logger }: ServiceContext): Promise<boolean> {
  if (existsSync(warehouse)) return true
  const { buildWarehouse } = await import('@stagecraft/demo')
  try {
    await buildWarehouse(warehouse)
    return true
  } catch (error) {
    if (!(error instanceof StagecraftError)) throw error
    logger.warn({}, `no demo warehouse: ${error.message}`)
    return false
  }
}
