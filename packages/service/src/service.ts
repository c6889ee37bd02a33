import type { Clock, Ids, LlmOptions } from '@stagecraft/spec'
import {
  checkEndpointUrl,
  DEFAULT_NETWORKS,
  type DeliveryPolicy,
  guardedNetwork,
  type Networks,
} from '@stagecraft/webhooks'
import { CatalogCache } from './catalogs/catalog-cache.ts'
import { type ServiceContext, type ServiceLogger, createWakeups } from './context.ts'
import { removeLeftovers } from './git/push-home.ts'
import { checkSecretKey } from './secrets/load-keys.ts'
import { createCipher } from './secrets/cipher.ts'
import { MIGRATIONS } from './store/migrations/index.ts'
import { openStore, type StoreOptions } from './store/open-store.ts'
import type { ApiHandlers } from '@stagecraft/spec/api'
import { analysisHandlers } from './analyses/analysis-handlers.ts'
import { activityHandlers } from './activity/activity-handlers.ts'
import { auditHandlers, pruneAuditLog, withAuditLog } from './audit/audit-log.ts'
import { pruneChanges } from './changes/read-changes.ts'
import { streamHandlers } from './changes/stream-handlers.ts'
import { connectionHandlers } from './connections/connection-handlers.ts'
import { eventHandlers } from './events/event-handlers.ts'
import { generationHandlers } from './generations/generation-handlers.ts'
import { keyHandlers } from './keys/keys.ts'
import { projectHandlers } from './projects/project-handlers.ts'
import { pushHandlers } from './pushes/pushes.ts'
import { scanHandlers } from './scans/scan-handlers.ts'
import { pruneSessions, sessionHandlers } from './sessions/sessions.ts'
import { sourceHandlers, suggestionHandlers } from './sources/source-handlers.ts'
import { messageJobs } from './talk/message-jobs.ts'
import { ProjectThreads } from './talk/project-threads.ts'
import { talkHandlers } from './talk/talk-handlers.ts'
import { unitHandlers } from './units/unit-handlers.ts'
import { webhookHandlers } from './webhooks/webhook-handlers.ts'
import { analysisJobs } from './analyses/run-analysis.ts'
import type { DeliveryMetrics } from './delivery/deliveries-options.ts'
import { runDeliveries } from './delivery/run-deliveries.ts'
import { generationJobs } from './generations/generate-batch.ts'
import { pruneGenerations } from './generations/old-generations.ts'
import { pruneIdempotency } from './idempotency/stored-idempotency.ts'
import { runJobs } from './jobs/run-jobs.ts'
import { startLoop } from './loop.ts'
import { pushJobs } from './pushes/push-jobs.ts'
import { scanJobs } from './scans/run-scan.ts'

type WithoutMigrations<Options> = Options extends unknown ? Omit<Options, 'migrations'> : never

/** The file of an embedded store, or the address of a PostgreSQL server. */
export type ServiceStoreOptions = WithoutMigrations<StoreOptions>

export interface ServiceOptions {
  /** The opened store. */
  readonly store: ServiceStoreOptions
  /** The keys that encrypt secrets, newest first; 32 bytes each. See `loadKeys`. */
  readonly secretKeys: readonly Uint8Array[]
  /** The folder for catalogs and temporary files. */
  readonly folder: string
  /** The source of ids. */
  readonly ids: Ids
  /** The source of times. */
  readonly clock: Clock
  /** Receives what the service logs, without secrets. */
  readonly logger: ServiceLogger
  /** Creates an API key. */
  readonly newKey: () => string
  /**
   * Allows files of this machine as connections and Git remotes.
   *
   * @default false
   */
  readonly allowLocalFiles?: boolean
  /** The policy for webhook targets. Default: `https:` to public addresses. */
  readonly deliveryPolicy?: DeliveryPolicy
  /**
   * The networks that connections may reach: `public`, `private`, `machine`, or ranges. With `allowLocalFiles` there is no
   * limit.
   *
   * @default ['public', 'private', 'machine']
   */
  readonly connectionNetworks?: Networks
  /** A language model for all projects. Default: the rules alone. */
  readonly llm?: LlmOptions
}

