import { z } from '../zod.ts'
import { warningSchema } from '../envelope.ts'
import { generationOptionsSchema } from '../options.ts'
import { generationRequestSchema } from '../request.ts'
import { deletedSchema, idField, jobFields, jobQuery, listOf, searchField, timeField } from './fields.ts'
import type { Operation } from './operation.ts'
import { unitFilter } from './units.ts'

const readField = z
  .enum(['live', 'scan'])
  .describe('Columns from the warehouse now (default), or from its newest scan.')

/** The request of `POST /generate` to a service with a store: the usual members, and the origin of columns. */
export const storedGenerationRequestSchema = generationRequestSchema.unwrap().extend({
  options: generationOptionsSchema
    .unwrap()
    .extend({ columns: readField.optional() })
    .readonly()
    .optional()
    .describe('Options of this request. They override configuration and preset.'),
})

export const fileSchema = z.object({
  path: z.string().describe('The path in the dbt project.'),
  lines: z.int().nonnegative().describe('The number of its lines.'),
})

export const generationRecordSchema = z.object({
  id: idField('gen'),
  kind: z.enum(['unit', 'project']).describe('A generation of one unit, or a batch (`project`).'),
  unitId: idField('unit').optional().describe('The unit, unless this is a batch.'),
  unitName: z.string().optional().describe('The current name of the unit.'),
  batchId: idField('gen').optional().describe('The batch that this generation is part of.'),
  askedBy: z
    .object({
      requestId: z.string().describe('The id of the request, as in the audit log.'),
      operation: z
        .string()
        .describe(
          'The id of the operation: `createGeneration`, `createUnits`; `generate` for `POST /generate`.',
        ),
      via: z.enum(['key', 'session']).describe('`session`: a sign-in of the dashboard with the key.'),
      keyId: idField('key').describe('The key of the request.'),
      keyName: z.string().optional().describe('The current name of the key.'),
    })
    .optional()
    .describe(
      'The request for this generation, or for its batch. Absent for generations of earlier versions.',
    ),
  ...jobFields,
  files: z
    .array(fileSchema)
    .optional()
    .describe('The files of a completed generation, unless this is a batch.'),
  tests: z.array(z.string()).optional().describe('The data tests that were written.'),
  warnings: z.array(warningSchema).optional().describe('Points that need attention.'),
  tokensUsed: z.int().nonnegative().describe('The tokens of the language model; 0 without one.'),
  durationMs: z.int().nonnegative().optional().describe('The duration in milliseconds.'),
  units: z
    .object({
      total: z.int().nonnegative().describe('The units of the batch.'),
      completed: z.int().nonnegative().describe('Units that were generated.'),
      failed: z.int().nonnegative().describe('Units that failed.'),
      cancelled: z.int().nonnegative().describe('Units that were cancelled.'),
    })
    .optional()
    .describe('The progress of a batch.'),
})

export const comparedSchema = z.object({
  id: idField('gen'),
  unitId: idField('unit').optional(),
  finishedAt: timeField.optional(),
})

export const generationDiffSchema = z.object({
  from: comparedSchema.optional().describe('The earlier generation; absent if there is none.'),
  to: comparedSchema.describe('The requested generation.'),
  files: z
    .array(
      z.object({
        path: z.string().describe('The path in the dbt project.'),
        change: z.enum(['added', 'removed', 'changed', 'unchanged']).describe('The type of change.'),
        added: z.int().nonnegative().describe('The number of lines that were added.'),
        removed: z.int().nonnegative().describe('The number of lines that were removed.'),
        diff: z.string().describe('A unified diff; empty for an unchanged file.'),
      }),
    )
    .describe('All files of both generations, by path.'),
})

const createBody = z.strictObject({
  unitId: idField('unit').optional().describe('One unit. Default: all units of the project.'),
  unitIds: z.array(idField('unit')).min(1).max(10_000).optional().describe('Several units.'),
  filter: unitFilter
    .optional()
    .describe('The units that a filter selects, with the fields of the list of units.'),
  columns: readField.optional(),
})

const generationQuery = jobQuery.extend({
  unitId: idField('unit').optional().describe('Only generations of this unit.'),
  batchId: idField('gen').optional().describe('Only members of this batch.'),
  kind: z.enum(['unit', 'project']).optional().describe('Only generations of units, or only batches.'),
  search: searchField('the name or source of their unit'),
})

export const GENERATION_OPERATIONS = {
  createGeneration: {
    method: 'POST',
    path: '/v1/projects/{projectId}/generations',
    scope: 'generate',
    summary: 'Generate one unit, several or all, as a job',
    body: createBody,
    isBodyOptional: true,
    examples: {
      all: {},
      failed: { filter: { state: 'failed' } },
      one: { unitId: 'unit_0mfx3k9p17c2a94be5d0f8a3b2', columns: 'scan' },
    },
    data: generationRecordSchema,
    status: 202,
    isCreation: true,
    location: '/v1/projects/{projectId}/generations/{id}',
  },
  listGenerations: {
    method: 'GET',
    path: '/v1/projects/{projectId}/generations',
    scope: 'read',
    summary: 'List the generations of a project',
    query: generationQuery,
    data: listOf(generationRecordSchema),
    isList: true,
  },
  getGeneration: {
    method: 'GET',
    path: '/v1/projects/{projectId}/generations/{generationId}',
    scope: 'read',
    summary: 'Get a generation',
    data: generationRecordSchema,
  },
  cancelGeneration: {
    method: 'POST',
    path: '/v1/projects/{projectId}/generations/{generationId}/cancel',
    scope: 'generate',
    summary: 'Stop a generation that has not finished',
    data: generationRecordSchema,
  },
  getGeneratedFile: {
    method: 'GET',
    path: '/v1/projects/{projectId}/generations/{generationId}/files/{path*}',
    scope: 'read',
    summary: 'Get the text of a generated file',
    media: 'text/plain; charset=utf-8',
  },
  diffGenerations: {
    method: 'GET',
    path: '/v1/projects/{projectId}/generations/{generationId}/diff',
    scope: 'read',
    summary: 'Compare the files of two generations',
    query: z.strictObject({
      with: idField('gen')
        .optional()
        .describe('The generation to compare with. Default: the previous completed one of the same unit.'),
    }),
    data: generationDiffSchema,
  },
  deleteGeneration: {
    method: 'DELETE',
    path: '/v1/projects/{projectId}/generations/{generationId}',
    scope: 'write',
    summary: 'Delete a generation that has ended, with its files',
    description:
      'The newest completed generation of a unit cannot be deleted, because archives and pushes use it. `keepGenerations` of the project deletes old ones automatically.',
    data: deletedSchema,
  },
  getArchive: {
    method: 'GET',
    path: '/v1/projects/{projectId}/archive',
    scope: 'read',
    summary: 'Get the newest files of all units as a zip file',
    description: 'Tables of one source share their YAML files, as in a dbt project.',
    media: 'application/zip',
  },
} as const satisfies Record<string, Operation>
