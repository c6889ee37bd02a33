import { z } from '../zod.ts'
import { deletedSchema, idField, timeField } from './fields.ts'
import { type Operation, SCOPES } from './operation.ts'

export const sessionSchema = z.object({
  id: idField('ses').optional().describe('The id of the session; absent for a call with a key.'),
  projectId: idField('proj').describe('The project of the key.'),
  keyId: idField('key').describe('The key of the session.'),
  keyName: z.string().describe('The name of that key.'),
  scopes: z.array(z.enum(SCOPES)).describe('The operations that the key may call.'),
  keyExpiresAt: timeField.optional().describe('The time at which the key expires, and the session with it.'),
  createdAt: timeField.optional().describe('The time of the sign-in.'),
  expiresAt: timeField.optional().describe('The time at which the session ends, even if it is in use.'),
  idleExpiresAt: timeField
    .optional()
    .describe('The time at which the session ends if it is not used before.'),
})

const createBody = z
  .strictObject({
    key: z.string().min(1).max(512).optional().describe('A key of the project.'),
    code: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('A code for one sign-in, from the link that `stagecraft serve` prints.'),
  })
  .refine(({ code, key }) => (code === undefined) !== (key === undefined), 'expected either key or code')

export const SESSION_OPERATIONS = {
  createSession: {
    method: 'POST',
    path: '/v1/session',
    scope: 'none',
    summary: 'Sign in to the dashboard with a key',
    description:
      'Sets a cookie that replaces the key: `__Host-stagecraft`, or `stagecraft` over plain HTTP on this machine; `HttpOnly` and `SameSite=Strict`. A session ends after 12 hours without use, after 7 days, or with its key. A call with the cookie and a method other than GET needs the header `X-Stagecraft: 1` and the same origin. So does this call.',
    body: createBody,
    examples: { key: { key: 'sk_live_000000000000000000000000000000_000000' } },
    data: sessionSchema,
    status: 201,
  },
  getSession: {
    method: 'GET',
    path: '/v1/session',
    scope: 'any',
    summary: 'Get the key of the call',
    data: sessionSchema,
  },
  deleteSession: {
    method: 'DELETE',
    path: '/v1/session',
    scope: 'any',
    summary: 'Sign out of the dashboard',
    description: 'Ends the session of the cookie. The key stays valid.',
    data: deletedSchema,
  },
} as const satisfies Record<string, Operation>
