import { z } from 'zod'
import { TABLE_KINDS } from '../names.ts'
import { tableSchema } from '../table.ts'
import { idField, jobFields, jobQuery, listOf, pageQuery, timeField } from './fields.ts'
import type { Operation } from './operation.ts'

const columnChange = z.object({ table: z.string(), column: z.string(), type: z.string() })

export const scanChangesSchema = z.object({
  tablesAdded: z.array(z.string()),
  tablesRemoved: z.array(z.string()),
  columnsAdded: z.array(columnChange).describe('Columns added to tables that existed before.'),
  columnsRemoved: z.array(columnChange).describe('Columns removed from tables that still exist.'),
  columnsRetyped: z.array(
    z.object({ table: z.string(), column: z.string(), from: z.string(), to: z.string() }),
  ),
})

export const scanSchema = z.object({
  id: idField('scan'),
  connectionId: idField('conn'),
  ...jobFields,
  progress: z
    .object({ done: z.int().nonnegative(), total: z.int().nonnegative() })
    .optional()
    .describe('The number of stored tables; present once the catalog was read.'),
  tables: z.int().nonnegative().optional(),
  columns: z.int().nonnegative().optional(),
  changes: scanChangesSchema
    .optional()
    .describe('Changes since the previous scan; present once it is completed.'),
})

export const sourceSchema = z.object({
  name: z.string().describe('The dotted name: `raw.stripe.payments`.'),
  connectionId: idField('conn'),
  kind: z.enum(TABLE_KINDS),
  comment: z.string().optional(),
  columns: z.int().nonnegative().describe('The number of columns.'),
  scanId: idField('scan').describe('The scan that saw it last.'),
  scannedAt: timeField,
})

const sourceQuery = pageQuery.extend({
  connectionId: idField('conn').optional(),
  schema: z.string().min(1).optional().describe('Tables of this schema only.'),
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
    }),
    isBodyOptional: true,
    examples: { short: {} },
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
    query: jobQuery,
    data: listOf(scanSchema.omit({ changes: true })),
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
    data: sourceSchema.extend({ table: tableSchema }),
    failures: ['INVALID_SOURCE'],
  },
} as const satisfies Record<string, Operation>

export type ScanResource = z.infer<typeof scanSchema>
export type ScanChanges = z.infer<typeof scanChangesSchema>
export type SourceResource = z.infer<typeof sourceSchema>
