import {
  API_OPERATIONS,
  type ApiData,
  type ApiHandlers,
  type Caller,
  type Operation,
} from '@stagecraft/spec/api'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { toIso } from '../resources/job-members.ts'
import { allOf, inPeriod, isValue } from '../store/list-filters.ts'
import type { AuditRow } from '../store/own-rows.ts'
import { page } from '../store/page.ts'
import { audited } from './audit-log.ts'

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

/** The parts of a call that an entry has. */
interface LoggedCall {
  readonly caller: Caller | undefined
  readonly requestId: string
  readonly params: Readonly<Record<string, string>>
}

type LooseHandler = (call: LoggedCall) => Promise<unknown>

/** Logs the calls of every handler that may change something. A sign-in has no key yet, and logs itself. */
export function withAuditLog(context: ServiceContext, handlers: ApiHandlers): ApiHandlers {
  // Each handler takes what the schemas of its own operation let through, which only the table knows.
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
