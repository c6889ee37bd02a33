import type { Caller } from '@stagecraft/spec/api'
import { randomBytes } from 'node:crypto'
import type { Change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { hashKey, NOTE_MS, type StoredKeyHolder } from '../keys/keys.ts'
import type { SessionRow } from '../store/own-rows.ts'

const HOUR = 60 * 60_000

/** The time without use after which a session ends, in milliseconds. */
export const IDLE_MS = 12 * HOUR

/** The time after which a session ends, however much it is used, in milliseconds. */
const LONGEST_MS = 7 * 24 * HOUR

interface NewSession {
  readonly row: SessionRow
  /** For the cookie; the store has only its hash. */
  readonly token: string
}

/** Writes a session of a key of the project. */
export async function insertSession(tx: Change, keyId: string): Promise<NewSession> {
  const token = randomToken()
  const now = await tx.now()
  const row: SessionRow = {
    id: tx.ids.next('ses'),
    project_id: tx.projectId,
    key_id: keyId,
    hash: hashKey(token),
    created_at: now,
    last_seen_at: now,
    expires_at: now + LONGEST_MS,
  }
  await tx.db.insertInto('sessions').values(row).execute()
  return { row, token }
}

/** Returns 256 random bits. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * The sessions of the store. Each is looked up together with its key every time, so that one that has ended opens nothing
 * from then on, in every process.
 */
export function storedSessions({ logger, store }: Pick<ServiceContext, 'logger' | 'store'>): {
  verify(token: string): Promise<StoredKeyHolder | undefined>
} {
  const note = async (sessionId: string, keyId: string, now: number): Promise<void> => {
    const last_seen_at = now
    await store.db.updateTable('sessions').set({ last_seen_at }).where('id', '=', sessionId).execute()
    await store.db.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', keyId).execute()
  }
  return {
    async verify(token) {
      const row = await store.db
        .selectFrom('sessions')
        .innerJoin('api_keys', 'api_keys.id', 'sessions.key_id')
        .select(['sessions.id', 'key_id', 'api_keys.project_id', 'scopes', 'last_seen_at'])
        .select(['sessions.expires_at', 'api_keys.expires_at as key_expires_at', store.nowMs().as('now')])
        .where('sessions.hash', '=', hashKey(token))
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      if (!row || !isLive(row)) return undefined
      if ((row.key_expires_at ?? Number.POSITIVE_INFINITY) <= row.now) return undefined
      if (row.last_seen_at + NOTE_MS <= row.now) {
        // Nobody waits for the note, and a request does not fail by it.
        note(row.id, row.key_id, row.now).catch((error: unknown) =>
          logger.warn({ session: row.id, error: String(error) }, "could not update a session's last use"),
        )
      }
      return {
        id: row.key_id,
        projectId: row.project_id,
        scopes: JSON.parse(row.scopes) as readonly string[],
        sessionId: row.id,
      }
    },
  }
}

/** Returns true if a session has not ended, for what its key does not end. */
export function isLive({
  expires_at,
  last_seen_at,
  now,
}: Pick<SessionRow, 'expires_at' | 'last_seen_at'> & { readonly now: number }): boolean {
  return Math.min(last_seen_at + IDLE_MS, expires_at) > now
}

/** Ends the session of a caller. */
export async function endSession(
  { store }: Pick<ServiceContext, 'store'>,
  { keyId, sessionId = '' }: Caller,
): Promise<void> {
  await store.db.deleteFrom('sessions').where('id', '=', sessionId).where('key_id', '=', keyId).execute()
}

/** Deletes sessions that have ended, and codes that were not used. */
export async function pruneSessions({ store }: Pick<ServiceContext, 'store'>): Promise<void> {
  const now = await store.now()
  await store.db
    .deleteFrom('sessions')
    .where((where) => where.or([where('expires_at', '<=', now), where('last_seen_at', '<=', now - IDLE_MS)]))
    .execute()
  await store.db.deleteFrom('sign_in_codes').where('expires_at', '<=', now).execute()
}
