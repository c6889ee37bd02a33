import type { SourceResource } from '@stagecraft/spec/api'
import { toIso } from '../resources/times.ts'
import type { SourceTableRow } from '../store/schema.ts'

/** The columns of a stored table that a list shows: all but its definition. */
export const SOURCE_COLUMNS = [
  'name',
  'connection_id',
  'kind',
  'comment',
  'columns',
  'scan_id',
  'scanned_at',
] as const

/** A stored table as the interface shows it. */
export function toSource(row: Pick<SourceTableRow, (typeof SOURCE_COLUMNS)[number]>): SourceResource {
  return {
    name: row.name,
    connectionId: row.connection_id,
    kind: row.kind,
    ...(row.comment !== null && { comment: row.comment }),
    columns: row.columns,
    scanId: row.scan_id,
    scannedAt: toIso(row.scanned_at),
  }
}
