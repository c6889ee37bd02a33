import { createHash } from 'node:crypto'
import type { KeyResource, Scope } from '@stagecraft/spec/api'
import type { Change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { timeMember, toIso } from '../resources/job-members.ts'
import type { KeyRow } from '../store/schema.ts'

interface NewKey {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly expiresAt?: number | undefined
  /** A key that somebody chose. Default: a fresh one. */
  readonly secret?: string | undefined
}

export interface InsertedKey {
  readonly row: KeyRow
  /** The key itself; the store has only its hash. */
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

/** A plain hash is enough: a key has 178 bits of chance, so nobody can try them all. */
export function hashKey(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Returns a hint that tells keys apart for people, too short to guess the rest. */
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
