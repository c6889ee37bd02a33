import type { DeliveryDetail } from '@stagecraft/spec/api'
import { ownedRow } from '../store/owned-rows.ts'
import type { Store } from '../store/store.ts'
import { toAttempt, toDelivery } from './to-delivery.ts'

export interface DeliveryKey {
  readonly deliveryId: string
  readonly projectId: string
}

/** A delivery with all its attempts. @throws {StagecraftError} NOT_FOUND */
export async function findDelivery(
  store: Store,
  { deliveryId, projectId }: DeliveryKey,
): Promise<DeliveryDetail> {
  const row = await ownedRow(store, 'deliveries', { projectId, id: deliveryId })
  const attempts = await store.db
    .selectFrom('attempts')
    .selectAll()
    .where('delivery_id', '=', row.id)
    .orderBy('number')
    .execute()
  return { ...toDelivery(row), attemptLog: attempts.map(toAttempt) }
}
