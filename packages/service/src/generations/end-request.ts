import { StagecraftError } from '@stagecraft/spec'
import type { ServiceContext } from '../context.ts'
import { toJobError } from '../jobs/job-error.ts'
import { LeaseLost } from '../jobs/stop-reasons.ts'
import { settle } from '../store/jobs/settle.ts'
import type { BegunRequest } from './begin-request.ts'
import { endGenerations, type GenerationEnd } from './end-generations.ts'
import { type MadeGeneration, recordGeneration } from './record-generation.ts'

/** @throws {StagecraftError} GENERATION_FAILED when the generation was cancelled or deleted meanwhile. */
export async function completeRequest(
  { generationId, isOfUnit, leaseOwner, unit }: BegunRequest,
  made: MadeGeneration,
  { ids, store, wake }: ServiceContext,
): Promise<void> {
  await store.transaction(async (transaction) => {
    const now = await store.now(transaction)
    const set = { state: 'completed', finished_at: now } as const
    const held = await settle(transaction, { table: 'generations', ids: [generationId], leaseOwner, set })
    if (held.length === 0) throw stoppedError()
    const columns = await recordGeneration(transaction, { generationId, isOfUnit, unit }, { made, ids, now })
    await transaction.updateTable('generations').set(columns).where('id', '=', generationId).execute()
  })
  wake.notify('deliveries')
}

/**
 * Writes that a request got no generation.
 *
 * @returns The error for whoever waits for it.
 */
export async function failRequest(
  { generationId }: BegunRequest,
  { error, signal }: { readonly error: unknown; readonly signal: AbortSignal },
  { ids, store, wake }: ServiceContext,
): Promise<unknown> {
  const cause: unknown = signal.aborted ? signal.reason : error
  if (cause instanceof LeaseLost) return stoppedError()
  const end = signal.aborted && !(cause instanceof StagecraftError) ? CLIENT_GONE : failed(cause)
  await store.transaction(async (transaction) => {
    const now = await store.now(transaction)
    await endGenerations(transaction, { ids: [generationId] }, { ...end, ids, now })
  })
  wake.notify('deliveries')
  return cause
}

type End = Pick<GenerationEnd, 'state' | 'error'>

const CLIENT_GONE: End = {
  state: 'cancelled',
  error: { code: 'GENERATION_FAILED', message: 'the client went away before it was done' },
}

function failed(error: unknown): End {
  return { state: 'failed', error: toJobError(error) }
}

function stoppedError(): StagecraftError {
  const reason = 'it was cancelled, or its unit was deleted'
  return new StagecraftError('GENERATION_FAILED', `the generation was stopped: ${reason}`, {
    details: { reason },
  })
}
