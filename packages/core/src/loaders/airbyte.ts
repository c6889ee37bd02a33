import type { LoaderPack } from './loader.ts'

const CDC_COLUMNS = {
  _ab_cdc_deleted_at: 'When the row was deleted in the source database; null while it is live.',
  _ab_cdc_updated_at: 'When the change happened in the source database.',
  _ab_cdc_lsn: 'Position of the change in the log of the source database.',
  _ab_cdc_log_file: 'Log file that the change was read from.',
  _ab_cdc_log_pos: 'Position of the change in its log file.',
  _ab_cdc_cursor: 'Order of the change, as Airbyte counts it.',
  _ab_cdc_event_serial_no: 'Order of the change within its transaction.',
  _ab_source_file_url: 'File that the row was read from.',
  _ab_source_file_last_modified: 'When that file was last changed.',
} as const

const CDC_VERSIONS = [
  { column: '_ab_cdc_cursor', order: 'desc' },
  { column: '_ab_cdc_lsn', order: 'desc' },
  { column: '_ab_cdc_updated_at', order: 'desc' },
] as const

/**
 * Destinations V2. No column shows whether a stream is appended or deduplicated; if it has a key, Airbyte proposes to
 * deduplicate.
 */
export const airbyte: LoaderPack = {
  name: 'airbyte',
  title: 'Airbyte',
  pages: [
    'https://docs.airbyte.com/platform/using-airbyte/core-concepts/typing-deduping',
    'https://docs.airbyte.com/platform/understanding-airbyte/airbyte-metadata-fields',
  ],
  signs: { any: ['_airbyte_raw_id', '_airbyte_extracted_at'] },
  columns: {
    _airbyte_raw_id: 'Identifier that Airbyte gave to the record when it was read.',
    _airbyte_extracted_at: 'When Airbyte read the record from the source, in UTC.',
    _airbyte_loaded_at: 'When Airbyte wrote the record, in UTC.',
    _airbyte_meta: 'Changes that Airbyte made to the record while loading it.',
    _airbyte_generation_id: 'Counts the full refreshes of the stream.',
    ...CDC_COLUMNS,
  },
  loaded: [{ column: '_airbyte_extracted_at' }],
  deleted: [{ column: '_ab_cdc_deleted_at', when: 'time' }],
  loadMode: 'merge',
  versions: [
    ...CDC_VERSIONS,
    { column: '_airbyte_extracted_at', order: 'desc' },
    { column: '_airbyte_raw_id', order: 'desc' },
  ],
  rowKey: '_airbyte_raw_id',
}

/** Destinations V1 with normalization. */
export const airbyteV1: LoaderPack = {
  name: 'airbyte-v1',
  title: 'Airbyte',
  pages: ['https://docs.airbyte.com/release_notes/upgrading_to_destinations_v2'],
  signs: { any: ['_airbyte_emitted_at', '_airbyte_ab_id'] },
  columns: {
    _airbyte_ab_id: 'Identifier that Airbyte gave to the record when it was read.',
    _airbyte_emitted_at: 'When Airbyte read the record from the source, in UTC.',
    _airbyte_normalized_at: 'When the record was normalized, in UTC.',
    _airbyte_data: 'The record as JSON.',
    _airbyte_additional_properties: 'Fields that were not in the schema of the stream.',
    ...CDC_COLUMNS,
  },
  patterns: [/^_airbyte_.*_hashid$/],
  loaded: [{ column: '_airbyte_emitted_at' }],
  deleted: [{ column: '_ab_cdc_deleted_at', when: 'time' }],
  loadMode: 'append',
  versions: [
    ...CDC_VERSIONS,
    { column: '_airbyte_emitted_at', order: 'desc' },
    { column: '_airbyte_ab_id', order: 'desc' },
  ],
  systemTables: /^_airbyte_(?:raw|tmp)_/,
}
