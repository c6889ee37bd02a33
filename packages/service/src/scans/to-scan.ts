import type { ScanChanges, ScanResource } from '@stagecraft/spec/api'
import { timeMember, toIso } from '../resources/times.ts'
import { fromJson } from '../store/json.ts'
import type { JobError, ScanRow } from '../store/schema.ts'

/** A scan as the interface shows it. */
export function toScan(row: Omit<ScanRow, 'changes'> & { readonly changes?: string | null }): ScanResource {
  return {
    id: row.id,
    connectionId: row.connection_id,
    state: row.state,
    ...(row.state === 'failed' && row.error !== null && { error: fromJson(row.error) as JobError }),
    createdAt: toIso(row.created_at),
    ...timeMember('startedAt', row.started_at),
    ...timeMember('finishedAt', row.finished_at),
    ...(row.progress !== null && { progress: fromJson(row.progress) as ScanResource['progress'] }),
    ...(row.tables !== null && { tables: row.tables }),
    ...(row.columns !== null && { columns: row.columns }),
    ...(typeof row.changes === 'string' && { changes: fromJson(row.changes) as ScanChanges }),
  }
}
