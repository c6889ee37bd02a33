import type { Clock, Ids, LlmOptions } from '@stagecraft/spec'
import type { DeliveryPolicy, Networks } from '@stagecraft/webhooks'
import type { CatalogCache } from './catalogs/catalog-cache.ts'
import type { Cipher } from './secrets/cipher.ts'
import type { Store } from './store/store.ts'
import type { ProjectThreads } from './talk/project-threads.ts'

/** Notifies the loops of this process that there is work, so that they do not wait for their next round. */
interface Wakeups {
  /** Notifies. Call it after the transaction, not inside it. */
  notify(topic: WakeupTopic): void
  /** Calls back on each notification; returns a function that stops it. */
  listen(topic: WakeupTopic, listener: () => void): () => void
}

export type WakeupTopic = 'jobs' | 'deliveries' | 'changes'

export function createWakeups(): Wakeups {
  const listeners = new Map<WakeupTopic, Set<() => void>>()
  return {
    notify(topic) {
      for (const listener of listeners.get(topic) ?? []) listener()
    },
    listen(topic, listener) {
      const all = listeners.get(topic) ?? new Set()
      listeners.set(topic, all.add(listener))
      return () => all.delete(listener)
    },
  }
}

/** The logger methods that are used; a pino logger has them. Secrets, bodies and rows are never passed to it. */
export interface ServiceLogger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The dependencies of every use case. */
export interface ServiceContext {
  readonly store: Store
  readonly cipher: Cipher
  readonly ids: Ids
  /** For durations only. Times in the store come from the clock of the database. */
  readonly clock: Clock
  readonly logger: ServiceLogger
  readonly wakeups: Wakeups
  /** Open catalogs; closed when the service stops. */
  readonly catalogs: CatalogCache
  /** The dbt projects that the assistant has read; closed when the service stops. */
  readonly projects: ProjectThreads
  /** Creates an API key: `createKey` of the http package. */
  readonly newKey: () => string
  readonly settings: ServiceSettings
}

/** Operator settings, shared by all projects. */
export interface ServiceSettings {
  /**
   * Allows files and folders of this machine as connections and Git remotes. Off if people create projects who must
   * not read those files.
   */
  readonly allowLocalFiles: boolean
  /** The policy for webhook targets. */
  readonly deliveryPolicy: DeliveryPolicy
  /** The networks that connections may reach if files of this machine are not allowed. */
  readonly connectionNetworks: Networks
  /** A language model for all projects; undefined to use rules only. */
  readonly llm: LlmOptions | undefined
  /** The folder for catalogs and temporary files. */
  readonly folder: string
}
