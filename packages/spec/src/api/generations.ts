import { z } from 'zod'
import { warningSchema } from '../envelope.ts'
import { generationOptionsSchema } from '../options.ts'
import { generationRequestSchema } from '../request.ts'
import { idField, jobFields, jobQuery, listOf } from './fields.ts'
import type { Operation } from './operation.ts'

const readField = z
  .enum(['live', 'scan'])
  .describe('Columns from the warehouse now (default), or from its newest scan.')

/** `POST /generate` of a service with a store: as ever, and where columns come from. */
export const storedGenerationRequestSchema = generationRequestSchema.unwrap().extend({
  options: generationOptionsSchema.unwrap().extend({ columns: readField.optional() }).readonly().optional(),
})

export const fileSchema = z.object({
  path: z.string(),
  lines: z.int().nonnegative(),
})

export const generationRecordSchema = z.object({
  id: idField('gen'),
  kind: z.enum(['unit', 'project']).describe('A generation of one unit, or a batch (`project`).'),
  unitId: idField('unit').optional().describe('The unit, unless this is a batch.'),
  batchId: idField('gen').optional().describe('The batch that this generation is part of.'),
  ...jobFields,
  files: z
    .array(fileSchema)
    .optional()
    .describe('The files of a completed generation, unless this is a batch.'),
  tests: z.array(z.string()).optional(),
  warnings: z.array(warningSchema).optional(),
  tokensUsed: z.int().nonnegative(),
  durationMs: z.int().nonnegative().optional(),
  units: z
    .object({
      total: z.int().nonnegative(),
      completed: z.int().nonnegative(),
      failed: z.int().nonnegative(),
      cancelled: z.int().nonnegative(),
    })
    .optional()
    .describe('The progress of a batch.'),
})

const createBody = z.strictObject({
  unitId: idField('unit').optional().describe('One unit. Default: all units of the project.'),
  unitIds: z.array(idField('unit')).min(1).max(10_000).optional().describe('Several units.'),
  columns: readField.optional(),
})

const generationQuery = jobQuery.extend({
  unitId: idField('unit').optional(),
  batchId: idField('gen').optional(),
  kind: z.enum(['unit', 'project']).optional(),
})

export const GENERATION_OPERATIONS = {
  createGeneration: {
    method: 'POST',
    path: '/v1/projects/{projectId}/generations',
    scope: 'generate',
    summary: 'Generate one unit, several or all, as a job',
    body: createBody,
    isBodyOptional: true,
    examples: { all: {}, one: { unitId: 'unit_0mfx3k9p17c2a94be5d0f8a3b2', columns: 'scan' } },
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
  getArchive: {
    method: 'GET',
    path: '/v1/projects/{projectId}/archive',
    scope: 'read',
    summary: 'Get the newest files of all units as a zip file',
    description: 'Tables of one source share their YAML files, as in a dbt project.',
    media: 'application/zip',
  },
} as const satisfies Record<string, Operation>

export type GenerationRecord = z.infer<typeof generationRecordSchema>
export type StoredGenerationRequest = z.infer<typeof storedGenerationRequestSchema>
