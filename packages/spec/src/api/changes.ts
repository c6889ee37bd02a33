import { z } from '../zod.ts'
import type { Operation, Scope } from './operation.ts'

/** The kinds of resource in the change stream, with the scope that reads them. */
export const CHANGE_KINDS = {
  project: 'read',
  key: 'admin',
  connection: 'read',
  scan: 'read',
  unit: 'read',
  generation: 'read',
  batch: 'read',
  push: 'read',
  analysis: 'read',
  conversation: 'read',
  message: 'read',
  proposal: 'read',
  event: 'read',
  webhook: 'webhooks',
  delivery: 'webhooks',
} as const satisfies Record<string, Scope>

export type ChangeKind = keyof typeof CHANGE_KINDS

export const CHANGE_KIND_NAMES = Object.keys(CHANGE_KINDS) as [ChangeKind, ...ChangeKind[]]

export const changeMessageSchema = z.object({
  event: z
    .enum(['open', 'change', 'reset'])
    .describe(
      '`open` comes first. `reset`: changes before it are not known any more, so read everything again. `change`: resources changed.',
    ),
  kind: z.enum(CHANGE_KIND_NAMES).optional().describe('The kind of resource, of a change.'),
  ids: z.array(z.string()).optional().describe('Ids of the resources that changed; at most 100.'),
  more: z.literal(true).optional().describe('Present if others of the kind changed too.'),
  changes: z
    .array(z.enum(['created', 'updated', 'deleted']))
    .optional()
    .describe('The sorts of change.'),
  states: z
    .record(z.string(), z.string())
    .optional()
    .describe('The state that a resource has now, by its id: of jobs, deliveries and webhooks.'),
})

export const CHANGE_OPERATIONS = {
  streamChanges: {
    method: 'GET',
    path: '/v1/projects/{projectId}/stream',
    scope: 'read',
    summary: 'Follow what changes in a project, as server-sent events',
    description:
      'Says which resources changed, and not how: read those that matter. Kinds that the key cannot read are left out. With `Last-Event-ID` it goes on where it ended, for up to an hour; without it, with what comes. A comment comes every 15 seconds. It ends when its key or session ends.',
    media: 'text/event-stream',
    message: changeMessageSchema,
  },
} as const satisfies Record<string, Operation>
