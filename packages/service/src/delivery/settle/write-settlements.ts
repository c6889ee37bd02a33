import { sql, type Transaction } from 'kysely'
import type { Database } from '../../store/schema.ts'
import type { Engine } from '../../store/store.ts'
import { jsonRows } from '../json-rows.ts'
import type { Settlement } from './decide.ts'

/**
 * Writes how attempts ended. A delivery whose lease has passed to somebody else stays as that one has it; the attempt is
 * ours in any case.
 *
 * @returns the ids of the deliveries that were still ours.
 */
export async function writeSettlements(
  transaction: Transaction<Database>,
  settlements: readonly Settlement[],
  engine: Engine,
): Promise<ReadonlySet<string>> {
  const kept = await writeDeliveries(transaction, settlements, engine)
  await writeAttempts(transaction, settlements, engine)
  return kept
}

async function writeDeliveries(
  transaction: Transaction<Database>,
  settlements: readonly Settlement[],
  engine: Engine,
): Promise<ReadonlySet<string>> {
  const given = jsonRows(engine, settlements, {
    text: ['id', 'owner', 'state', 'failure'],
    bigint: ['next_at', 'finished_at', 'status'],
  })
  const { rows: kept } = await sql<{ id: string }>`
    update deliveries set state = given.state, next_at = coalesce(given.next_at, deliveries.next_at),
      finished_at = given.finished_at, last_status = given.status, last_failure = given.failure,
      lease_owner = null, lease_until = null
    from ${given}
    where deliveries.id = given.id and deliveries.lease_owner = given.owner and deliveries.state = 'sending'
    returning deliveries.id`.execute(transaction)
  return new Set(kept.map(({ id }) => id))
}

async function writeAttempts(
  transaction: Transaction<Database>,
  settlements: readonly Settlement[],
  engine: Engine,
): Promise<void> {
  const given = jsonRows(engine, settlements, {
    text: ['id', 'outcome', 'failure', 'excerpt'],
    bigint: ['number', 'ended_at', 'status', 'duration_ms'],
  })
  await sql`
    update attempts set outcome = given.outcome, finished_at = given.ended_at, status = given.status,
      failure = given.failure, duration_ms = given.duration_ms, excerpt = given.excerpt
    from ${given} where attempts.delivery_id = given.id and attempts.number = given.number`.execute(
    transaction,
  )
}
