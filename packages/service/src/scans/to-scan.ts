import type { ScanChanges, ScanResource } from '@stagecraft/spec/api'
import { jobMembers } from '../resources/job-members.ts'
import { fromJson } from '../store/json.ts'
import type { ScanRow } from '../store/schema.ts'

/** A scan as the interface shows it. */
export function toScan(row: Omit<ScanRow, 'changes'> & { readonly changes?: string | null }): ScanResource {
  return {
    id: row.id,
    connectionId: row.connection_id,
    ...jobMembers(row),
    ...(row.progress !== null && { progress: fromJson(row.progress) as ScanResource['progress'] }),
    ...(row.tables !== null && { tables: row.tables }),
    ...(row.columns !== null && { columns: row.columns }),
    ...(typeof row.changes === 'string' && { changes: fromJson(row.changes) as ScanChanges }),
  }
}
