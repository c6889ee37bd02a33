import type { TableKind } from '@stagecraft/spec'

export interface SourceTableRow {
  project_id: string
  connection_id: string
  /** The dotted name, quoted if needed. */
  name: string
  /** The searched text, because the two engines fold non-ASCII letters differently. */
  lower_name: string
  database_name: string | null
  schema_name: string | null
  table_name: string
  kind: TableKind
  comment: string | null
  columns: number
  /** JSON of the table as described by the catalog. */
  definition: string
  /** The hash of the definition, by which a scan finds changes without reading all definitions. */
  fingerprint: string
  /** The newest scan that saw the table. */
  scan_id: string
  scanned_at: number
}

/** Evidence from the rows of a table, found by a scan. It is deleted when the columns of the table change. */
export interface SourceProfileRow {
  project_id: string
  connection_id: string
  /** The name of the stored table. */
  name: string
  /** JSON of an `Observation`, used by generations. */
  observed: string
  /** JSON of a `TableProfile`. */
  profile: string
  /** JSON of the inferred proposals about the table. */
  proposals: string
  profiled_at: number
}
