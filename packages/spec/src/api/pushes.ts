import { z } from '../zod.ts'
import { idField, jobFields, jobQuery, listOf, searchField } from './fields.ts'
import type { Operation } from './operation.ts'

/** The actions of a plan on a file, in the words of `stagecraft plan`. */
const PLAN_ACTIONS = ['create', 'update', 'merge', 'unchanged', 'conflict', 'foreign', 'orphan'] as const

const DRIFT_KINDS = [
  'added',
  'removed',
  'renamed',
  'retyped',
  'nullability',
  'comment',
  'values',
  'key',
] as const

const count = z.int().nonnegative()

export const pushPlanSchema = z.object({
  folder: z
    .string()
    .optional()
    .describe(
      'The folder of the dbt project in the repository, empty for its root. Absent if the branch has no dbt project; files are then written as generated.',
    ),
  counts: z
    .object({
      create: count.describe('New files.'),
      update: count.describe('Files with new text and no edits by people.'),
      merge: count.describe('Files that a person edited, merged with the new text.'),
      remove: count.describe('Files to remove.'),
      conflict: count.describe('Files in which a person and generation changed the same part.'),
      foreign: count.describe('Files that a person wrote.'),
      unchanged: count.describe('Files that do not change.'),
    })
    .describe('The number of files for each action.'),
  files: z
    .array(
      z.object({
        path: z.string().describe('Relative to the repository.'),
        action: z
          .enum(PLAN_ACTIONS)
          .describe(
            '`update`: the file has not been edited since it was generated. `merge`: a person edited it, and the new text is merged. `conflict`: both changed the same part; the file stays. `foreign`: a person wrote the file; it stays. `orphan`: its unit is gone; it is removed if `changes` is true.',
          ),
        changes: z.boolean().describe('True if the commit changes the file.'),
        covers: z.array(z.string()).describe('The models and source tables in the file.'),
        conflicts: z.array(z.string()).describe('The conflicts, for people.'),
        notes: z.array(z.string()).describe('Notes for people: `edited by hand, so it is not removed`.'),
        diff: z
          .string()
          .optional()
          .describe('A unified diff, of at most 20,000 characters; 400,000 for all files together.'),
        isDiffCut: z.boolean().optional().describe('True if the diff was cut.'),
      }),
    )
    .describe('The files; those that change or need attention come first; at most 1,000.'),
  unlisted: count.optional().describe('The number of files beyond those listed.'),
  tables: z
    .array(
      z.object({
        source: z.string().describe('The dotted name of the source table.'),
        model: z.string().describe('The name of its model.'),
        state: z
          .enum(['new', 'known', 'gone'])
          .describe('`new`: first generated now. `gone`: no longer in the catalog.'),
        drifts: z
          .array(
            z.object({
              kind: z.enum(DRIFT_KINDS).describe('The kind of change.'),
              column: z.string().optional().describe('The column, unless the table itself changed.'),
              before: z.string().optional().describe('The value at the last generation.'),
              after: z.string().optional().describe('The value now.'),
            }),
          )
          .describe('Changes since the last generation.'),
      }),
    )
    .describe('Tables that are new, gone, or changed since the last generation; at most 1,000.'),
  warnings: z
    .array(
      z.object({
        code: z.string().describe('The kind of warning, for programs.'),
        message: z.string().describe('The reason, for people.'),
      }),
    )
    .describe('Points that need attention.'),
})

