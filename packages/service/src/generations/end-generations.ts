import type { Change } from '../change.ts'
import type { GenerationRow, JobError } from '../store/schema.ts'
import { publishFailed } from './generation-events.ts'

export interface GenerationEnd {
  readonly state: 'failed' | 'cancelled'
  readonly error: JobError
}

/** Selects among the running generations. */
export type OpenGenerations =
  | { readonly ids: readonly string[] }
  | { readonly batchId: string; readonly announced: GenerationRow['announced'] }

/**
 * Ends generations that no worker holds by a lease of their own; those that have ended stay as they are.
 *
 * @returns The ids of those that it ended.
 */
export async function endGenerations(
  tx: Change,
  open: OpenGenerations,
  end: GenerationEnd,
): Promise<readonly string[]> {
  const update = tx.db
    .updateTable('generations')
    .set({
      state: end.state,
      finished_at: await tx.now(),
      error: JSON.stringify(end.error),
      lease_owner: null,
      lease_until: null,
    })
    .where('state', 'in', ['queued', 'running'])
  const rows = await (
    'ids' in open
      ? update.where('id', 'in', open.ids)
      : update.where('batch_id', '=', open.batchId).where('announced', '=', open.announced)
  )
    .returning('id')
    .execute()
  const ids = rows.map(({ id }) => id)
  await publishEnds(tx, ids, end.error)
  return ids
}

/** Ends what is left of a batch. What began shares the end of the whole; the rest never will begin. */
export async function endMembers(tx: Change, batchId: string, end: GenerationEnd): Promise<void> {
  await endGenerations(tx, { batchId, announced: 1 }, end)
  await endGenerations(tx, { batchId, announced: 0 }, { ...end, state: 'cancelled' })
}

const CHUNK = 1000

/** `generation.failed` of those that had begun. */
export async function publishEnds(tx: Change, ids: readonly string[], error: JobError): Promise<void> {
  const now = await tx.now()
  for (let start = 0; start < ids.length; start += CHUNK) {
    const rows = await tx.db
      .selectFrom('generations')
      .innerJoin('units', 'units.id', 'generations.unit_id')
      .select(['generations.id as generationId', 'generations.started_at'])
      .select(['units.id', 'units.project_id', 'units.name', 'units.type'])
      .where('generations.id', 'in', ids.slice(start, start + CHUNK))
      .where('generations.announced', '=', 1)
      .orderBy('generations.id')
      .execute()
    for (const { generationId, started_at, ...unit } of rows) {
      const durationMs = now - (started_at ?? now)
      await publishFailed(tx, { generationId, unit, error, durationMs })
    }
  }
}
