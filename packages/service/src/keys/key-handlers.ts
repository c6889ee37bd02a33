import { StagecraftError } from '@stagecraft/spec'
import type { ApiHandlers, Caller, Scope } from '@stagecraft/spec/api'
import { sql } from 'kysely'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { allOf, hasText } from '../store/list-filters.ts'
import { page } from '../store/page.ts'
import { insertKey, revoke, toKey } from './keys.ts'

type KeyHandlers = Pick<ApiHandlers, 'createKey' | 'listKeys' | 'revokeKey'>

/** Creates the handlers of the operations on API keys. */
export function keyHandlers(context: ServiceContext): KeyHandlers {
  return {
    createKey: (call) => createKey(context, call),
    listKeys: (call) => listKeys(context, call),
    revokeKey: (call) => revokeKey(context, call),
  }
}

async function createKey(
  context: ServiceContext,
  { body, caller }: CallOf<'createKey'>,
): ReplyOf<'createKey'> {
  assertOwnScopes(body.scopes, caller)
  const expiresAt = body.expiresAt === undefined ? undefined : Date.parse(body.expiresAt)
  const { row, secret } = await change(context, caller.projectId, async (tx) => {
    if (expiresAt !== undefined && expiresAt <= (await tx.now())) throw alreadyExpired(body.expiresAt ?? '')
    const { name, scopes } = body
    return await insertKey(tx, { name, scopes, expiresAt }, context)
  })
  return { data: { ...toKey(row), secret } }
}

async function listKeys(
  { store }: ServiceContext,
  { caller, query }: CallOf<'listKeys'>,
): ReplyOf<'listKeys'> {
  const keys = store.db.selectFrom('api_keys').selectAll().where('project_id', '=', caller.projectId)
  const isExpired = sql<boolean>`(expires_at is not null and expires_at <= ${store.nowOnce()})`
  const isRevoked = sql<boolean>`(revoked_at is not null)`
  const states = {
    active: sql<boolean>`(not ${isRevoked} and not ${isExpired})`,
    expired: sql<boolean>`(not ${isRevoked} and ${isExpired})`,
    revoked: isRevoked,
  }
  const { search, state, ...position } = query
  const wanted = allOf([state && states[state], search === undefined ? undefined : hasText(['name'], search)])
  const { nextCursor, rows } = await page(keys.where(wanted), position)
  return { data: { items: rows.map(toKey) }, nextCursor }
}

async function revokeKey(
  context: ServiceContext,
  { caller, params: { keyId } }: CallOf<'revokeKey'>,
): ReplyOf<'revokeKey'> {
  await revoke(context, caller.projectId, keyId)
  return { data: { id: keyId, deleted: true } }
}

/** Nobody gives away more than they have. */
function assertOwnScopes(scopes: readonly Scope[], caller: Caller): void {
  const foreign = scopes.find((scope) => !caller.scopes.includes(scope))
  if (foreign === undefined) return
  const expected = `scopes of your own key: ${caller.scopes.join(', ')}`
  throw StagecraftError.invalid([{ path: 'scopes', expected, received: JSON.stringify(foreign) }])
}

function alreadyExpired(received: string): Error {
  return StagecraftError.invalid([
    { path: 'expiresAt', expected: 'a time in the future', received: JSON.stringify(received) },
  ])
}
