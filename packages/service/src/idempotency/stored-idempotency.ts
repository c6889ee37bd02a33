import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { ServiceContext } from '../context.ts'
import type { Cipher } from '../secrets/cipher.ts'
import type { IdempotencyRow } from '../store/own-rows.ts'

/** A request that must run only once. */
export interface IdempotentRequest {
  readonly holderId: string
  /** Method and path. */
  readonly route: string
  /** The `Idempotency-Key` that the client sent. */
  readonly key: string
  readonly bodyHash: string
}

/** A response as it was sent. */
export interface StoredAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type IdempotencyState =
  | { readonly state: 'fresh'; readonly token: string }
  | { readonly state: 'replay'; readonly answer: StoredAnswer }
  | { readonly state: 'other-body' }
  | { readonly state: 'in-flight' }

export interface StoredIdempotencyOptions {
  /**
   * A request that took longer than this was cut off with its process, and may be tried again.
   *
   * @default 300_000
   */
  readonly lockMs?: number
}

/** The place that encrypted responses are bound to. */
const PLACE = 'idempotency_keys/answer'

/** The time for which a response is kept. */
const KEEP_MS = 24 * 60 * 60_000

/** Stores responses for all processes. They are encrypted, because the response to a new key contains the key. */
export function storedIdempotency(
  { cipher, store }: Pick<ServiceContext, 'cipher' | 'store'>,
  { lockMs = 300_000 }: StoredIdempotencyOptions = {},
) {
  return {
    async begin(request: IdempotentRequest): Promise<IdempotencyState> {
      const token = randomUUID()
      return await store.transaction(async (transaction): Promise<IdempotencyState> => {
        const now = await store.now(transaction)
        const row = rowOf(request, { token, now, lockedUntil: now + lockMs })
        const inserted = await transaction
          .insertInto('idempotency_keys')
          .values(row)
          // One statement, so that one of two simultaneous requests is the first.
          .onConflict((conflict) =>
            conflict
              .columns(['holder_id', 'route', 'key'])
              .doUpdateSet(row)
              .where((where) =>
                where.or([
                  where('idempotency_keys.created_at', '<', now - KEEP_MS),
                  where.and([
                    where('idempotency_keys.answer', 'is', null),
                    where('idempotency_keys.locked_until', '<', now),
                    where('idempotency_keys.body_hash', '=', request.bodyHash),
                  ]),
                ]),
              ),
          )
          .returning('token')
          .executeTakeFirst()
        if (inserted?.token === token) return { state: 'fresh', token }
        return stateOf(await find(transaction, request), request, cipher)
      })
    },
    async finish(token: string, answer: StoredAnswer): Promise<void> {
      await store.db
        .updateTable('idempotency_keys')
        .set({ answer: cipher.seal(JSON.stringify(answer), PLACE), token: null, locked_until: null })
        .where('token', '=', token)
        .execute()
    },
    async abandon(token: string): Promise<void> {
      await store.db.deleteFrom('idempotency_keys').where('token', '=', token).execute()
    },
  }
}

interface Lock {
  readonly token: string
  readonly now: number
  readonly lockedUntil: number
}

function rowOf(
  { bodyHash, holderId, key, route }: IdempotentRequest,
  { lockedUntil, now, token }: Lock,
): IdempotencyRow {
  return {
    holder_id: holderId,
    route,
    key,
    body_hash: bodyHash,
    token,
    locked_until: lockedUntil,
    answer: null,
    created_at: now,
  }
}

function find(transaction: ServiceContext['store']['db'], { holderId, key, route }: IdempotentRequest) {
  return transaction
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('holder_id', '=', holderId)
    .where('route', '=', route)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** A row that disappeared meanwhile belonged to a failed request, which its client may retry. */
function stateOf(
  row: IdempotencyRow | undefined,
  { bodyHash }: IdempotentRequest,
  cipher: Cipher,
): IdempotencyState {
  if (!row) return { state: 'in-flight' }
  if (row.body_hash !== bodyHash) return { state: 'other-body' }
  if (row.answer === null) return { state: 'in-flight' }
  return { state: 'replay', answer: JSON.parse(cipher.open(row.answer, PLACE)) as StoredAnswer }
}

/** Limited, so that nothing waits for it. */
const FORGOTTEN_AT_ONCE = 1000

/** Deletes expired responses in batches. */
export async function pruneIdempotency({ store }: Pick<ServiceContext, 'store'>): Promise<void> {
  const before = (await store.now()) - KEEP_MS
  while ((await forgetSome(store, before)) >= FORGOTTEN_AT_ONCE);
}

async function forgetSome(store: ServiceContext['store'], before: number): Promise<number> {
  const old = store.db
    .selectFrom('idempotency_keys')
    .select(['holder_id', 'route', 'key'])
    .where('created_at', '<', before)
    .limit(FORGOTTEN_AT_ONCE)
  const { numDeletedRows } = await store.db
    .deleteFrom('idempotency_keys')
    .where(sql`(holder_id, route, key)`, 'in', old)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
