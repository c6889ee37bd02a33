import type { Clock, Ids, LlmOptions } from '@stagecraft/spec'
import type { DeliveryPolicy, Networks } from '@stagecraft/webhooks'
import type { CatalogCache } from './catalogs/catalog-cache.ts'
import type { Cipher } from './secrets/cipher.ts'
import type { Store } from './store/store.ts'
import type { ProjectThreads } from './talk/project-threads.ts'

/** Wakes the loops of this process when there is something to do, so that they do not wait for their next round. */
interface Wakeups {
  /** Call it after the transaction, and not in it. */
  notify(topic: WakeupTopic): void
  /** Calls back on each notice; returns how to stop that. */
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

/**
 * The members of a logger that are used; a logger of pino has them. Secrets, bodies and rows are never given
 * to it.
 */
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
  /** For durations only; times in the store are of the clock of the database. */
  readonly clock: Clock
  readonly logger: ServiceLogger
  readonly wakeups: Wakeups
  /** The catalogs that are open; closed when the service stops. */
  readonly catalogs: CatalogCache
  /** The dbt projects that the assistant has read; closed when the service stops. */
  readonly projects: ProjectThreads
  /** A fresh API key: `createKey` of the package http. */
  readonly newKey: () => string
  readonly settings: ServiceSettings
}

/** Operator settings, shared by all projects. */
export interface ServiceSettings {
  /**
   * Allows files and folders of this machine as connections and Git remotes. Off if projects belong to people
   * who must not read them.
   */
  readonly allowLocalFiles: boolean
  /** The targets that webhooks may have. */
  readonly deliveryPolicy: DeliveryPolicy
  /** The networks that connections may lead to where files of this machine are not allowed. */
  readonly connectionNetworks: Networks
  /** A language model for all projects; undefined for the rules alone. */
  readonly llm: LlmOptions | undefined
  /** The folder for catalogs and temporary files. */
  readonly folder: string
}
