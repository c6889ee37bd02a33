import { type Catalog, StagecraftError } from '@stagecraft/spec'
import { isStoreFailure } from '../store/errors/store-failure.ts'

export interface CatalogCacheOptions {
  /** The most catalogs that are open at once; further callers wait. @default 50 */
  readonly most?: number
  /** Called when a catalog cannot be closed. */
  readonly logger: { warn(fields: object, message: string): void }
}

/** A catalog and the way to open it. */
export interface CachedConnection {
  readonly connectionId: string
  /** A new version closes the catalog of the one before; undefined for a catalog that is not shared. */
  readonly state: string | undefined
  /** The time for which it stays open unused. */
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
  /** Set when it is not handed out any more. */
  isDropped: boolean
}

const MOST = 50

/**
 * Open catalogs that requests share. One that fails is dropped; when it had been open before, the work is done once more with
 * a new one, so that a connection that broke while it was idle fails no request.
 */
export class CatalogCache {
  readonly #entries = new Set<Entry>()
  readonly #closing = new Set<Promise<void>>()
  readonly #waiting: (() => void)[] = []
  readonly #options: CatalogCacheOptions

  constructor(options: CatalogCacheOptions) {
    this.#options = options
  }

  /** The work may be done twice. It must not use a second catalog, since all places could be taken by such work. */
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

  /** Ends what is open of a connection, when its last user is done. */
  drop(connectionId: string): void {
    for (const entry of this.#entries) if (entry.connectionId === connectionId) this.#drop(entry)
  }

  /** Ends when all are closed, those in use included. */
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
    // a set keeps its order: the first one was not used for longest
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
      () => undefined, // its users were told why it did not open
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
