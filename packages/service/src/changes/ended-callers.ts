import type { Caller } from '@stagecraft/spec/api'
import { isLive } from '../sessions/sessions.ts'
import { chunksOf } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

/** Returns those of some callers whose key or session has ended. */
export async function endedCallers(store: Store, callers: readonly Caller[]): Promise<readonly Caller[]> {
  const keyIds = [...new Set(callers.map(({ keyId }) => keyId))]
  const keys = await liveKeys(store, keyIds)
  const sessionIds = callers.flatMap(({ sessionId }) => sessionId ?? [])
  const sessions = await liveSessions(store, sessionIds)
  return callers.filter(
    ({ keyId, sessionId }) => !keys.has(keyId) || (sessionId !== undefined && !sessions.has(sessionId)),
  )
}

async function liveKeys(store: Store, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const live = new Set<string>()
  for (const chunk of chunksOf(ids)) {
    const rows = await store.db
      .selectFrom('api_keys')
      .select('id')
      .where('id', 'in', chunk)
      .where('revoked_at', 'is', null)
      .where((where) =>
        where.or([where('expires_at', 'is', null), where('expires_at', '>', store.nowOnce())]),
      )
      .execute()
    for (const { id } of rows) live.add(id)
  }
  return live
}

async function liveSessions(store: Store, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const live = new Set<string>()
  for (const chunk of chunksOf([...new Set(ids)])) {
    const rows = await store.db
      .selectFrom('sessions')
      .select(['id', 'expires_at', 'last_seen_at', store.nowMs().as('now')])
      .where('id', 'in', chunk)
      .execute()
    for (const row of rows) if (isLive(row)) live.add(row.id)
  }
  return live
}
