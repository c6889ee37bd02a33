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

/** The states of a unit, derived from its generations. */
const UNIT_STATES = ['new', 'generating', 'generated', 'failed'] as const

export type UnitState = (typeof UNIT_STATES)[number]

/** The possible changes since a unit was generated. */
const UNIT_CHANGES = ['source', 'files'] as const

export type UnitChange = (typeof UNIT_CHANGES)[number]

const TYPE = 'The type of model to write.'
const OPTIONS = 'The options of its generations. They override those of the project.'
const CONNECTION = 'The connection of its source. Default: the connection of the project.'
const NAME = 'The name of the unit. Default: the name of its model, derived from the source name.'

const sourceField = z
  .string()
  .min(1)
  .max(1000)
  .describe('The dotted name of the source table: `raw.stripe.payments`.')

export const unitSchema = z.object({
  id: idField('unit'),
  name: z.string().describe(NAME),
  type: z.enum(MODEL_TYPES).describe(TYPE),
  source: z.string().describe('The dotted name of the source table.'),
  options: generationOptionsSchema.describe(OPTIONS),
  connectionId: idField('conn').optional().describe(CONNECTION),
  state: z
    .enum(UNIT_STATES)
    .describe(
      '`generated` and `failed` describe the newest generation that has ended; a `new` unit has none.',
    ),
  lastGenerationId: idField('gen').optional().describe('The newest completed generation.'),
  generatedAt: timeField.optional().describe('The end of that generation.'),
  tests: z.array(z.string()).optional().describe('The kinds of data tests that it wrote.'),
  columns: z.int().nonnegative().optional().describe('The number of columns of its table at that time.'),
  changed: z
    .array(z.enum(UNIT_CHANGES))
    .optional()
    .describe(
      'The changes since then; absent if there are none. `source`: a scan found other columns, or no longer found the table. `files`: the newest push that planned the unit found that a person had edited its model.',
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
    options: generationOptionsSchema.describe('The new options. They replace all earlier ones.'),
    connectionId: idField('conn').nullable().describe(CONNECTION),
  })
  .partial()

const unitQuery = pageQuery.extend({
  type: z.enum(MODEL_TYPES).optional().describe('Only units of this type.'),
  source: z.string().min(1).optional().describe('The unit of exactly this source.'),
  state: z.enum(UNIT_STATES).optional().describe('Only units in this state.'),
  connectionId: idField('conn').optional().describe('Only units that name this connection.'),
  changed: z
    .enum(UNIT_CHANGES)
    .optional()
    .describe('Only units whose source table or files have changed since they were generated.'),
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
      'Names of scanned tables; case is ignored, and `*` matches any characters: `raw.stripe.*`. Default: all.',
    ),
  exclude: patternsField.optional().describe('Names and patterns of tables to leave out.'),
  options: generationOptionsSchema.optional().describe(OPTIONS),
  generate: z.boolean().optional().describe('Also generate all selected units, as one batch. Default false.'),
  columns: z
    .enum(['live', 'scan'])
    .optional()
    .describe('Columns from the warehouse now (default), or from its newest scan.'),
  dryRun: z.boolean().optional().describe('Preview only: no unit is created. Default false.'),
})

const createdUnitsSchema = z.object({
  matched: z.int().nonnegative().describe('The number of selected tables.'),
  created: z
    .int()
    .nonnegative()
    .describe('Units that were created; in a dry run, units that would be created.'),
  existing: z.int().nonnegative().describe('Units that existed before; they do not change.'),
  units: z
    .array(
      z.object({
        source: z.string().describe('The dotted name of the source table.'),
        name: z.string().describe('The name of its model.'),
        unitId: idField('unit').optional().describe('Its unit; absent if a dry run would create it.'),
        isNew: z.boolean().describe('False for a unit that existed before.'),
      }),
    )
    .describe('The first 1,000 units, by source.'),
  generationId: idField('gen').optional().describe('The batch that generates them.'),
})

const explanationQuery = z.strictObject({
  columns: z
    .enum(['generation', 'live', 'scan'])
    .optional()
    .describe(
      'The columns to explain: those of the newest completed generation (default, if there is one), with the decisions of its language model; of the warehouse now (default otherwise); or of its newest scan.',
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
    summary: 'Create units for scanned tables, and generate them as one job',
    description:
      'Creates all units or none, at most 10,000. Tables that already have a unit of the type keep it. With `generate`, the key also needs the scope `generate`, and `generationId` is the batch. A dry run returns status 200.',
    body: createManyBody,
    examples: {
      count: { type: 'staging', dryRun: true },
      schema: { type: 'staging', select: ['raw.stripe.*'], exclude: ['*_backup'], generate: true },
    },
    data: createdUnitsSchema,
    status: 201,
    otherStatus: { status: 200, when: 'It was a dry run: nothing was created.' },
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
      'For every name, value, group, test and description: the rule that decided it, its evidence, and the keys of the configuration that change it.',
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
