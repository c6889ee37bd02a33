import { z } from 'zod'
import { idField, jobFields, jobQuery, listOf } from './fields.ts'
import type { Operation } from './operation.ts'

export const pushSchema = z.object({
  id: idField('push'),
  branch: z.string(),
  message: z.string(),
  unitIds: z.array(idField('unit')).optional(),
  overwrite: z.boolean(),
  ...jobFields,
  outcome: z
    .enum(['pushed', 'unchanged'])
    .optional()
    .describe('`unchanged`: the branch already had everything, and there is no new commit.'),
  commit: z.string().optional().describe('The commit of the push, or the head of an unchanged branch.'),
  files: z
    .array(z.object({ path: z.string(), change: z.enum(['added', 'changed']), lines: z.int().nonnegative() }))
    .optional(),
  removed: z
    .array(z.string())
    .optional()
    .describe('Paths of files of earlier pushes whose unit is gone. They were removed from the branch.'),
  kept: z
    .array(z.object({ path: z.string(), reason: z.enum(['changed', 'needed']) }))
    .optional()
    .describe(
      'Files of earlier pushes whose unit is gone and that were kept: `changed` by somebody else, or `needed` by other files of the branch.',
    ),
  skipped: z
    .array(
      z.object({
        path: z.string(),
        name: z.string(),
        definedIn: z.string(),
        outcome: z.enum(['used', 'refused']),
      }),
    )
    .optional()
    .describe(
      'Models, source tables and properties that were left out, because another file of the branch defines them. `used`: that definition serves the pushed models. `refused`: it is another model, or a table of another place, so the model was not pushed.',
    ),
})

const createBody = z.strictObject({
  branch: z.string().min(1).max(200),
  message: z
    .string()
    .trim()
    .min(1)
    .max(10_000)
    // oxlint-disable-next-line no-control-regex -- NUL is what is looked for
    .regex(/^[^\x00]*$/, 'expected text without NUL'),
  unitIds: z.array(idField('unit')).min(1).max(10_000).optional().describe('Default: all units.'),
  overwrite: z
    .boolean()
    .optional()
    .describe('Replace files that somebody else changed since the last push. Default false.'),
})

export const PUSH_OPERATIONS = {
  createPush: {
    method: 'POST',
    path: '/v1/projects/{projectId}/pushes',
    scope: 'write',
    summary: "Commit the newest files to the project's Git repository, as a job",
    description:
      'Sends what the units are generated to at the time of the request. Files that somebody else changed since the last push make it fail, with `error.details.files`, unless `overwrite` is set. Files of units that were deleted are removed where they are as they were pushed and nothing in the branch refers to them. What another file of the branch defines already is left out and listed as `skipped`; a push of which no model is left fails, with `error.details.files`. Pushes to one branch are done in the order in which they were asked for.',
    body: createBody,
    examples: { short: { branch: 'stagecraft', message: 'Staging models' } },
    data: pushSchema,
    status: 202,
    isCreation: true,
    location: '/v1/projects/{projectId}/pushes/{id}',
  },
  listPushes: {
    method: 'GET',
    path: '/v1/projects/{projectId}/pushes',
    scope: 'read',
    summary: 'List the pushes of a project',
    query: jobQuery,
    data: listOf(pushSchema),
    isList: true,
  },
  getPush: {
    method: 'GET',
    path: '/v1/projects/{projectId}/pushes/{pushId}',
    scope: 'read',
    summary: 'Get a push',
    data: pushSchema,
  },
  cancelPush: {
    method: 'POST',
    path: '/v1/projects/{projectId}/pushes/{pushId}/cancel',
    scope: 'write',
    summary: 'Stop a push that has not begun',
    data: pushSchema,
  },
} as const satisfies Record<string, Operation>

export type PushResource = z.infer<typeof pushSchema>
