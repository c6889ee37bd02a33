import { StagecraftError } from '@stagecraft/spec'
import type { ApiHandlers, Caller, KeyResource, ProjectResource, Scope } from '@stagecraft/spec/api'
import { createHash } from 'node:crypto'
import { audited } from '../audit/audit-log.ts'
import { type Change, change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { toProject } from '../projects/project-settings.ts'
import { timeMember, toIso } from '../resources/job-members.ts'
import type { KeyRow } from '../store/schema.ts'
import { sql } from 'kysely'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { allOf, hasText } from '../store/list-filters.ts'
import { page } from '../store/page.ts'

interface NewKey {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly expiresAt?: number | undefined
  /** A key that the operator chose. Default: a new one. */
  readonly secret?: string | undefined
}

export interface InsertedKey {
  readonly row: KeyRow
  /** The key itself; the store keeps only its hash. */
  readonly secret: string
}

/** Writes a key. */
export async function insertKey(
  tx: Change,
  { expiresAt, name, scopes, secret: chosen }: NewKey,
  { newKey }: Pick<ServiceContext, 'newKey'>,
): Promise<InsertedKey> {
  const secret = chosen ?? newKey()
  const row: KeyRow = {
    id: tx.ids.next('key'),
    project_id: tx.projectId,
    name,
    hash: hashKey(secret),
    hint: hintOf(secret),
    scopes: JSON.stringify([...new Set(scopes)]),
    created_at: await tx.now(),
    expires_at: expiresAt ?? null,
    revoked_at: null,
    last_used_at: null,
  }
  await tx.db.insertInto('api_keys').values(row).execute()
  return { row, secret }
}

/** A plain hash is enough: a key has 178 random bits, so it cannot be guessed. */
export function hashKey(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Returns a hint by which people tell keys apart, too short to guess the rest. */
function hintOf(secret: string): string {
  const [, prefix = ''] = /^((?:[a-z]+_)*)/.exec(secret) ?? []
  return `${secret.slice(0, prefix.length + 4)}…${secret.slice(-4)}`
}

export function toKey(row: KeyRow): KeyResource {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    scopes: JSON.parse(row.scopes) as Scope[],
    createdAt: toIso(row.created_at),
    ...timeMember('expiresAt', row.expires_at),
    ...timeMember('lastUsedAt', row.last_used_at),
    ...timeMember('revokedAt', row.revoked_at),
  }
}

/** Returns the holder of a key, in the form of the http package. */
export interface StoredKeyHolder {
  readonly id: string
  readonly projectId: string
  readonly scopes: readonly string[]
  readonly sessionId?: string
}

/** The interval for recording the use of a key or session. */
export const NOTE_MS = 60_000

/** Looks up each key by its hash on every call, so that a revoked key is refused immediately, in every process. */
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
      if ((row.last_used_at ?? 0) + NOTE_MS <= row.now) {
        // Not awaited: a failure must not fail the request.
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

// Operations on keys for callers with direct access to the store: they need no key.

export interface ProjectKeyRequest {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly expiresAt: number | undefined
  /** Default: the only project. */
  readonly projectId: string | undefined
}

/** @throws {StagecraftError} NOT_FOUND for an unknown project; INVALID_REQUEST when there are several to choose from. */
export async function createProjectKey(
  { expiresAt, name, projectId, scopes }: ProjectKeyRequest,
  context: ServiceContext,
): Promise<InsertedKey & { readonly project: ProjectResource }> {
  const id = projectId ?? (await onlyProject(context.store.db))
  const call = { operation: 'createKey', caller: undefined, projectId: id }
  return await audited(context, call, () => insertProjectKey({ expiresAt, name, scopes }, id, context))
}

async function insertProjectKey(
  { expiresAt, name, scopes }: Omit<ProjectKeyRequest, 'projectId'>,
  id: string,
  context: ServiceContext,
): Promise<InsertedKey & { readonly project: ProjectResource }> {
  return await change(context, id, async (tx) => {
    const project = toProject(await tx.ownProject())
    if (expiresAt !== undefined && expiresAt <= (await tx.now())) {
      const received = new Date(expiresAt).toISOString()
      throw StagecraftError.invalid([{ path: 'expires', expected: 'a time in the future', received }])
    }
    const inserted = await insertKey(tx, { name, scopes, expiresAt }, context)
    return { ...inserted, project }
  })
}

async function onlyProject(database: ServiceContext['store']['db']): Promise<string> {
  const rows = await database
    .selectFrom('projects')
    .select(['id', 'name'])
    .orderBy('created_at')
    .limit(20)
    .execute()
  const [first, ...others] = rows
  if (!first) {
    throw StagecraftError.invalid([
      { path: 'project', expected: 'a store with a project: run stagecraft serve', received: 'none' },
    ])
  }
  if (others.length === 0) return first.id
  const names = rows.map(({ id, name }) => `${id} (${name})`).join(', ')
  throw StagecraftError.invalid([{ path: 'project', expected: `one of ${names}`, received: 'none' }])
}

/** Returns every key of every project, oldest first. */
export async function listAllKeys({
  store,
}: Pick<ServiceContext, 'store'>): Promise<
  readonly { readonly key: KeyResource; readonly project: { readonly id: string } }[]
> {
  const rows = await store.db.selectFrom('api_keys').selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.map((row) => ({ key: toKey(row), project: { id: row.project_id } }))
}

/** @throws {StagecraftError} NOT_FOUND. */
export async function revokeAnyKey(id: string, context: ServiceContext): Promise<void> {
  const { db } = context.store
  const row = await db.selectFrom('api_keys').select('project_id').where('id', '=', id).executeTakeFirst()
  if (!row) throw StagecraftError.unknownId('key', id)
  const projectId = row.project_id
  const call = { operation: 'revokeKey', caller: undefined, projectId, resourceId: id }
  await audited(context, call, () => revoke(context, projectId, id))
}

/** Revokes a key. An expired or revoked key is not changed. */
async function revoke(context: ServiceContext, projectId: string, id: string): Promise<void> {
  await change(context, projectId, async (tx) => {
    if ((await tx.own('api_keys', id)).revoked_at !== null) return
    const revoked_at = await tx.now()
    await tx.db.updateTable('api_keys').set({ revoked_at }).where('id', '=', id).execute()
  })
}

type KeyHandlers = Pick<ApiHandlers, 'createKey' | 'listKeys' | 'rotateKey' | 'revokeKey'>

/** Creates the handlers of the operations on API keys. */
export function keyHandlers(context: ServiceContext): KeyHandlers {
  return {
    createKey: (call) => createKey(context, call),
    listKeys: (call) => listKeys(context, call),
    rotateKey: (call) => rotateKey(context, call),
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

const DEFAULT_OVERLAP_SECONDS = 86_400

/** Creates a replacement for an active key, and sets when the old one expires. */
async function rotateKey(
  context: ServiceContext,
  { body: { overlapSeconds = DEFAULT_OVERLAP_SECONDS }, caller, params: { keyId } }: CallOf<'rotateKey'>,
): ReplyOf<'rotateKey'> {
  const { row, secret } = await change(context, caller.projectId, async (tx) => {
    const before = await tx.own('api_keys', keyId, { lock: 'update' })
    const now = await tx.now()
    refuseEnded(before, now)
    const { created_at: begun, expires_at: ends, name } = before
    const scopes = toKey(before).scopes
    assertOwnScopes(scopes, caller)
    const expiresAt = ends === null ? undefined : now + (ends - begun)
    const made = await insertKey(tx, { name, scopes, expiresAt }, context)
    const until = Math.min(ends ?? Infinity, now + overlapSeconds * 1000)
    await tx.db.updateTable('api_keys').set({ expires_at: until }).where('id', '=', keyId).execute()
    return made
  })
  return { data: { ...toKey(row), secret } }
}

function refuseEnded({ expires_at, id, revoked_at }: KeyRow, now: number): void {
  const isExpired = expires_at !== null && expires_at <= now
  if (revoked_at === null && !isExpired) return
  const received = `${id}, which ${isExpired ? 'has expired' : 'is revoked'}`
  throw StagecraftError.invalid([{ path: 'keyId', expected: 'a key that is active', received }])
}

async function revokeKey(
  context: ServiceContext,
  { caller, params: { keyId } }: CallOf<'revokeKey'>,
): ReplyOf<'revokeKey'> {
  await revoke(context, caller.projectId, keyId)
  return { data: { id: keyId, deleted: true } }
}

/** Refuses scopes that the caller's own key lacks. */
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
