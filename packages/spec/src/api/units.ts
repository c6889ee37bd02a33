import { z } from 'zod'
import { MODEL_KINDS } from '../names.ts'
import { generationOptionsSchema } from '../options.ts'
import { deletedSchema, idField, listOf, nameField, pageQuery, recordFields } from './fields.ts'
import type { Operation } from './operation.ts'

const sourceField = z
  .string()
  .min(1)
  .max(1000)
  .describe('Dotted name of the source table: `raw.stripe.payments`.')

export const unitSchema = z.object({
  id: idField('unit'),
  name: z.string().describe('Default: the name of its model, derived from the source name.'),
  type: z.enum(MODEL_KINDS),
  source: z.string(),
  options: generationOptionsSchema,
  connectionId: idField('conn').optional().describe('Default: the connection of the project.'),
  lastGenerationId: idField('gen').optional().describe('The newest generation that was completed.'),
  ...recordFields,
})

const createBody = z.strictObject({
  name: nameField.optional(),
  type: z.enum(MODEL_KINDS),
  source: sourceField,
  options: generationOptionsSchema.optional(),
  connectionId: idField('conn').optional(),
})

const patchBody = z
  .strictObject({
    name: nameField,
    options: generationOptionsSchema.describe('Replaces all of them.'),
    connectionId: idField('conn').nullable(),
  })
  .partial()

const unitQuery = pageQuery.extend({
  type: z.enum(MODEL_KINDS).optional(),
  source: z.string().min(1).optional().describe('The unit of exactly this source.'),
})

export const UNIT_OPERATIONS = {
  createUnit: {
    method: 'POST',
    path: '/v1/projects/{projectId}/units',
    scope: 'write',
    summary: 'Create a unit: a named model to generate',
    description: 'A project has one unit for each type and source.',
    body: createBody,
    examples: {
      short: { type: 'staging', source: 'raw.stripe.payments' },
      whole: {
        name: 'Payments',
        type: 'staging',
        source: 'raw.stripe.payments',
        options: { addTests: true, addDocs: true },
      },
    },
    data: unitSchema,
    status: 201,
    isCreation: true,
    hasVersion: true,
    location: '/v1/projects/{projectId}/units/{id}',
    failures: ['INVALID_SOURCE'],
  },
  listUnits: {
    method: 'GET',
    path: '/v1/projects/{projectId}/units',
    scope: 'read',
    summary: 'List the units of a project',
    query: unitQuery,
    data: listOf(unitSchema),
    isList: true,
  },
  getUnit: {
    method: 'GET',
    path: '/v1/projects/{projectId}/units/{unitId}',
    scope: 'read',
    summary: 'Get a unit',
    data: unitSchema,
    hasVersion: true,
  },
  updateUnit: {
    method: 'PATCH',
    path: '/v1/projects/{projectId}/units/{unitId}',
    scope: 'write',
    summary: 'Change a unit',
    body: patchBody,
    examples: { options: { options: { addTests: true } } },
    data: unitSchema,
    hasVersion: true,
  },
  deleteUnit: {
    method: 'DELETE',
    path: '/v1/projects/{projectId}/units/{unitId}',
    scope: 'write',
    summary: 'Delete a unit and its generations',
    data: deletedSchema,
    hasVersion: true,
  },
} as const satisfies Record<string, Operation>

export type UnitResource = z.infer<typeof unitSchema>
