import { z } from '../zod.ts'
import { warningSchema } from '../envelope.ts'
import { TABLE_KINDS } from '../names.ts'
import { tableProfileSchema } from '../profile.ts'
import { observationSchema, tableReferenceSchema, tableSchema } from '../table.ts'
import { idField, jobFields, jobQuery, listOf, pageQuery, searchField, timeField } from './fields.ts'
import type { Operation } from './operation.ts'

const TABLE = 'The dotted name of the table.'

const columnChange = z.object({
  table: z.string().describe(TABLE),
  column: z.string().describe('The name of the column.'),
  type: z.string().describe('Its type.'),
})

export const scanChangesSchema = z.object({
  tablesAdded: z.array(z.string()).describe('Dotted names of new tables.'),
  tablesRemoved: z.array(z.string()).describe('Dotted names of removed tables.'),
  columnsAdded: z.array(columnChange).describe('Columns added to tables that existed before.'),
  columnsRemoved: z.array(columnChange).describe('Columns removed from tables that still exist.'),
  columnsRetyped: z
    .array(
      z.object({
        table: z.string().describe(TABLE),
        column: z.string().describe('The name of the column.'),
        from: z.string().describe('The type in the previous scan.'),
        to: z.string().describe('The type in this scan.'),
      }),
    )
    .describe('Columns whose type has changed.'),
})

export const scanSchema = z.object({
  id: idField('scan'),
  connectionId: idField('conn'),
  profile: z.boolean().describe('True if it reads rows as well.'),
  maxRows: z
    .int()
    .min(1)
    .optional()
    .describe('The rows of tables with more rows are not read. Absent: no limit.'),
  maxBytes: z
    .int()
    .min(1)
    .optional()
    .describe('The rows of tables that take more bytes are not read. Absent: no limit.'),
  ...jobFields,
  progress: z
    .object({
      done: z
        .int()
        .nonnegative()
        .describe('Tables stored so far or, before storing starts, tables profiled so far.'),
      total: z.int().nonnegative().describe('Tables that were read.'),
      bytesToRead: z
        .int()
        .nonnegative()
        .optional()
        .describe(
          'The number of bytes that the first statements of the profile read, without the tables that `maxBytes` leaves out. Present before any row is read, if the warehouse has dry runs (BigQuery).',
        ),
    })
    .optional()
    .describe('The progress in tables; present once the catalog has been read.'),
  tables: z.int().nonnegative().optional().describe('The number of tables and views.'),
  columns: z.int().nonnegative().optional().describe('The number of columns of all tables.'),
  changes: scanChangesSchema
    .optional()
    .describe('Changes since the previous scan; present once it is completed.'),
  warnings: z
    .array(warningSchema)
    .optional()
    .describe('One for each table whose rows were not read. Absent if there are none.'),
})

export const sourceSchema = z.object({
  name: z.string().describe('The dotted name: `raw.stripe.payments`.'),
  connectionId: idField('conn'),
  kind: z.enum(TABLE_KINDS).describe('The kind of table.'),
  comment: z.string().optional().describe('The comment on the table.'),
  columns: z.int().nonnegative().describe('The number of columns.'),
  scanId: idField('scan').describe('The last scan that found it.'),
  scannedAt: timeField,
  profiledAt: timeField
    .optional()
    .describe('The time when a scan last read its rows, in UTC. Absent if no scan has.'),
  observed: observationSchema
    .optional()
    .describe('Facts that hold for its rows. Generated tests and descriptions use them.'),
})

/** The kinds of suggestions: settings of `stagecraft.yml`, and notes that no setting can express. */
export const SUGGESTION_KINDS = [
  'key',
  'references',
  'values',
  'notNull',
  'range',
  'as',
  'loadedAt',
  'form',
  'deleted',
  'versions',
] as const

/** The evidence of a suggestion. */
const SUGGESTION_ORIGINS = ['declared', 'comment', 'data', 'join', 'name'] as const

export const suggestionSchema = z.object({
  id: z.string().describe('The id, the same in every scan: `shop.orders.status:values`.'),
  kind: z.enum(SUGGESTION_KINDS).describe('The setting, or the kind of note.'),
  table: tableReferenceSchema.describe('The table that it is about.'),
  columns: z.array(z.string()).describe('The columns that it is about, as stored.'),
  text: z.string().describe('The proposal: `customers.id`, `open, closed`.'),
  why: z.string().describe('The rule and its evidence.'),
  origin: z
    .enum(SUGGESTION_ORIGINS)
    .describe('The origin of the evidence: `data` are the rows, `join` is the SQL of the project.'),
  confidence: z
    .number()
    .min(0)
    .max(1)
    .describe('The share of suggestions like this one that were right on databases with known keys.'),
  setting: z
    .object({
      path: z.array(z.string()).describe('Its path of keys in the configuration of the project.'),
      value: z.unknown().describe('Its value.'),
    })
    .nullable()
    .describe('The setting that applies the suggestion; null for notes.'),
})

