import type { Warning } from '@stagecraft/spec'
import type { GenerationRecord } from '@stagecraft/spec/api'
import { jobMembers } from '../resources/job-members.ts'
import type { GenerationRow } from '../store/schema.ts'

/** The public columns of a row. The input of the generation is long, and read only where it is needed. */
export const TOLD_COLUMNS = [
  'id',
  'project_id',
  'kind',
  'unit_id',
  'batch_id',
  'state',
  'error',
  'created_at',
  'started_at',
  'finished_at',
  'tests',
  'warnings',
  'tokens_used',
  'duration_ms',
] as const satisfies readonly (keyof GenerationRow)[]

export type ToldGeneration = Pick<GenerationRow, (typeof TOLD_COLUMNS)[number]>

/** The parts of a generation that are stored in other rows. */
export interface GenerationParts {
  readonly files: NonNullable<GenerationRecord['files']> | undefined
  readonly units: GenerationRecord['units']
}

export function toGeneration(row: ToldGeneration, { files, units }: GenerationParts): GenerationRecord {
  const isCompleted = row.state === 'completed'
  return {
    id: row.id,
    kind: row.kind,
    ...(row.unit_id !== null && { unitId: row.unit_id }),
    ...(row.batch_id !== null && { batchId: row.batch_id }),
    ...jobMembers(row),
    ...(isCompleted && files && { files }),
    ...(row.tests !== null && { tests: JSON.parse(row.tests) as string[] }),
    ...(row.warnings !== null && { warnings: JSON.parse(row.warnings) as Warning[] }),
    tokensUsed: row.tokens_used,
    ...(row.duration_ms !== null && { durationMs: row.duration_ms }),
    ...(units && { units }),
  }
}
