import type { DeliveryDetail } from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import { notFound } from '../resources/errors.ts'
import type { Database, DeliveryRow } from '../store/schema.ts'
import { toAttempt, toDelivery } from './to-delivery.ts'

export interface DeliveryKey {
  readonly deliveryId: string
  readonly projectId: string
}

/** A delivery with all its attempts. @throws {StagecraftError} NOT_FOUND */
export async function findDelivery(database: Kysely<Database>, key: DeliveryKey): Promise<DeliveryDetail> {
  const row = await findDeliveryRow(database, key)
  const attempts = await database
    .selectFrom('attempts')
    .selectAll()
    .where('delivery_id', '=', row.id)
    .orderBy('number')
    .execute()
  return { ...toDelivery(row), attemptLog: attempts.map(toAttempt) }
}

/** @throws {StagecraftError} NOT_FOUND, also for one of another project. */
export async function findDeliveryRow(
  database: Kysely<Database>,
  { deliveryId, projectId }: DeliveryKey,
): Promise<DeliveryRow> {
  const row = await database
    .selectFrom('deliveries')
    .selectAll()
    .where('id', '=', deliveryId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (!row) throw notFound('delivery', deliveryId)
  return row
}