const sourceQuery = pageQuery.extend({
  connectionId: idField('conn').optional(),
  schema: z.string().min(1).optional().describe('Only tables of this schema.'),
  kind: z.enum(TABLE_KINDS).optional().describe('Only tables of this kind.'),
  search: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Only tables with this text in their name; case is ignored.'),
})

export const SCAN_OPERATIONS = {
  createScan: {
    method: 'POST',
    path: '/v1/projects/{projectId}/scans',
    scope: 'write',
    summary: 'Read a catalog into the store, as a job',
    body: z.strictObject({
      connectionId: idField('conn').optional().describe('Default: the connection of the project.'),
      profile: z
        .boolean()
        .default(false)
        .describe(
          'Also read the rows: one aggregate query for every 60 columns of a table, then one for each table with candidates for keys, references and lists of values. Needs a connection whose rows can be read. Default false.',
        ),
      maxRows: z
        .int()
        .min(1)
        .optional()
        .describe(
          'With `profile`: tables with more rows are counted but not read, each with a warning TABLE_TOO_LARGE. Default: every table is read.',
        ),
      maxBytes: z
        .int()
        .min(1)
        .optional()
        .describe(
          'With `profile`: tables that take more bytes are not read, each with a warning TABLE_TOO_LARGE. On BigQuery, this applies to tables and views whose statements would read more, according to a dry run. Default: every table is read.',
        ),
    }),
    isBodyOptional: true,
    examples: { short: {}, withRows: { profile: true, maxRows: 50_000_000, maxBytes: 20_000_000_000 } },
    data: scanSchema,
    status: 202,
    isCreation: true,
    location: '/v1/projects/{projectId}/scans/{id}',
  },
  listScans: {
    method: 'GET',
    path: '/v1/projects/{projectId}/scans',
    scope: 'read',
    summary: 'List the scans of a project',
    query: jobQuery.extend({
      connectionId: idField('conn').optional().describe('Only scans of this connection.'),
    }),
    data: listOf(scanSchema.omit({ changes: true, warnings: true })),
    isList: true,
  },
  getScan: {
    method: 'GET',
    path: '/v1/projects/{projectId}/scans/{scanId}',
    scope: 'read',
    summary: 'Get a scan and the changes since the previous one',
    data: scanSchema,
  },
  cancelScan: {
    method: 'POST',
    path: '/v1/projects/{projectId}/scans/{scanId}/cancel',
    scope: 'write',
    summary: 'Stop a scan that has not finished',
    data: scanSchema,
  },
  listSources: {
    method: 'GET',
    path: '/v1/projects/{projectId}/sources',
    scope: 'read',
    summary: 'List the tables that scans found',
    query: sourceQuery,
    data: listOf(sourceSchema),
    isList: true,
  },
  getSource: {
    method: 'GET',
    path: '/v1/projects/{projectId}/sources/{name}',
    scope: 'read',
    summary: 'Get a table with its columns, keys and comments, as last scanned',
    query: z.strictObject({
      connectionId: idField('conn').optional().describe('Default: the connection of the project.'),
    }),
    data: sourceSchema.extend({
      table: tableSchema.describe('Its columns, keys and comments.'),
      profile: tableProfileSchema
        .optional()
        .describe('Statistics of its rows and columns. Absent if no scan has read its rows.'),
    }),
    failures: ['INVALID_SOURCE'],
  },
  listSuggestions: {
    method: 'GET',
    path: '/v1/projects/{projectId}/suggestions',
    scope: 'read',
    summary:
      'List suggestions: findings of scans with profiles that neither warehouse nor configuration states',
    query: pageQuery.extend({
      connectionId: idField('conn').optional().describe('Default: the connection of the project.'),
      source: z
        .string()
        .min(1)
        .max(1000)
        .optional()
        .describe('Only suggestions for this table, by its dotted name.'),
      kind: z.enum(SUGGESTION_KINDS).optional().describe('Only suggestions of this kind.'),
      search: searchField('their columns and texts'),
    }),
    data: listOf(suggestionSchema),
    isList: true,
    failures: ['INVALID_SOURCE'],
  },
} as const satisfies Record<string, Operation>

export type SuggestionKind = (typeof SUGGESTION_KINDS)[number]
