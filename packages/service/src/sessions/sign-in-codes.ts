import type { ServiceContext } from '../context.ts'
import { hashKey } from '../keys/keys.ts'
import { randomToken } from './sessions.ts'

/** The time for which a code can be used, in milliseconds. */
const CODE_MS = 60 * 60_000

/**
 * Makes a code for the first sign-in: it stands once, within the hour, for the oldest key with all scopes that is still
 * valid. Returns undefined when somebody has signed in before, or when there is no such key.
 */
export async function createSignInCode({
  store,
}: Pick<ServiceContext, 'store'>): Promise<string | undefined> {
  return await store.transaction(async (transaction) => {
    const before = await transaction.selectFrom('sessions').select('id').limit(1).executeTakeFirst()
    if (before) return undefined
    const now = await store.now(transaction)
    const key = await transaction
      .selectFrom('api_keys')
      .select(['id', 'project_id'])
      .where('revoked_at', 'is', null)
      .where('scopes', 'like', '%"admin"%')
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
      .orderBy('created_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!key) return undefined
    const code = randomToken()
    const times = { created_at: now, expires_at: now + CODE_MS }
    const owner = { project_id: key.project_id, key_id: key.id }
    await transaction
      .insertInto('sign_in_codes')
      .values({ ...owner, ...times, hash: hashKey(code) })
      .execute()
    return code
  })
}

/** Takes a code, which is then gone, and returns the key that it stands for; undefined for one that is not valid. */
export async function takeSignInCode(
  { store }: Pick<ServiceContext, 'store'>,
  code: string,
): Promise<{ readonly keyId: string; readonly projectId: string } | undefined> {
  const taken = await store.db
    .deleteFrom('sign_in_codes')
    .where('hash', '=', hashKey(code))
    .where('expires_at', '>', store.nowMs())
    .returning(['key_id', 'project_id'])
    .executeTakeFirst()
  return taken && { keyId: taken.key_id, projectId: taken.project_id }
}
