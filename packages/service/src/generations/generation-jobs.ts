import { StagecraftError } from '@stagecraft/spec'
import type { ServiceContext } from '../context.ts'
import type { JobKind } from '../jobs/job-kind.ts'
import { generateBatch } from './generate-batch.ts'
import { generateUnit } from './generate-unit.ts'
import { endMembers, publishEnds } from './generation-attempt.ts'

/** Returns how generations of one unit and of batches are done in the background. */
export function generationJobs(context: ServiceContext): JobKind<'generations'> {
  return {
    table: 'generations',
    concurrency: 4,
    async run(row, lease) {
      if (row.is_request === 1) throw abandoned()
      await (row.kind === 'unit' ? generateUnit : generateBatch)(row, lease, context)
    },
    async ended(tx, { id, kind }, end) {
      if (kind === 'unit') return await publishEnds(tx, [id], end.error)
      await endMembers(tx, id, end)
    },
  }
}

/** A request's generation is claimed only after its lease ran out, when nobody waits for the answer any more. */
function abandoned(): StagecraftError {
  const reason = 'the process that worked on it ended before it was done'
  return new StagecraftError('GENERATION_FAILED', reason, { details: { reason } })
}
