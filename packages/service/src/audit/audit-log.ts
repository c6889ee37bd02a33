import { type ErrorCode, StagecraftError } from '@stagecraft/spec'
import {
  API_OPERATIONS,
  type ApiData,
  type ApiHandlers,
  type Caller,
  type Operation,
} from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServiceContext } from '../context.ts'
import type { AuditRow } from '../store/own-rows.ts'
import type { Database } from '../store/schema.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { toIso } from '../resources/job-members.ts'
import { allOf, inPeriod, isValue } from '../store/list-filters.ts'
import { page } from '../store/page.ts'

/** A call that changes something. */
export interface AuditedCall {
  readonly operation: string
  /** Undefined for a command that runs on this machine. */
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
 * Performs a call and logs it: in one transaction with its first change, or afterwards if it changes nothing or is
 * refused.
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

/** The parts of a call that an entry has. */
interface LoggedCall {
  readonly caller: Caller | undefined
  readonly requestId: string
  readonly params: Readonly<Record<string, string>>
}

type LooseHandler = (call: LoggedCall) => Promise<unknown>

/** Logs the calls of every handler that may change something. A sign-in has no key yet, and logs itself. */
export function withAuditLog(context: ServiceContext, handlers: ApiHandlers): ApiHandlers {
  // Each handler takes the input of its own operation. Only the operation table knows that type.
  const loose = handlers as unknown as Readonly<Record<string, LooseHandler>>
  const logged = Object.entries(loose).map(([operation, handler]) => {
    const { method, scope }: Operation = API_OPERATIONS[operation as keyof ApiHandlers]
    if (method === 'GET' || scope === 'none') return [operation, handler] as const
    const log: LooseHandler = (call) => {
      const { caller, params, requestId } = call
      const resourceId = Object.entries(params).findLast(([name]) => name !== 'projectId')?.[1]
      return audited(context, { operation, caller, requestId, resourceId }, () => handler(call))
    }
    return [operation, log] as const
  })
  return Object.fromEntries(logged) as unknown as ApiHandlers
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

/** Of several changes in one call, the first writes the entry. */
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

/** Reports an entry that could not be written to the log of the service. The outcome of the call stands. */
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

/** Returns the row of an entry; undefined if its project was deleted together with its audit log. */
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

/** Deletes expired entries. */
export async function pruneAuditLog({ store }: Pick<ServiceContext, 'store'>): Promise<void> {
  const before = (await store.now()) - KEPT_MS
  await store.db.deleteFrom('audit_log').where('created_at', '<', before).execute()
}

/** Creates the handler of the list of entries. */
export function auditHandlers(context: ServiceContext): Pick<ApiHandlers, 'listAuditEntries'> {
  return { listAuditEntries: (call) => listAuditEntries(context, call) }
}

async function listAuditEntries(
  { store }: ServiceContext,
  { caller, query }: CallOf<'listAuditEntries'>,
): ReplyOf<'listAuditEntries'> {
  const { keyId, operation, outcome, resourceId, since, until, ...position } = query
  const entries = store.db
    .selectFrom('audit_log')
    .selectAll()
    .where('project_id', '=', caller.projectId)
    .where(
      allOf([
        isValue('key_id', keyId),
        isValue('operation', operation),
        isValue('outcome', outcome),
        isValue('resource_id', resourceId),
        ...inPeriod({ since, until }),
      ]),
    )
  const { nextCursor, rows } = await page(entries, position)
  return { data: { items: rows.map(toEntry) }, nextCursor }
}

function toEntry(row: AuditRow): ApiData['listAuditEntries']['items'][number] {
  return {
    id: row.id,
    at: toIso(row.created_at),
    ...(row.key_id !== null && { keyId: row.key_id }),
    ...(row.key_name !== null && { keyName: row.key_name }),
    via: row.via,
    operation: row.operation,
    ...(row.resource_id !== null && { resourceId: row.resource_id }),
    outcome: row.outcome,
    ...(row.code !== null && { code: row.code }),
    ...(row.request_id !== null && { requestId: row.request_id }),
  }
}
