import { StagecraftError } from '@stagecraft/spec'
import type { ServiceContext } from '../context.ts'
import type { JobEnd, JobKind } from '../jobs/job-kind.ts'
import { endMembers, publishEnds } from './end-generations.ts'
import { generateBatch } from './generate-batch.ts'
import { generateUnit } from './generate-unit.ts'

/** Generations of one unit and of many, behind requests. */
export function generationJobs(context: ServiceContext): JobKind<'generations'> {
  return {
    table: 'generations',
    concurrency: 4,
    async run(row, held) {
      if (row.is_request === 1) throw abandoned()
      await (row.kind === 'unit' ? generateUnit : generateBatch)(row, held, context)
    },
    async ended(tx, { id, kind }, end: JobEnd) {
      if (kind === 'unit') return await publishEnds(tx, [id], end.error)
      await endMembers(tx, id, end)
    },
  }
}

/** A claim gives a request's generation out only after its lease, and nobody waits for an answer any more. */
function abandoned(): StagecraftError {
  const reason = 'the process that worked on it ended before it was done'
  return new StagecraftError('GENERATION_FAILED', reason, { details: { reason } })
}
