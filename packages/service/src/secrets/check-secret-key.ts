import { StagecraftError } from '@stagecraft/spec'
import type { ServiceContext } from '../context.ts'

const NAME = 'secret_canary'
const TEXT = 'stagecraft'

/**
 * Checks at the start, and not at the first secret, that the store was written with this key.
 *
 * @throws {StagecraftError} INVALID_REQUEST for another key.
 */
export async function checkSecretKey({
  cipher,
  store,
}: Pick<ServiceContext, 'cipher' | 'store'>): Promise<void> {
  await store.db
    .insertInto('settings')
    .values({ name: NAME, value: cipher.seal(TEXT, NAME) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const { value } = await store.db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', NAME)
    .executeTakeFirstOrThrow()
  try {
    cipher.open(value, NAME)
  } catch {
    const expected = 'the key that the secrets of this store were sealed with'
    const suggestion = 'set STAGECRAFT_SECRET_KEY to it; to replace a key, put the new one first: new,old'
    throw new StagecraftError('INVALID_REQUEST', `expected ${expected}, got another; ${suggestion}`, {
      details: { faults: [{ path: 'STAGECRAFT_SECRET_KEY', expected, received: 'another key' }], suggestion },
    })
  }
}
