import { z } from '../zod.ts'
import { deletedSchema, idField, listOf, nameField, pageQuery, searchField, timeField } from './fields.ts'
import { type Operation, SCOPES } from './operation.ts'

const scopesField = z
  .array(z.enum(SCOPES))
  .min(1)
  .max(SCOPES.length)
  .describe('The operations that the key may call.')

export const keySchema = z.object({
  id: idField('key'),
  name: z.string().describe('The name of the key.'),
  hint: z.string().describe('The beginning and end of the key: `sk_live_UJZR…3le5`.'),
  scopes: scopesField,
  createdAt: timeField,
  expiresAt: timeField.optional(),
  lastUsedAt: timeField.optional().describe('The time of the last use, to the minute.'),
  revokedAt: timeField.optional(),
})

export const keySecretSchema = keySchema.extend({
  secret: z.string().describe('The key itself, shown only once.'),
})

/** The states of a key, derived from its times. */
const KEY_STATES = ['active', 'expired', 'revoked'] as const

const keyQuery = pageQuery.extend({
  state: z.enum(KEY_STATES).optional().describe('Only keys in this state.'),
  search: searchField('their name'),
})

const createBody = z.strictObject({
  name: nameField,
  scopes: scopesField.describe('A key can grant only scopes that it has.'),
  expiresAt: timeField.optional().describe('Default: never.'),
})

const rotateBody = z.strictObject({
  overlapSeconds: z
    .int()
    .min(0)
    .max(604_800)
    .optional()
    .describe('The time in seconds for which the old key stays valid. Default 86400.'),
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
    query: keyQuery,
    data: listOf(keySchema),
    isList: true,
  },
  rotateKey: {
    method: 'POST',
    path: '/v1/projects/{projectId}/keys/{keyId}/rotate',
    scope: 'admin',
    summary: 'Replace a key; both are valid for a time',
    description:
      'The new key has the name and the scopes of the old one, and the same lifetime, counted from now. The old key expires after the overlap.',
    body: rotateBody,
    isBodyOptional: true,
    examples: { short: {}, hour: { overlapSeconds: 3600 } },
    data: keySecretSchema,
    status: 201,
    isCreation: true,
  },
  revokeKey: {
    method: 'DELETE',
    path: '/v1/projects/{projectId}/keys/{keyId}',
    scope: 'admin',
    summary: 'Revoke a key; it stops working immediately',
    data: deletedSchema,
  },
} as const satisfies Record<string, Operation>
