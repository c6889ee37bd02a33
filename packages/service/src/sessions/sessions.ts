import type { ApiHandlers, Caller, Scope, SessionResource } from '@stagecraft/spec/api'
import { randomBytes } from 'node:crypto'
import { type Change, change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { hashKey, NOTE_MS, type StoredKeyHolder, storedKeys } from '../keys/keys.ts'
import type { SessionRow } from '../store/own-rows.ts'
import { StagecraftError } from '@stagecraft/spec'
import { audited } from '../audit/audit-log.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { timeMember, toIso } from '../resources/job-members.ts'
import { ownedRow } from '../store/rows.ts'
import type { KeyRow } from '../store/schema.ts'

const HOUR = 60 * 60_000

/** The idle time after which a session ends, in milliseconds. */
const IDLE_MS = 12 * HOUR

/** The time after which a session ends even if it is used, in milliseconds. */
const LONGEST_MS = 7 * 24 * HOUR

interface NewSession {
  readonly row: SessionRow
  /** For the cookie; the store keeps only its hash. */
  readonly token: string
}

/** Writes a session of a key of the project. */
async function insertSession(tx: Change, keyId: string): Promise<NewSession> {
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
function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * Looks up each session together with its key on every call, so that an ended session is refused immediately, in every
 * process.
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
        // Not awaited: a failure must not fail the request.
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

/** Returns true if a session has not ended, without regard to its key. */
export function isLive({
  expires_at,
  last_seen_at,
  now,
}: Pick<SessionRow, 'expires_at' | 'last_seen_at'> & { readonly now: number }): boolean {
  return Math.min(last_seen_at + IDLE_MS, expires_at) > now
}

/** Ends the session of a caller. */
async function endSession(
  { store }: Pick<ServiceContext, 'store'>,
  { keyId, sessionId = '' }: Caller,
): Promise<void> {
  await store.db.deleteFrom('sessions').where('id', '=', sessionId).where('key_id', '=', keyId).execute()
}

/** Deletes ended sessions and unused codes. */
export async function pruneSessions({ store }: Pick<ServiceContext, 'store'>): Promise<void> {
  const now = await store.now()
  await store.db
    .deleteFrom('sessions')
    .where((where) => where.or([where('expires_at', '<=', now), where('last_seen_at', '<=', now - IDLE_MS)]))
    .execute()
  await store.db.deleteFrom('sign_in_codes').where('expires_at', '<=', now).execute()
}

/** The lifetime of a code, in milliseconds. */
const CODE_MS = 60 * 60_000

/**
 * Creates a code for the first sign-in. It can be used once, within an hour, in place of the oldest valid key with all
 * scopes. Returns undefined after the first sign-in, or without such a key.
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

/** Consumes a code and returns its key; undefined for an invalid code. */
async function takeSignInCode(
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

type SessionHandlers = Pick<ApiHandlers, 'createSession' | 'getSession' | 'deleteSession'>

/** Creates the handlers of sign-in and sign-out. */
export function sessionHandlers(context: ServiceContext): SessionHandlers {
  return {
    createSession: (call) => createSession(context, call),
    getSession: (call) => getSession(context, call),
    deleteSession: (call) => deleteSession(context, call),
  }
}

async function createSession(
  context: ServiceContext,
  { body, requestId }: CallOf<'createSession'>,
): ReplyOf<'createSession'> {
  const { keyId, projectId } = await findKey(context, body)
  const caller = { keyId, projectId, scopes: [] }
  return await audited(context, { operation: 'createSession', caller, requestId }, () =>
    open(context, caller),
  )
}

async function open(context: ServiceContext, { keyId, projectId }: Caller): ReplyOf<'createSession'> {
  const { key, row, token } = await change(context, projectId, async (tx) => {
    const key = await tx.own('api_keys', keyId)
    if (key.revoked_at !== null) throw notValid()
    return { key, ...(await insertSession(tx, keyId)) }
  })
  const maxAgeSeconds = Math.floor((row.expires_at - row.created_at) / 1000)
  return { data: toSession(key, row), cookie: { token, maxAgeSeconds } }
}

/** @throws {StagecraftError} UNAUTHORIZED, in the same words for every reason. */
async function findKey(
  context: ServiceContext,
  { code = '', key }: CallOf<'createSession'>['body'],
): Promise<{ readonly keyId: string; readonly projectId: string }> {
  if (key === undefined) {
    const taken = await takeSignInCode(context, code)
    if (taken) return taken
    throw notValid()
  }
  const holder = await storedKeys(context).verify(key.trim())
  if (!holder) throw notValid()
  return { keyId: holder.id, projectId: holder.projectId }
}

function notValid(): StagecraftError {
  return new StagecraftError('UNAUTHORIZED', 'expected a valid key, or an unused code')
}

async function getSession(
  { store }: ServiceContext,
  { caller }: CallOf<'getSession'>,
): ReplyOf<'getSession'> {
  const key = await ownedRow(store, 'api_keys', { projectId: caller.projectId, id: caller.keyId })
  return { data: toSession(key, await findSession(store, caller)) }
}

async function findSession(
  { db }: ServiceContext['store'],
  { sessionId }: Caller,
): Promise<SessionRow | undefined> {
  if (sessionId === undefined) return undefined
  return await db.selectFrom('sessions').selectAll().where('id', '=', sessionId).executeTakeFirst()
}

/** The key of a program stays valid: it has no session. */
async function deleteSession(
  context: ServiceContext,
  { caller }: CallOf<'deleteSession'>,
): ReplyOf<'deleteSession'> {
  const { sessionId } = caller
  if (sessionId === undefined) {
    const received = 'a key'
    throw StagecraftError.invalid({ path: 'headers.cookie', expected: 'the cookie of a session', received })
  }
  await endSession(context, caller)
  return { data: { id: sessionId, deleted: true }, cookie: null }
}

function toSession(key: KeyRow, session: SessionRow | undefined): SessionResource {
  return {
    ...(session && { id: session.id }),
    projectId: key.project_id,
    keyId: key.id,
    keyName: key.name,
    scopes: JSON.parse(key.scopes) as Scope[],
    ...timeMember('keyExpiresAt', key.expires_at),
    ...(session && {
      createdAt: toIso(session.created_at),
      expiresAt: toIso(session.expires_at),
      idleExpiresAt: toIso(Math.min(session.last_seen_at + IDLE_MS, session.expires_at)),
    }),
  }
}
