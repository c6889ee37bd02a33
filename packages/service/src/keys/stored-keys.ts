import type { ServiceContext } from '../context.ts'
import { hashKey } from './insert-key.ts'

/** The holder of a key, in the form that the package http expects. */
export interface StoredKeyHolder {
  readonly id: string
  readonly projectId: string
  readonly scopes: readonly string[]
}

/** The interval at which the use of a key is recorded. */
const NOTE_MILLISECONDS = 60_000

/**
 * The keys of the store. Each is looked up by its hash every time, so that one that is revoked opens nothing from then
 * on, in every process.
 */
export function storedKeys({ logger, store }: Pick<ServiceContext, 'logger' | 'store'>): {
  verify(key: string): Promise<StoredKeyHolder | undefined>
} {
  const note = async (id: string, now: number): Promise<void> => {
    await store.db
      .updateTable('api_keys')
      .set({ last_used_at: now })
      .where('id', '=', id)
      .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<', now)]))
      .execute()
  }
  return {
    async verify(key) {
      const row = await store.db
        .selectFrom('api_keys')
        .select(['id', 'project_id', 'scopes', 'expires_at', 'last_used_at', store.nowMs().as('now')])
        .where('hash', '=', hashKey(key))
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      if (!row || (row.expires_at !== null && row.expires_at <= row.now)) return undefined
      if ((row.last_used_at ?? 0) + NOTE_MILLISECONDS <= row.now) {
        // Nobody waits for the note, and a request does not fail by it.
        note(row.id, row.now).catch((error: unknown) =>
          logger.warn({ key: row.id, error: String(error) }, "could not update a key's last-used time"),
        )
      }
      return {
        id: row.id,
        projectId: row.project_id,
        scopes: JSON.parse(row.scopes) as readonly string[],
      }
    },
  }
}
