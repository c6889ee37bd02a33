import { z } from '../zod.ts'
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

export const connectionSchema = z.object({
  id: idField('conn'),
  name: z.string().describe('The name of the connection.'),
  kind: z.string().describe('`postgres`, `duckdb`, `dbt`.'),
  target: z.string().describe('The target, without user, password and options.'),
  isDefault: z.boolean().describe('True for the connection that is used if a request does not name one.'),
  lastTest: z
    .object({
      at: timeField,
      ok: z.boolean().describe('True if it could be opened.'),
      reason: z.string().optional().describe('The reason why it could not be opened.'),
    })
    .optional()
    .describe('The result of the last test.'),
  ...recordFields,
})

const catalogField = z
  .string()
  .min(1)
  .max(8192)
  .describe('A catalog as on the command line: `postgres://…`. Stored encrypted, never returned.')

const createBody = z.strictObject({
  name: nameField,
  catalog: catalogField,
  isDefault: z.boolean().optional().describe('Default: true for the first one of the project.'),
})

export const connectionTestSchema = z.object({
  ok: z.literal(true).describe('Always true: a connection that cannot be opened is a failure.'),
  dialect: z.string().optional().describe('The dialect of the warehouse, if its catalog states it.'),
  tables: z.int().nonnegative().describe('The number of tables and views.'),
  durationMs: z.int().nonnegative().describe('The duration of the test in milliseconds.'),
})

export const CONNECTION_OPERATIONS = {
  createConnection: {
    method: 'POST',
    path: '/v1/projects/{projectId}/connections',
    scope: 'admin',
    summary: 'Create a connection',
    description: 'Stores the connection without testing it; `testConnection` tests it.',
    body: createBody,
    examples: { postgres: { name: 'warehouse', catalog: 'postgres://reader:secret@db.example.com/raw' } },
    data: connectionSchema,
    status: 201,
    isCreation: true,
    hasVersion: true,
    location: '/v1/projects/{projectId}/connections/{id}',
  },
  listConnections: {
    method: 'GET',
    path: '/v1/projects/{projectId}/connections',
    scope: 'read',
    summary: 'List the connections of a project',
    query: pageQuery.extend({
      kind: z.string().min(1).max(50).optional().describe('Only connections of this kind: `postgres`.'),
      search: searchField('their name or target'),
    }),
    data: listOf(connectionSchema),
    isList: true,
  },
  getConnection: {
    method: 'GET',
    path: '/v1/projects/{projectId}/connections/{connectionId}',
    scope: 'read',
    summary: 'Get a connection',
    data: connectionSchema,
    hasVersion: true,
  },
  updateConnection: {
    method: 'PATCH',
    path: '/v1/projects/{projectId}/connections/{connectionId}',
    scope: 'admin',
    summary: 'Change a connection',
    body: createBody.partial(),
    examples: { name: { name: 'warehouse, read only' } },
    data: connectionSchema,
    hasVersion: true,
  },
  deleteConnection: {
    method: 'DELETE',
    path: '/v1/projects/{projectId}/connections/{connectionId}',
    scope: 'admin',
    summary: 'Delete a connection and the results of its scans',
    data: deletedSchema,
    hasVersion: true,
  },
  testConnection: {
    method: 'POST',
    path: '/v1/projects/{projectId}/connections/{connectionId}/test',
    scope: 'write',
    summary: 'Test a connection now',
    data: connectionTestSchema,
    failures: ['CONNECTION_FAILED'],
  },
} as const satisfies Record<string, Operation>
