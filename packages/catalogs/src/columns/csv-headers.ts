import { editDistance, nearestNames } from '../nearest-names.ts'

/** The meaning of a cell: the name in information_schema, and other names that exports use for it. */
const HEADERS = {
  table_catalog: ['database', 'project'],
  table_schema: ['schema', 'dataset'],
  table_name: ['table'],
  column_name: ['column', 'name'],
  ordinal_position: ['position'],
  data_type: ['type'],
  full_data_type: ['column_type'],
  numeric_precision: [],
  numeric_scale: [],
  is_nullable: ['nullable'],
  column_default: ['default'],
  comment: ['column_comment', 'description', 'remarks'],
  is_primary_key: ['primary_key'],
} as const

export type Header = keyof typeof HEADERS

export const REQUIRED_HEADERS = [
  'table_name',
  'column_name',
  'data_type',
] as const satisfies readonly Header[]

export const HEADER_NAMES = Object.keys(HEADERS) as readonly Header[]

const BY_NAME: ReadonlyMap<string, Header> = new Map(
  HEADER_NAMES.flatMap((header) => [header, ...HEADERS[header]].map((name) => [name, header] as const)),
)

/**
 * Further columns of `information_schema.columns` that nothing here needs, in PostgreSQL, MariaDB and DuckDB
 * and as these pages describe the view: https://docs.snowflake.com/en/sql-reference/info-schema/columns
 * https://cloud.google.com/bigquery/docs/information-schema-columns
 * https://docs.databricks.com/aws/sql/language-manual/information-schema/columns
 */
const UNUSED = new Set(
  `
  character_maximum_length character_octet_length numeric_precision_radix datetime_precision interval_type
  interval_precision character_set_catalog character_set_schema character_set_name collation_catalog
  collation_schema collation_name domain_catalog domain_schema domain_name udt_catalog udt_schema udt_name
  scope_catalog scope_schema scope_name maximum_cardinality dtd_identifier is_self_referencing is_identity
  identity_generation identity_start identity_increment identity_maximum identity_minimum identity_cycle
  identity_ordered is_generated generation_expression is_updatable column_key extra privileges
  srs_id schema_evolution_record data_type_alias partition_index
  is_hidden is_system_defined is_stored is_partitioning_column clustering_ordinal_position rounding_mode
  policy_tags
`
    .trim()
    .split(/\s+/),
)

/**
 * Returns the meaning of the cells under a header; `unused` for other columns of information_schema, and for
 * the empty cells that a comma at the end of each row makes. Spreadsheets write blanks for underscores.
 */
export function readHeader(text: string): Header | 'unused' | undefined {
  const name = plainName(text)
  return BY_NAME.get(name) ?? (name === '' || UNUSED.has(name) ? 'unused' : undefined)
}

/** The header that a misspelled one most likely stands for: one with the same letters but for two slips at most. */
export function nearestHeader(text: string): Header | undefined {
  const name = plainName(text)
  const slips = Math.min(2, Math.floor(name.length / 4))
  return [...BY_NAME].find(([known]) => editDistance(name, known) <= slips)?.[1]
}

/** Returns true if a header may be a slip for one that the file lacks. */
export function isNear(text: string, header: Header): boolean {
  return nearestNames(plainName(text), [header, ...HEADERS[header]]).length > 0
}

/** A header with the other names that it may have, for messages. */
export function expectedHeader(header: Header): string {
  return [header, ...HEADERS[header]].join(' or ')
}

function plainName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
}
