import { type Ids, StagecraftError } from '@stagecraft/spec'
import type { EventData, EventKind } from '@stagecraft/spec/api'
import type { Transaction, UpdateObject } from 'kysely'
import { logChange } from './audit/audit-log.ts'
import type { ServiceContext, WakeupTopic } from './context.ts'
import { publish, publishAll } from './events/publish.ts'
import { readProject } from './projects/project-settings.ts'
import { isForeignKeyViolation } from './store/errors/driver-error.ts'
import { type OwnedTable, RESOURCE_NAMES, type RowLock, ownedRow, withLock } from './store/rows.ts'
import type { Database, ProjectRow } from './store/schema.ts'

/** Tables whose rows have a version number. */
type VersionedTable = 'connections' | 'units' | 'webhooks'

interface OwnOptions {
  /** Without a lock the row is only read. See `RowLock`. */
  readonly lock?: RowLock
  /** The version that `If-Match` requires. Default: any. */
  readonly ifVersion?: number | undefined
}

export type ChangeContext = Pick<ServiceContext, 'ids' | 'store' | 'wakeups'>

/** One change to the data of a project, passed to the work by `change`. */
export class Change {
  /** The handle for queries. The store's own handle throws while the change is open. */
  readonly db: Transaction<Database>
  readonly projectId: string
  readonly ids: Ids
  readonly #store: ChangeContext['store']
  readonly #topics = new Set<WakeupTopic>()
  #now: Promise<number> | undefined

  constructor(db: Transaction<Database>, projectId: string, { ids, store }: ChangeContext) {
    this.db = db
    this.projectId = projectId
    this.ids = ids
    this.#store = store
  }

  /** Returns the time of the change by the database's clock. It is read once, so call this after locking the rows. */
  now(): Promise<number> {
    this.#now ??= this.#store.now(this.db)
    return this.#now
  }

  /**
   * Reads a row of the project, and locks it if requested.
   *
   * @throws {StagecraftError} NOT_FOUND; INVALID_REQUEST if its version is not `ifVersion`.
   */
  async own<Table extends OwnedTable>(
    table: Table,
    id: string,
    { ifVersion, lock }: OwnOptions = {},
  ): Promise<Database[Table]> {
    const { engine } = this.#store
    const row = await ownedRow({ db: this.db, engine }, table, { id, lock, projectId: this.projectId })
    if (ifVersion !== undefined && 'version' in row)
      assertVersion(RESOURCE_NAMES[table], row.version, ifVersion)
    return row
  }

  /**
   * Reads the row of the project, and locks it if requested.
   *
   * @throws {StagecraftError} NOT_FOUND; INVALID_REQUEST if its version is not `ifVersion`.
   */
  async ownProject({ ifVersion, lock }: OwnOptions = {}): Promise<ProjectRow> {
    const { engine } = this.#store
    const row = await this.db
      .selectFrom('projects')
      .selectAll()
      .where('id', '=', this.projectId)
      .$call((select) => withLock(select, { engine, lock }))
      .executeTakeFirst()
    if (!row) throw StagecraftError.unknownId('project', this.projectId)
    assertVersion('project', row.version, ifVersion)
    return row
  }

  /** Writes columns of a row that this change has locked, increases its version, and returns the row. */
  async revise<Table extends VersionedTable>(
    table: Table,
    before: Database[Table],
    columns: Partial<Database[Table]>,
  ): Promise<Database[Table]> {
    const after = { ...columns, version: before.version + 1, updated_at: await this.now() }
    await this.db
      // The tables have these columns in common; the type of the parameters is that of the table.
      .updateTable(table as 'units')
      .set(after as UpdateObject<Database, 'units'>)
      .where('id', '=', before.id)
      .execute()
    return { ...before, ...after }
  }

  /** Writes an event of the project and its deliveries, which are sent as soon as the change is committed. */
  async publish<Kind extends EventKind>(event: Kind, data: EventData[Kind]): Promise<void> {
    const setup = { ids: this.ids, now: await this.now() }
    await publish(this.db, { projectId: this.projectId, event, data }, setup)
    this.wakeAfter('deliveries')
  }

  /** Writes events of one kind, and their deliveries, in a few statements. */
  async publishAll<Kind extends EventKind>(event: Kind, all: readonly EventData[Kind][]): Promise<void> {
    const setup = { ids: this.ids, now: await this.now() }
    await publishAll(this.db, { projectId: this.projectId, event, all }, setup)
    this.wakeAfter('deliveries')
  }

  /** Wakes the workers of this process when the change is committed. */
  wakeAfter(topic: WakeupTopic): void {
    this.#topics.add(topic)
  }

  /** The workers to wake. */
  get topics(): ReadonlySet<WakeupTopic> {
    return this.#topics
  }
}

/**
 * Changes the data of a project in one transaction. The work runs again after a deadlock or a lost connection, so it must
 * change nothing but the store.
 *
 * @throws {StagecraftError} CONNECTION_FAILED if the store cannot be reached, or stays busy; NOT_FOUND if the project was
 * deleted after the key was checked.
 */
export async function change<Result>(
  context: ChangeContext,
  projectId: string,
  work: (tx: Change) => Promise<Result>,
): Promise<Result> {
  const run = async (transaction: Transaction<Database>) => {
    const tx = new Change(transaction, projectId, context)
    const result = await work(tx)
    return { result, topics: tx.topics, logged: await logChange(transaction, () => tx.now()) }
  }
  const { logged, result, topics } = await context.store.transaction(run).catch(async (error: unknown) => {
    if (isForeignKeyViolation(error)) await readProject(context.store.db, projectId)
    throw error
  })
  logged?.isLogged()
  for (const topic of topics) context.wakeups.notify(topic)
  context.wakeups.notify('changes')
  return result
}

/** @throws {StagecraftError} INVALID_REQUEST if `If-Match` requires a version that is not the current one. */
function assertVersion(what: string, current: number, required: number | undefined): void {
  if (required === undefined || required === current) return
  const suggestion = 'read it again, and change the new version'
  throw new StagecraftError(
    'INVALID_REQUEST',
    `the ${what} has changed since: expected version ${current}, got ${required}; ${suggestion}`,
    {
      details: {
        reason: 'version',
        faults: [{ path: 'headers.if-match', expected: `"v${current}"`, received: `"v${required}"` }],
        suggestion,
      },
    },
  )
}
