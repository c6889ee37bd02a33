import type { Catalog } from '@stagecraft/spec'
import type { Warehouse } from './warehouse.ts'
import { warehouseCatalog } from './warehouse-catalog.ts'

/**
 * The catalog of a warehouse that has answered once, so that a wrong address fails here and not at the first table.
 *
 * @throws {StagecraftError} CONNECTION_FAILED; or the signal's reason when it aborts before the answer.
 */
export async function openWarehouse(warehouse: Warehouse, signal?: AbortSignal): Promise<Catalog> {
  const abortion = Promise.withResolvers<never>()
  const onAbort = (): void => abortion.reject(signal?.reason)
  signal?.addEventListener('abort', onAbort)
  const answer = signal?.aborted
    ? Promise.reject(signal.reason as Error)
    : warehouse.withSession((session) => session.place())
  try {
    await Promise.race([answer, abortion.promise])
    return warehouseCatalog(warehouse)
  } catch (error) {
    // what is still under way must end before its connection can be closed, but nobody has to wait for it
    const close = (): Promise<void> => warehouse.close()
    const closed = answer.then(close, close).catch(() => undefined)
    if (!signal?.aborted) await closed
    throw error
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}
