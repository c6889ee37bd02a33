import { type ErrorCode, StagecraftError } from '@stagecraft/spec'
import type { Caller } from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServiceContext } from '../context.ts'
import type { AuditRow } from '../store/own-rows.ts'
import type { Database } from '../store/schema.ts'

/** A call that changes something. */
export interface AuditedCall {
  readonly operation: string
  /** Undefined for a command on this machine. */
  readonly caller: Caller | undefined
  /** Default: that of the caller. */
  readonly projectId?: string
  readonly requestId?: string | undefined
  /** The resource that it names. */
  readonly resourceId?: string | undefined
}

/** The entry of the call under way. */
interface Entry extends AuditedCall {
  readonly id: string
  isWritten: boolean
}

const calls = new AsyncLocalStorage<Entry>()

type AuditContext = Pick<ServiceContext, 'ids' | 'logger' | 'store'>

/**
 * Does what a call asks for, and logs it: with its first change, in one transaction; without a change, or when it is
 * refused, afterwards.
 */
export async function audited<Result>(
  context: AuditContext,
  call: AuditedCall,
  work: () => Promise<Result>,
): Promise<Result> {
  const entry: Entry = { ...call, id: context.ids.next('aud'), isWritten: false }
  try {
    const result = await calls.run(entry, work)
    await finish(context, entry, { resource_id: entry.resourceId ?? idOf(result) })
    return result
  } catch (error) {
    const code = error instanceof StagecraftError ? error.code : ('GENERATION_FAILED' as const)
    await finish(context, entry, { outcome: 'refused', code })
    throw error
  }
}

/** Writes the entry of the call under way into the transaction of its first change. Call `isLogged` after the commit. */
export async function logChange(
  db: Kysely<Database>,
  now: () => Promise<number>,
): Promise<{ readonly isLogged: () => void } | undefined> {
  const entry = calls.getStore()
  if (!entry || entry.isWritten) return undefined
  const row = await toRow(db, entry, await now())
  if (row) await insert(db, row)
  return { isLogged: () => (entry.isWritten = true) }
}

/** Of several changes at once, the first writes it. */
async function insert(db: Kysely<Database>, row: AuditRow): Promise<void> {
  await db
    .insertInto('audit_log')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

interface Outcome {
  readonly resource_id?: string | undefined
  readonly outcome?: 'refused'
  readonly code?: ErrorCode
}

/** What could not be logged is told to the log of the service; the change itself has been made, or refused. */
async function finish({ logger, store }: AuditContext, entry: Entry, outcome: Outcome): Promise<void> {
  try {
    if (entry.isWritten) {
      if (outcome.outcome === undefined && outcome.resource_id === entry.resourceId) return
      await store.db.updateTable('audit_log').set(outcome).where('id', '=', entry.id).execute()
      return
    }
    const row = await toRow(store.db, entry, await store.now())
    if (row)
      await insert(store.db, { ...row, ...outcome, resource_id: outcome.resource_id ?? row.resource_id })
    entry.isWritten = true
  } catch (error) {
    const { id, operation, requestId } = entry
    logger.error({ entry: id, operation, requestId, error: String(error) }, 'could not write the audit log')
  }
}

/** Returns the row of an entry; undefined when its project is gone, and its log with it. */
async function toRow(db: Kysely<Database>, entry: Entry, now: number): Promise<AuditRow | undefined> {
  const { caller, id, operation, projectId = caller?.projectId ?? '', requestId, resourceId } = entry
  const project = await db
    .selectFrom('projects')
    .leftJoin('api_keys', (join) =>
      join.onRef('api_keys.project_id', '=', 'projects.id').on('api_keys.id', '=', caller?.keyId ?? ''),
    )
    .select('api_keys.name')
    .where('projects.id', '=', projectId)
    .executeTakeFirst()
  return (
    project && {
      id,
      project_id: projectId,
      created_at: now,
      key_id: caller?.keyId ?? null,
      key_name: project.name,
      via: caller === undefined ? 'command' : caller.sessionId === undefined ? 'key' : 'session',
      operation,
      resource_id: resourceId ?? null,
      outcome: 'done',
      code: null,
      request_id: requestId ?? null,
    }
  )
}

/** Returns the id in the data of a reply. */
function idOf(reply: unknown): string | undefined {
  const data: unknown = memberOf(reply, 'data')
  const id = memberOf(data, 'id') ?? memberOf(data, 'generationId')
  return typeof id === 'string' ? id : undefined
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

const KEPT_MS = 400 * 24 * 60 * 60_000

/** Deletes entries that are old. */
export async function pruneAuditLog({ store }: Pick<ServiceContext, 'store'>): Promise<void> {
  const before = (await store.now()) - KEPT_MS
  await store.db.deleteFrom('audit_log').where('created_at', '<', before).execute()
}
