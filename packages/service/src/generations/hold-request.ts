import type { ServiceContext } from '../context.ts'
import { LeaseLost } from '../jobs/stop-reasons.ts'
import { heartbeat } from '../store/jobs/heartbeat.ts'

/**
 * The lease of a generation by a request; without a renewal in this time it has failed, because its process
 * died.
 */
export const REQUEST_LEASE_MS = 60_000

export interface HeldRequest {
  /** Aborts with the client's, and when the generation was cancelled or deleted. */
  readonly signal: AbortSignal
  release(): void
}

export interface HoldRequestOptions {
  readonly generationId: string
  readonly leaseOwner: string
  readonly signal: AbortSignal
  /** @default a sixth of the lease */
  readonly beatMs?: number
}

/** Shows that a request still works on its generation. */
export function holdRequest(
  { logger, store }: ServiceContext,
  { beatMs = REQUEST_LEASE_MS / 6, generationId, leaseOwner, signal }: HoldRequestOptions,
): HeldRequest {
  const lost = new AbortController()
  const lease = { table: 'generations', ids: [generationId], leaseOwner, leaseMs: REQUEST_LEASE_MS } as const
  const beat = async (): Promise<void> => {
    const kept = await heartbeat(store, lease)
    if (kept.length === 0) lost.abort(new LeaseLost())
  }
  const timer = setInterval(() => {
    beat().catch((error: unknown) =>
      logger.warn({ generation: generationId, error: String(error) }, "could not renew a generation's lease"),
    )
  }, beatMs).unref()
  return { signal: AbortSignal.any([signal, lost.signal]), release: () => clearInterval(timer) }
}
