import { createHash } from 'node:crypto'
import type { Scope } from '@stagecraft/spec/api'
import type { Transaction } from 'kysely'
import type { ServiceContext } from '../context.ts'
import type { Database, KeyRow } from '../store/schema.ts'

export interface NewKey {
  readonly projectId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly expiresAt?: number | undefined
  /** By the clock of the database. */
  readonly now: number
  /** A key that somebody chose. Default: a fresh one. */
  readonly secret?: string | undefined
}

export interface InsertedKey {
  readonly row: KeyRow
  /** The key itself; of it the store has only the hash. */
  readonly secret: string
}

/** Writes a key. */
export async function insertKey(
  transaction: Transaction<Database>,
  { expiresAt, name, now, projectId, scopes, secret: chosen }: NewKey,
  { ids, newKey }: Pick<ServiceContext, 'ids' | 'newKey'>,
): Promise<InsertedKey> {
  const secret = chosen ?? newKey()
  const row: KeyRow = {
    id: ids.next('key'),
    project_id: projectId,
    name,
    hash: hashKey(secret),
    hint: hintOf(secret),
    scopes: JSON.stringify([...new Set(scopes)]),
    created_at: now,
    expires_at: expiresAt ?? null,
    revoked_at: null,
    last_used_at: null,
  }
  await transaction.insertInto('api_keys').values(row).execute()
  return { row, secret }
}

/** A plain hash is enough: a key has 178 bits of chance, so nobody can try them all. */
export function hashKey(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** What tells keys apart for people, and is too little to try the rest. */
function hintOf(secret: string): string {
  const [, prefix = ''] = /^((?:[a-z]+_)*)/.exec(secret) ?? []
  return `${secret.slice(0, prefix.length + 4)}…${secret.slice(-4)}`
}
