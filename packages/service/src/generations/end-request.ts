import { StagecraftError } from '@stagecraft/spec'
import { change } from '../change.ts'
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
  context: ServiceContext,
): Promise<void> {
  await change(context, unit.project_id, async (tx) => {
    const set = { state: 'completed', finished_at: await tx.now() } as const
    const held = await settle(tx.db, { table: 'generations', ids: [generationId], leaseOwner, set })
    if (held.length === 0) throw stoppedError()
    const columns = await recordGeneration(tx, { generationId, isOfUnit, unit }, made)
    await tx.db.updateTable('generations').set(columns).where('id', '=', generationId).execute()
  })
}

/**
 * Writes that a request got no generation.
 *
 * @returns The error for whoever waits for it.
 */
export async function failRequest(
  { generationId, unit }: BegunRequest,
  { error, signal }: { readonly error: unknown; readonly signal: AbortSignal },
  context: ServiceContext,
): Promise<unknown> {
  const cause: unknown = signal.aborted ? signal.reason : error
  if (cause instanceof LeaseLost) return stoppedError()
  const end = signal.aborted && !(cause instanceof StagecraftError) ? CLIENT_GONE : failed(cause)
  await change(context, unit.project_id, (tx) => endGenerations(tx, { ids: [generationId] }, end))
  return cause
}

const CLIENT_GONE: GenerationEnd = {
  state: 'cancelled',
  error: { code: 'GENERATION_FAILED', message: 'the client disconnected before it was done' },
}

function failed(error: unknown): GenerationEnd {
  return { state: 'failed', error: toJobError(error) }
}

function stoppedError(): StagecraftError {
  const reason = 'the job was cancelled, or its unit was deleted'
  return new StagecraftError('GENERATION_FAILED', `the generation was stopped: ${reason}`, {
    details: { reason },
  })
}
