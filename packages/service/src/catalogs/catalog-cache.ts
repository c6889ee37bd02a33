import { type Catalog, StagecraftError } from '@stagecraft/spec'
import { isStoreFailure } from '../store/errors/store-failure.ts'

export interface CatalogCacheOptions {
  /** The maximum number of open catalogs; further callers wait. @default 50 */
  readonly most?: number
  /** Called when a catalog cannot be closed. */
  readonly logger: { warn(fields: object, message: string): void }
}

/** A catalog and the way to open it. */
export interface CachedConnection {
  readonly connectionId: string
  /** A new version closes the catalog of the previous one; undefined for a catalog that is not shared. */
  readonly state: string | undefined
  /** The time after which it is closed if unused. */
  readonly idleMs: number
  readonly open: () => Promise<Catalog>
}

interface Entry {
  readonly connectionId: string
  readonly state: string | undefined
  readonly idleMs: number
  readonly catalog: Promise<Catalog>
  isOpen: boolean
  users: number
  timer: NodeJS.Timeout | undefined
  /** True once it is no longer handed out. */
  isDropped: boolean
}

const MOST = 50

/**
 * Open catalogs that requests share. A catalog that fails is dropped. If it had been open before, the work is repeated
 * with a new one, so that a connection that broke while idle fails no request.
 */
export class CatalogCache {
  readonly #entries = new Set<Entry>()
  readonly #closing = new Set<Promise<void>>()
  readonly #waiting: (() => void)[] = []
  readonly #options: CatalogCacheOptions

  constructor(options: CatalogCacheOptions) {
    this.#options = options
  }

  /**
   * Runs work with a catalog, possibly twice. The work must not use a second catalog: such work could take all places
   * and block itself.
   */
  async use<Result>(
    connection: CachedConnection,
    work: (catalog: Catalog) => Promise<Result>,
  ): Promise<Result> {
    const entry = await this.#acquire(connection)
    const wasOpen = entry.isOpen
    try {
      return await work(await entry.catalog)
    } catch (error) {
      if (!isConnectionFailure(error)) throw error
      this.#drop(entry)
      if (!wasOpen) throw error
    } finally {
      this.#release(entry)
    }
    return this.#useAgain(connection, work)
  }

  /** Closes the catalogs of a connection when their last users are done. */
  drop(connectionId: string): void {
    for (const entry of this.#entries) if (entry.connectionId === connectionId) this.#drop(entry)
  }

  /** Resolves when all catalogs are closed, including those in use. */
  async close(): Promise<void> {
    for (const entry of this.#entries) this.#drop(entry)
    while (this.#entries.size + this.#closing.size > 0) {
      await Promise.all(this.#closing)
      if (this.#entries.size > 0) await this.#nextRelease()
    }
  }

  async #useAgain<Result>(
    connection: CachedConnection,
    work: (catalog: Catalog) => Promise<Result>,
  ): Promise<Result> {
    const entry = await this.#acquire(connection)
    try {
      return await work(await entry.catalog)
    } finally {
      this.#release(entry)
    }
  }

  async #acquire(connection: CachedConnection): Promise<Entry> {
    for (;;) {
      const known = this.#find(connection)
      if (known || this.#hasRoom()) return this.#take(known ?? this.#begin(connection))
      await this.#nextRelease()
    }
  }

  #find({ connectionId, state }: CachedConnection): Entry | undefined {
    for (const entry of this.#entries) {
      if (entry.connectionId !== connectionId || entry.isDropped) continue
      if (state !== undefined && entry.state === state) return entry
      if (entry.state !== undefined) this.#drop(entry)
    }
    return undefined
  }

  #hasRoom(): boolean {
    const { most = MOST } = this.#options
    if (this.#entries.size < most) return true
    // A set keeps insertion order, so the first entry is the least recently used one.
    for (const entry of this.#entries) {
      if (entry.users > 0) continue
      this.#drop(entry)
      return true
    }
    return false
  }

  #begin({ connectionId, idleMs, open, state }: CachedConnection): Entry {
    const catalog = open()
    const entry: Entry = {
      connectionId,
      idleMs,
      state,
      catalog,
      isOpen: false,
      users: 0,
      timer: undefined,
      isDropped: false,
    }
    catalog.then(
      () => (entry.isOpen = true),
      () => this.#drop(entry),
    )
    return entry
  }

  #take(entry: Entry): Entry {
    clearTimeout(entry.timer)
    entry.users += 1
    this.#entries.delete(entry)
    this.#entries.add(entry)
    return entry
  }

  #release(entry: Entry): void {
    entry.users -= 1
    if (entry.users === 0) {
      if (entry.isDropped || entry.state === undefined) this.#end(entry)
      else entry.timer = setTimeout(() => this.#drop(entry), entry.idleMs).unref()
    }
    for (const proceed of this.#waiting.splice(0)) proceed()
  }

  #drop(entry: Entry): void {
    entry.isDropped = true
    if (entry.users === 0) this.#end(entry)
  }

  #end(entry: Entry): void {
    clearTimeout(entry.timer)
    if (!this.#entries.delete(entry)) return
    const closed = entry.catalog.then(
      (catalog) => this.#close(entry, catalog),
      () => undefined, // Its users already received the error.
    )
    this.#closing.add(closed)
    void closed.then(() => this.#closing.delete(closed))
  }

  async #close({ connectionId }: Entry, catalog: Catalog): Promise<void> {
    try {
      await catalog.close()
    } catch (error) {
      const reason = error instanceof Error ? error.name : 'unknown'
      this.#options.logger.warn({ connectionId, reason }, 'could not close a catalog')
    }
  }

  #nextRelease(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}

function isConnectionFailure(error: unknown): boolean {
  return error instanceof StagecraftError && error.code === 'CONNECTION_FAILED' && !isStoreFailure(error)
}
