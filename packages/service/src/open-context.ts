import type { Clock, Ids, LlmOptions } from '@stagecraft/spec'
import { checkEndpointUrl, type DeliveryPolicy } from '@stagecraft/webhooks'
import { CatalogCache } from './catalogs/catalog-cache.ts'
import type { ServiceContext, ServiceLogger } from './context.ts'
import { removeLeftovers } from './git/push-home.ts'
import { createWakeups } from './jobs/wakeups.ts'
import { checkSecretKey } from './secrets/check-secret-key.ts'
import { createCipher } from './secrets/cipher.ts'
import { MIGRATIONS } from './store/migrations/index.ts'
import { openStore, type StoreOptions } from './store/open-store.ts'

type WithoutMigrations<Options> = Options extends unknown ? Omit<Options, 'migrations'> : never

/** The file of an embedded store, or the address of a PostgreSQL. */
export type ServiceStoreOptions = WithoutMigrations<StoreOptions>

export interface ServiceOptions {
  /** The store that keeps everything. */
  readonly store: ServiceStoreOptions
  /** The keys that seal secrets, the newest first; 32 bytes each. See `loadKeys`. */
  readonly secretKeys: readonly Uint8Array[]
  /** The folder for catalogs and temporary files. */
  readonly folder: string
  readonly ids: Ids
  readonly clock: Clock
  readonly logger: ServiceLogger
  /** A fresh API key. */
  readonly newKey: () => string
  /**
   * Allows files of this machine as connections and Git remotes.
   *
   * @default false
   */
  readonly allowLocalFiles?: boolean
  /** The targets that webhooks may have. Default: `https:` to public addresses. */
  readonly deliveryPolicy?: DeliveryPolicy
  /** A language model for all projects. Default: the rules alone. */
  readonly llm?: LlmOptions
}

/**
 * Opens the store, brings its tables up to date, and checks that its secrets can be read.
 *
 * @throws {StagecraftError} CONNECTION_FAILED for a store that cannot be reached; INVALID_REQUEST for one that is newer
 * than this program, or that was sealed with another key.
 */
export async function openContext(options: ServiceOptions): Promise<ServiceContext> {
  // A faulty policy fails before anything listens.
  checkEndpointUrl('https://example.com', options.deliveryPolicy)
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
      settings: {
        allowLocalFiles: options.allowLocalFiles ?? false,
        deliveryPolicy: options.deliveryPolicy ?? {},
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

/** The time that catalogs in use have to close: a warehouse that hangs is not waited for. */
const CATALOGS_MILLISECONDS = 1000

/** Lets go of catalogs and of the store. */
export async function closeContext({ catalogs, store }: ServiceContext): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, CATALOGS_MILLISECONDS).unref())
  await Promise.race([catalogs.close(), late])
  await store.close()
}
