import { z } from '../zod.ts'
import { ERROR_CODES } from '../errors.ts'
import { idField, listOf, pageQuery, periodFields, timeField } from './fields.ts'
import type { Operation } from './operation.ts'

const OUTCOMES = ['done', 'refused'] as const

/** The origins of a change. */
const WAYS = ['key', 'session', 'command'] as const

export const auditEntrySchema = z.object({
  id: idField('aud'),
  at: timeField,
  keyId: idField('key').optional().describe('The key; absent for a command on the machine of the service.'),
  keyName: z.string().optional().describe('The name of the key at that time.'),
  via: z
    .enum(WAYS)
    .describe(
      '`session`: a sign-in of the dashboard with the key. `command`: a command on the machine of the service.',
    ),
  operation: z
    .string()
    .describe(
      'The id of the operation: `createUnit`; `generate` for `POST /generate`, `keepProposal` for a proposal over MCP.',
    ),
  resourceId: z.string().optional().describe('The resource that was changed or created.'),
  outcome: z.enum(OUTCOMES).describe('`refused`: it failed, with `code`.'),
  code: z.enum(ERROR_CODES).optional().describe('The kind of failure.'),
  requestId: z.string().optional().describe('The id of the request, as in the log of the service.'),
})

const auditQuery = pageQuery.extend({
  keyId: idField('key').optional().describe('Only entries of this key.'),
  operation: z.string().min(1).max(100).optional().describe('Only entries of this operation, by its id.'),
  resourceId: z.string().min(1).max(200).optional().describe('Only entries of this resource.'),
  outcome: z.enum(OUTCOMES).optional().describe('Only entries with this outcome.'),
  ...periodFields,
})

export const AUDIT_OPERATIONS = {
  listAuditEntries: {
    method: 'GET',
    path: '/v1/projects/{projectId}/audit-log',
    scope: 'admin',
    summary: 'List changes with the key that made them',
    description:
      'Records every call that is not a GET, including `POST /generate`: operation, resource and outcome, but never a body. An entry is written in the same transaction as the change, and kept for 400 days.',
    query: auditQuery,
    data: listOf(auditEntrySchema),
    isList: true,
  },
} as const satisfies Record<string, Operation>
