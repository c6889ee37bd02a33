import type { LoaderPack } from './loader.ts'

const COLUMNS = {
  _sdc_batched_at: 'When the batch that holds the row was written.',
  _sdc_received_at: 'When the row arrived at the target.',
  _sdc_extracted_at: 'When the row was read from the source.',
  _sdc_sequence: 'Order in which versions of a row were read; the highest is the newest.',
  _sdc_table_version: 'Counts the full refreshes of the table.',
  _sdc_deleted_at: 'When the row was deleted in the source; null while it is live.',
  _sdc_sync_started_at: 'When the sync that brought the row began, in epoch milliseconds.',
  _sdc_replication_id: 'Identifier that Stitch gave to a row without a primary key.',
  _sdc_report_datetime: 'When the report that the row comes from was requested.',
  _sdc_customer_id: 'Account that the report belongs to.',
  _sdc_record_hash: 'Hash of the record.',
  _sdc_dimensions_hash_key: 'Hash of the dimensions of a report row.',
  _sdc_extra: 'Values that fitted no column.',
  __sdc_primary_key: 'Identifier that Stitch gave to a row without a primary key.',
} as const

const base = {
  columns: COLUMNS,
  patterns: [/^_sdc_source_key_/, /^_sdc_level_\d+_id$/],
  deleted: [{ column: '_sdc_deleted_at', when: 'time' }],
  loadMode: 'append',
  versions: [
    { column: '_sdc_sequence', order: 'desc' },
    { column: '_sdc_batched_at', order: 'desc' },
    { column: '_sdc_received_at', order: 'desc' },
  ],
} as const satisfies Partial<LoaderPack>

export const stitch: LoaderPack = {
  ...base,
  name: 'stitch',
  title: 'Stitch',
  pages: ['https://www.stitchdata.com/docs/data-structure/integration-schemas#sdc-columns'],
  signs: { any: [/^_sdc_/] },
  loaded: [{ column: '_sdc_batched_at' }, { column: '_sdc_received_at' }],
  rowKey: '__sdc_primary_key',
  systemTables: /^_sdc_(?:rejected|primary_keys)$/,
}

/** Any target of the Singer SDK with `add_record_metadata: true`. */
export const meltano: LoaderPack = {
  ...base,
  name: 'meltano',
  title: 'Meltano',
  pages: ['https://sdk.meltano.com/en/latest/implementation/record_metadata.html'],
  signs: { all: ['_sdc_sync_started_at'] },
  loaded: [{ column: '_sdc_batched_at' }, { column: '_sdc_extracted_at' }],
}
