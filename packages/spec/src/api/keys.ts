import { z } from 'zod'
import { deletedSchema, idField, listOf, nameField, pageQuery, timeField } from './fields.ts'
import { type Operation, SCOPES } from './operation.ts'

const scopesField = z.array(z.enum(SCOPES)).min(1).max(SCOPES.length)

export const keySchema = z.object({
  id: idField('key'),
  name: z.string(),
  hint: z.string().describe('Beginning and end of the key: `sk_live_UJZR…3le5`.'),
  scopes: scopesField,
  createdAt: timeField,
  expiresAt: timeField.optional(),
  lastUsedAt: timeField.optional().describe('To the minute.'),
  revokedAt: timeField.optional(),
})

export const keySecretSchema = keySchema.extend({
  secret: z.string().describe('The key itself, shown only once.'),
})

const createBody = z.strictObject({
  name: nameField,
  scopes: scopesField.describe('A key can grant only scopes that it has.'),
  expiresAt: timeField.optional().describe('Default: never.'),
})

export const KEY_OPERATIONS = {
  createKey: {
    method: 'POST',
    path: '/v1/projects/{projectId}/keys',
    scope: 'admin',
    summary: 'Create a key',
    body: createBody,
    examples: { ci: { name: 'ci', scopes: ['generate', 'read'] } },
    data: keySecretSchema,
    status: 201,
    isCreation: true,
  },
  listKeys: {
    method: 'GET',
    path: '/v1/projects/{projectId}/keys',
    scope: 'admin',
    summary: 'List the keys of a project',
    query: pageQuery,
    data: listOf(keySchema),
    isList: true,
  },
  revokeKey: {
    method: 'DELETE',
    path: '/v1/projects/{projectId}/keys/{keyId}',
    scope: 'admin',
    summary: 'Revoke a key; it stops working immediately',
    data: deletedSchema,
  },
} as const satisfies Record<string, Operation>

export type KeyResource = z.infer<typeof keySchema>
export type KeySecret = z.infer<typeof keySecretSchema>