/**
 * Opens the store, migrates its tables, and checks that its secrets can be read.
 *
 * @throws {StagecraftError} CONNECTION_FAILED for a store that cannot be reached; INVALID_REQUEST for one that is newer
 * than this program, or was encrypted with a different key.
 */
export async function openContext(options: ServiceOptions): Promise<ServiceContext> {
  // Reports an invalid policy before the service listens.
  checkEndpointUrl('https://example.com', options.deliveryPolicy)
  guardedNetwork({ networks: options.connectionNetworks })
  const store = await openStore({ ...options.store, migrations: MIGRATIONS })
  try {
    const context: ServiceContext = {
      store,
      cipher: createCipher(options.secretKeys),
      ids: options.ids,
      clock: options.clock,
      logger: options.logger,
      newKey: options.newKey,
      wakeups: createWakeups(),
      catalogs: new CatalogCache({ logger: options.logger }),
      projects: new ProjectThreads(),
      settings: {
        allowLocalFiles: options.allowLocalFiles ?? false,
        deliveryPolicy: options.deliveryPolicy ?? {},
        connectionNetworks: options.connectionNetworks ?? DEFAULT_NETWORKS,
        llm: options.llm,
        folder: options.folder,
      },
    }
    await checkSecretKey(context)
    await removeLeftovers(options.folder).catch((error: unknown) =>
      options.logger.warn({ error: String(error) }, 'could not remove the temporary files of killed pushes'),
    )
    return context
  } catch (error) {
    await store.close()
    throw error
  }
}

/** The time that catalogs in use have to close. A warehouse that hangs is not awaited. */
const CATALOGS_MS = 1000

/** Closes the catalogs, the projects and the store. */
export async function closeContext({ catalogs, projects, store }: ServiceContext): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, CATALOGS_MS).unref())
  await Promise.race([Promise.all([catalogs.close(), projects.close()]), late])
  await store.close()
}

/** Creates the handlers of the interface. */
export function createHandlers(context: ServiceContext): ApiHandlers {
  return withAuditLog(context, {
    ...projectHandlers(context),
    ...keyHandlers(context),
    ...sessionHandlers(context),
    ...connectionHandlers(context),
    ...scanHandlers(context),
    ...sourceHandlers(context),
    ...suggestionHandlers(context),
    ...unitHandlers(context),
    ...generationHandlers(context),
    ...pushHandlers(context),
    ...analysisHandlers(context),
    ...streamHandlers(context),
    ...talkHandlers(context),
    ...eventHandlers(context),
    ...webhookHandlers(context),
    ...auditHandlers(context),
    ...activityHandlers(context),
  })
}

/** The background work of a process. */
export interface Work {
  /** Stops claiming, lets short work finish, and returns the rest to the queue for other processes. */
  stop(): Promise<void>
}

const PRUNE_MS = 10 * 60_000

/** Starts running jobs and sending deliveries. */
export function startWork(context: ServiceContext, metrics: DeliveryMetrics): Work {
  const jobs = runJobs(context, [
    scanJobs(context),
    generationJobs(context),
    pushJobs(context),
    analysisJobs(context),
    messageJobs(context),
  ])
  const deliveries = runDeliveries(context, { metrics })
  const message = 'could not delete expired idempotency records, sessions and changes'
  const { logger } = context
  const prune = startLoop(() => pruneExpired(context), { logger, everyMs: PRUNE_MS, message })
  return {
    async stop() {
      await Promise.all([prune.stop(), jobs.stop(), deliveries.stop()])
    },
  }
}

async function pruneExpired(context: ServiceContext): Promise<void> {
  await pruneIdempotency(context)
  await pruneSessions(context)
  await pruneChanges(context)
  await pruneGenerations(context)
  await pruneAuditLog(context)
}
