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
  tablesAdded: z.array(z.string()).describe('Dotted names of tables that are new.'),
  tablesRemoved: z.array(z.string()).describe('Dotted names of tables that are gone.'),
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
    .describe('Columns with another type than before.'),
})

export const scanSchema = z.object({
  id: idField('scan'),
  connectionId: idField('conn'),
  profile: z.boolean().describe('True if it reads rows as well.'),
  maxRows: z.int().min(1).optional().describe('Rows of larger tables are not read. Absent: all are.'),
  maxBytes: z
    .int()
    .min(1)
    .optional()
    .describe('Rows of tables that take more bytes are not read. Absent: all are.'),
  ...jobFields,
  progress: z
    .object({
      done: z.int().nonnegative().describe('Tables that are stored; before that, tables that are profiled.'),
      total: z.int().nonnegative().describe('Tables that were read.'),
      bytesToRead: z
        .int()
        .nonnegative()
        .optional()
        .describe(
          'What the first statements of the profile read, in bytes, without the tables that `maxBytes` leaves out. Present before a row is read, if the warehouse tells it by a dry run (BigQuery).',
        ),
    })
    .optional()
    .describe('The number of tables that are done; present once the catalog was read.'),
  tables: z.int().nonnegative().optional().describe('The number of tables and views.'),
  columns: z.int().nonnegative().optional().describe('The number of columns of all tables.'),
  changes: scanChangesSchema
    .optional()
    .describe('Changes since the previous scan; present once it is completed.'),
  warnings: z
    .array(warningSchema)
    .optional()
    .describe('One for each table whose rows were not read. Absent when there is none.'),
})

export const sourceSchema = z.object({
  name: z.string().describe('The dotted name: `raw.stripe.payments`.'),
  connectionId: idField('conn'),
  kind: z.enum(TABLE_KINDS).describe('The kind of table.'),
  comment: z.string().optional().describe('The comment on the table.'),
  columns: z.int().nonnegative().describe('The number of columns.'),
  scanId: idField('scan').describe('The scan that saw it last.'),
  scannedAt: timeField,
  profiledAt: timeField
    .optional()
    .describe('The time when a scan last looked at its rows, in UTC. Absent when none did.'),
  observed: observationSchema
    .optional()
    .describe('The facts that its rows were found to keep. Generated tests and descriptions use them.'),
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
  id: z.string().describe('`shop.orders.status:values`: the same for the same thing in every scan.'),
  kind: z.enum(SUGGESTION_KINDS).describe('The setting, or the kind of note.'),
  table: tableReferenceSchema.describe('The table that it is about.'),
  columns: z.array(z.string()).describe('The columns that it is about, as stored.'),
  text: z.string().describe('The proposal: `customers.id`, `open, closed`.'),
  why: z.string().describe('The rule, and what was looked at.'),
  origin: z
    .enum(SUGGESTION_ORIGINS)
    .describe('The evidence; `data` has looked at the rows, `join` at SQL of the project.'),
  confidence: z
    .number()
    .min(0)
    .max(1)
    .describe('Share of proposals like this one that were right on databases with known keys.'),
  setting: z
    .object({
      path: z.array(z.string()).describe('The keys that lead to it in the configuration of the project.'),
      value: z.unknown().describe('Its value.'),
    })
    .nullable()
    .describe('The setting that makes it so; null for notes.'),
})

const sourceQuery = pageQuery.extend({
  connectionId: idField('conn').optional(),
  schema: z.string().min(1).optional().describe('Tables of this schema only.'),
  kind: z.enum(TABLE_KINDS).optional().describe('Tables of this kind only.'),
  search: z.string().min(1).max(200).optional().describe('Tables with this text in their name, in any case.'),
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
          'Also read the rows: one aggregate query per table and 60 columns, then one per table with candidates for keys, references and lists of values. Needs a connection whose rows can be read. Default false.',
        ),
      maxRows: z
        .int()
        .min(1)
        .optional()
        .describe(
          'With `profile`: rows of larger tables are counted and not read, each with a warning TABLE_TOO_LARGE. Default: every table is read.',
        ),
      maxBytes: z
        .int()
        .min(1)
        .optional()
        .describe(
          'With `profile`: tables that take more bytes are not read, each with a warning TABLE_TOO_LARGE. On BigQuery, tables and views whose statements would read more, by a dry run. Default: every table is read.',
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
      connectionId: idField('conn').optional().describe('Scans of this connection only.'),
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
    summary: 'Get a table with its columns, keys and comments, as it was last scanned',
    query: z.strictObject({
      connectionId: idField('conn').optional().describe('Default: the connection of the project.'),
    }),
    data: sourceSchema.extend({
      table: tableSchema.describe('Its columns, keys and comments.'),
      profile: tableProfileSchema
        .optional()
        .describe('The figures of its rows and columns. Absent when no scan has looked at its rows.'),
    }),
    failures: ['INVALID_SOURCE'],
  },
  listSuggestions: {
    method: 'GET',
    path: '/v1/projects/{projectId}/suggestions',
    scope: 'read',
    summary: 'List what scans with profiles found and neither warehouse nor configuration says',
    query: pageQuery.extend({
      connectionId: idField('conn').optional().describe('Default: the connection of the project.'),
      source: z.string().min(1).max(1000).optional().describe('Of this table only, by its dotted name.'),
      kind: z.enum(SUGGESTION_KINDS).optional().describe('Suggestions of this kind only.'),
      search: searchField('their columns and texts'),
    }),
    data: listOf(suggestionSchema),
    isList: true,
    failures: ['INVALID_SOURCE'],
  },
} as const satisfies Record<string, Operation>

export type SuggestionKind = (typeof SUGGESTION_KINDS)[number]
