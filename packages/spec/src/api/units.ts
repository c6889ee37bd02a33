import { z } from '../zod.ts'
import { explanationSchema } from '../explanation.ts'
import { MODEL_TYPES } from '../names.ts'
import { generationOptionsSchema } from '../options.ts'
import {
  deletedSchema,
  idField,
  listOf,
  nameField,
  pageQuery,
  recordFields,
  searchField,
  timeField,
} from './fields.ts'
import type { Operation } from './operation.ts'

/** The states of a unit, which follow from its generations. */
const UNIT_STATES = ['new', 'generating', 'generated', 'failed'] as const

export type UnitState = (typeof UNIT_STATES)[number]

/** The possible changes since a unit was generated. */
const UNIT_CHANGES = ['source', 'files'] as const

export type UnitChange = (typeof UNIT_CHANGES)[number]

const TYPE = 'The type of model to write.'
const OPTIONS = 'The options of its generations, over those of the project.'
const CONNECTION = 'Default: the connection of the project.'
const NAME = 'Default: the name of its model, derived from the source name.'

const sourceField = z
  .string()
  .min(1)
  .max(1000)
  .describe('Dotted name of the source table: `raw.stripe.payments`.')

export const unitSchema = z.object({
  id: idField('unit'),
  name: z.string().describe(NAME),
  type: z.enum(MODEL_TYPES).describe(TYPE),
  source: z.string().describe('Dotted name of the source table.'),
  options: generationOptionsSchema.describe(OPTIONS),
  connectionId: idField('conn').optional().describe(CONNECTION),
  state: z
    .enum(UNIT_STATES)
    .describe('`generated` and `failed` are of the newest generation that has ended; `new` has none.'),
  lastGenerationId: idField('gen').optional().describe('The newest generation that was completed.'),
  generatedAt: timeField.optional().describe('The end of that generation.'),
  tests: z.array(z.string()).optional().describe('The kinds of data tests that it wrote.'),
  columns: z.int().nonnegative().optional().describe('The number of columns of its table then.'),
  changed: z
    .array(z.enum(UNIT_CHANGES))
    .optional()
    .describe(
      'What has changed since; absent if nothing has. `source`: a scan found other columns, or the table gone. `files`: the newest push that planned the unit found that a person had edited its model.',
    ),
  ...recordFields,
})

const createBody = z.strictObject({
  name: nameField.optional().describe(NAME),
  type: z.enum(MODEL_TYPES).describe(TYPE),
  source: sourceField,
  options: generationOptionsSchema.optional().describe(OPTIONS),
  connectionId: idField('conn').optional().describe(CONNECTION),
})

const patchBody = z
  .strictObject({
    name: nameField,
    options: generationOptionsSchema.describe('Replaces all of them.'),
    connectionId: idField('conn').nullable().describe(CONNECTION),
  })
  .partial()

const unitQuery = pageQuery.extend({
  type: z.enum(MODEL_TYPES).optional().describe('Units of this type of model only.'),
  source: z.string().min(1).optional().describe('The unit of exactly this source.'),
  state: z.enum(UNIT_STATES).optional().describe('Units in this state only.'),
  connectionId: idField('conn').optional().describe('Units that name this connection only.'),
  changed: z
    .enum(UNIT_CHANGES)
    .optional()
    .describe('Units whose source table or files have changed since they were generated only.'),
  search: searchField('their name or source'),
})

/** A filter of units. */
export const unitFilter = unitQuery.omit({ limit: true, cursor: true })

const patternsField = z.array(z.string().min(1).max(1000)).min(1).max(1000)

const createManyBody = z.strictObject({
  type: z.enum(MODEL_TYPES).describe(TYPE),
  connectionId: idField('conn').optional().describe(CONNECTION),
  select: patternsField
    .optional()
    .describe(
      'Names of scanned tables, in any case; `*` stands for any characters: `raw.stripe.*`. Default: all.',
    ),
  exclude: patternsField.optional().describe('Names and patterns of tables to leave out.'),
  options: generationOptionsSchema.optional().describe(OPTIONS),
  generate: z
    .boolean()
    .optional()
    .describe('Also generate all that are selected, as one batch. Default false.'),
  columns: z
    .enum(['live', 'scan'])
    .optional()
    .describe('Columns from the warehouse now (default), or from its newest scan.'),
  dryRun: z.boolean().optional().describe('Only tell which units there would be. Default false.'),
})

const createdUnitsSchema = z.object({
  matched: z.int().nonnegative().describe('The number of tables that are selected.'),
  created: z.int().nonnegative().describe('Units that were created; of a dry run, those that would be.'),
  existing: z.int().nonnegative().describe('Units that there were before; they stay as they are.'),
  units: z
    .array(
      z.object({
        source: z.string().describe('Dotted name of the source table.'),
        name: z.string().describe('The name of its model.'),
        unitId: idField('unit').optional().describe('Its unit; absent if a dry run would create it.'),
        isNew: z.boolean().describe('False for a unit that there was before.'),
      }),
    )
    .describe('The first 1,000 of them, by their sources.'),
  generationId: idField('gen').optional().describe('The batch that generates them.'),
})

const explanationQuery = z.strictObject({
  columns: z
    .enum(['generation', 'live', 'scan'])
    .optional()
    .describe(
      'Columns of the newest completed generation (default, if there is one), with what a language model decided then; of the warehouse now (default otherwise); or of its newest scan.',
    ),
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
  createUnits: {
    method: 'POST',
    path: '/v1/projects/{projectId}/units/from-sources',
    scope: 'write',
    summary: 'Create units of scanned tables, and generate them as one job',
    description:
      'All of them or none, at most 10,000. Tables that have a unit of the type keep it. With `generate` the key needs the scope `generate` too, and `generationId` is the batch. A dry run answers 200.',
    body: createManyBody,
    examples: {
      count: { type: 'staging', dryRun: true },
      schema: { type: 'staging', select: ['raw.stripe.*'], exclude: ['*_backup'], generate: true },
    },
    data: createdUnitsSchema,
    status: 201,
    otherStatus: { status: 200, when: 'It was a dry run: nothing is made.' },
    isCreation: true,
  },
  countUnits: {
    method: 'GET',
    path: '/v1/projects/{projectId}/unit-count',
    scope: 'read',
    summary: 'Count the units of a project that a filter selects',
    query: unitFilter,
    data: z.object({ units: z.int().nonnegative().describe('The number of units.') }),
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
  explainUnit: {
    method: 'GET',
    path: '/v1/projects/{projectId}/units/{unitId}/explanation',
    scope: 'read',
    summary: 'Explain the model of a unit',
    description:
      'Of every name, value, group, test and description: the rule that decided it, its evidence, and the keys of the configuration that change it.',
    query: explanationQuery,
    data: explanationSchema,
    failures: ['INVALID_SOURCE', 'CONNECTION_FAILED', 'GENERATION_FAILED'],
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