export const pushSchema = z.object({
  id: idField('push'),
  branch: z.string().describe('The branch that the files are pushed to.'),
  message: z.string().describe('The message of the commit.'),
  unitIds: z.array(idField('unit')).optional().describe('The units to push. Default: all.'),
  analysisId: idField('anl').optional().describe('The analysis whose findings it fixes, in place of units.'),
  overwrite: z
    .boolean()
    .describe('True if it replaces files that someone else has changed since the last push.'),
  dryRun: z.boolean().describe('True if it only plans: nothing is committed, and there is no event.'),
  ...jobFields,
  outcome: z
    .enum(['pushed', 'unchanged', 'planned'])
    .optional()
    .describe(
      '`unchanged`: the branch was already up to date, so there is no new commit. `planned`: a dry run.',
    ),
  commit: z.string().optional().describe('The commit of the push, or the head of an unchanged branch.'),
  files: z
    .array(
      z.object({
        path: z.string().describe('The path in the repository.'),
        change: z.enum(['added', 'changed']).describe('The change that the commit makes.'),
        lines: z.int().nonnegative().describe('The number of its lines.'),
      }),
    )
    .optional()
    .describe('The files of the commit.'),
  removed: z
    .array(z.string())
    .optional()
    .describe(
      'Paths of files of earlier pushes that were removed from the branch, because their unit is gone.',
    ),
  kept: z
    .array(
      z.object({
        path: z.string().describe('The path in the repository.'),
        reason: z.enum(['changed', 'needed']).describe('The reason why it was kept.'),
      }),
    )
    .optional()
    .describe(
      'Files of earlier pushes that were kept although their unit is gone: `changed` by someone else, or `needed` by other files of the branch.',
    ),
  skipped: z
    .array(
      z.object({
        path: z.string().describe('The file that it was left out of.'),
        name: z.string().describe('The name of the model, source table or property.'),
        definedIn: z.string().describe('The file of the branch that defines it.'),
        outcome: z.enum(['used', 'refused']).describe('The decision about that definition.'),
      }),
    )
    .optional()
    .describe(
      'Models, source tables and properties that were left out, because another file of the branch defines them. `used`: the pushed models use that definition. `refused`: it is a different model, or a table in another place, so the model was not pushed.',
    ),
  conflicts: z
    .array(
      z.object({
        path: z.string().describe('The path in the repository.'),
        reasons: z.array(z.string()).describe('The conflicts, for people.'),
      }),
    )
    .optional()
    .describe(
      'Files of a dbt project in which a person and generation changed the same part, or that cannot be edited. They do not change; the rest is pushed.',
    ),
})

export const plannedPushSchema = pushSchema.extend({
  plan: pushPlanSchema
    .optional()
    .describe('The changes of the push, file by file. Present once they are known.'),
})

export const pushMessage = z
  .string()
  .trim()
  .min(1)
  .max(10_000)
  // oxlint-disable-next-line no-control-regex -- searches for NUL
  .regex(/^[^\x00]*$/, 'expected text without NUL')
  .describe('The message of the commit.')

const createBody = z.strictObject({
  branch: z.string().min(1).max(200).describe('The branch to push to; created if it does not exist.'),
  message: pushMessage,
  unitIds: z.array(idField('unit')).min(1).max(10_000).optional().describe('Default: all units.'),
  overwrite: z
    .boolean()
    .optional()
    .describe('Replace files that someone else has changed since the last push. Default false.'),
  dryRun: z
    .boolean()
    .optional()
    .describe('Plan only: the plan is stored with the push, and nothing is committed. Default false.'),
})

export const PUSH_OPERATIONS = {
  createPush: {
    method: 'POST',
    path: '/v1/projects/{projectId}/pushes',
    scope: 'write',
    summary: "Commit the newest files to the project's Git repository, as a job",
    description:
      'Sends the files that the units have at the time of the request. In a branch with a dbt project, it plans as `stagecraft apply --prune` does on disk: existing sources and models are used, changes by people are merged, and files in conflict stay unchanged and are listed as `conflicts`, unless `overwrite` is set. In any other branch, the push fails with `error.details.files` if someone else has changed files since the last push, unless `overwrite` is set. Files of deleted units are removed if they are as they were pushed and nothing in the branch refers to them. Models, source tables and properties that another file of the branch already defines are left out and listed as `skipped`; if no model is left, the push fails with `error.details.files`. Pushes to one branch run in the order of their requests. With `dryRun`, the push is only planned, and nothing is committed.',
    body: createBody,
    examples: {
      short: { branch: 'stagecraft', message: 'Staging models' },
      plan: { branch: 'stagecraft', message: 'Staging models', dryRun: true },
    },
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
    query: jobQuery.extend({
      branch: z.string().min(1).max(200).optional().describe('Only pushes to this branch.'),
      outcome: z
        .enum(['pushed', 'unchanged', 'planned'])
        .optional()
        .describe('Only pushes with this outcome.'),
      search: searchField('their message or commit'),
    }),
    data: listOf(pushSchema),
    isList: true,
  },
  getPush: {
    method: 'GET',
    path: '/v1/projects/{projectId}/pushes/{pushId}',
    scope: 'read',
    summary: 'Get a push, with its plan',
    data: plannedPushSchema,
  },
  cancelPush: {
    method: 'POST',
    path: '/v1/projects/{projectId}/pushes/{pushId}/cancel',
    scope: 'write',
    summary: 'Stop a push that has not started',
    data: pushSchema,
  },
} as const satisfies Record<string, Operation>
