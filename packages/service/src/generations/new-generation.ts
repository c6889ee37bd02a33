import { queuedJob } from '../jobs/job-kind.ts'
import type { GenerationRow } from '../store/schema.ts'

type Given = Pick<GenerationRow, 'id' | 'project_id' | 'kind' | 'columns'> & Partial<GenerationRow>

/** The row of a generation that has not begun. */
export function newGeneration(given: Given, now: number): GenerationRow {
  return {
    ...queuedJob(now),
    unit_id: null,
    batch_id: null,
    unit_ids: null,
    is_request: 0,
    announced: 0,
    dialect: null,
    item: null,
    tests: null,
    warnings: null,
    tokens_used: 0,
    duration_ms: null,
    ...given,
  }
}

/** The due time of a batch's members: never, since the batch runs them and no worker may claim them. */
export const NEVER = Number.MAX_SAFE_INTEGER
