import type { TableKind } from '@stagecraft/spec'

export interface SourceTableRow {
  project_id: string
  connection_id: string
  /** Dotted, with quotes where they are needed. */
  name: string
  /** The text that is searched: the two engines fold letters beyond ASCII differently. */
  lower_name: string
  database_name: string | null
  schema_name: string | null
  table_name: string
  kind: TableKind
  comment: string | null
  columns: number
  /** JSON of the table as the catalog described it. */
  definition: string
  /** Of the definition, so that a scan finds what changed without reading all definitions. */
  fingerprint: string
  /** The scan that saw it last. */
  scan_id: string
  scanned_at: number
}

/** The evidence of the rows of a table, as a scan found it. It goes when the columns of the table change. */
export interface SourceProfileRow {
  project_id: string
  connection_id: string
  /** That of the stored table. */
  name: string
  /** JSON of an `Observation`: what generations use. */
  observed: string
  /** JSON of a `TableProfile`. */
  profile: string
  /** JSON of the proposals of inference about the table. */
  proposals: string
  profiled_at: number
}
