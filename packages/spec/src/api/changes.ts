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
      '`open` comes first. `reset`: earlier changes are no longer known, so read everything again. `change`: resources changed.',
    ),
  kind: z
    .enum(CHANGE_KIND_NAMES)
    .optional()
    .describe('The kind of the changed resources; only in a `change`.'),
  ids: z.array(z.string()).optional().describe('Ids of the resources that changed; at most 100.'),
  more: z.literal(true).optional().describe('Present if more resources of this kind changed.'),
  changes: z
    .array(z.enum(['created', 'updated', 'deleted']))
    .optional()
    .describe('The types of change.'),
  states: z
    .record(z.string(), z.string())
    .optional()
    .describe('The current states of jobs, deliveries and webhooks, by id.'),
})

export const CHANGE_OPERATIONS = {
  streamChanges: {
    method: 'GET',
    path: '/v1/projects/{projectId}/stream',
    scope: 'read',
    summary: 'Follow the changes in a project as server-sent events',
    description:
      'Reports which resources changed, but not how: read those that matter to you. Kinds that the key cannot read are left out. With `Last-Event-ID` it resumes there, for up to an hour; otherwise it starts now. A comment is sent every 15 seconds. The stream ends when its key or session ends.',
    media: 'text/event-stream',
    message: changeMessageSchema,
  },
} as const satisfies Record<string, Operation>
