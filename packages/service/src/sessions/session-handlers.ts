import { StagecraftError } from '@stagecraft/spec'
import type { ApiHandlers, Caller, Scope, SessionResource } from '@stagecraft/spec/api'
import { audited } from '../audit/audit-log.ts'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { storedKeys } from '../keys/keys.ts'
import { timeMember, toIso } from '../resources/job-members.ts'
import { ownedRow } from '../store/rows.ts'
import type { SessionRow } from '../store/own-rows.ts'
import type { KeyRow } from '../store/schema.ts'
import { endSession, IDLE_MS, insertSession } from './sessions.ts'
import { takeSignInCode } from './sign-in-codes.ts'

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
  return new StagecraftError('UNAUTHORIZED', 'expected a valid key, or a code that was not used before')
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

/** The key of a program stays as it is: it has no session. */
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
