import type { LoaderPack } from './loader.ts'

export const sling: LoaderPack = {
  name: 'sling',
  title: 'Sling',
  pages: ['https://docs.slingdata.io/concepts/replication/columns#metadata-columns'],
  signs: { any: [/^_sling_/] },
  columns: {
    _sling_loaded_at: 'When Sling wrote the row.',
    _sling_deleted_at: 'When the row was found deleted in the source; null while it is live.',
    _sling_stream_url: 'File that the row was read from.',
    _sling_row_num: 'Number of the row in its file.',
    _sling_row_id: 'Identifier that Sling gave to the row.',
    _sling_exec_id: 'The run that wrote the row.',
  },
  loaded: [{ column: '_sling_loaded_at', as: 'epoch_seconds' }],
  deleted: [{ column: '_sling_deleted_at', when: 'time' }],
  loadMode: 'merge',
  versions: [{ column: '_sling_loaded_at', order: 'desc' }],
  rowKey: '_sling_row_id',
}

export const portable: LoaderPack = {
  name: 'portable',
  title: 'Portable',
  pages: ['https://portable.io/docs'],
  signs: { all: ['_portable_extracted'] },
  columns: { _portable_extracted: 'When Portable read the row from the source, in UTC.' },
  loaded: [{ column: '_portable_extracted' }],
  deleted: [],
  loadMode: 'merge',
  versions: [{ column: '_portable_extracted', order: 'desc' }],
}

/** Rivery, now Boomi Data Integration. */
export const rivery: LoaderPack = {
  name: 'rivery',
  title: 'Rivery',
  pages: ['https://docs.rivery.io/docs/metadata-fields'],
  signs: { any: [/^_rivery_/] },
  columns: {
    _rivery_last_update: 'When Rivery wrote the row.',
    _rivery_river_id: 'The pipeline that wrote the row.',
    _rivery_run_id: 'The run that wrote the row.',
  },
  loaded: [{ column: '_rivery_last_update' }],
  deleted: [],
  loadMode: 'merge',
  versions: [{ column: '_rivery_last_update', order: 'desc' }],
}

/** Auto Loader, change data feed and SCD type 2 tables of Databricks. */
export const databricksLoader: LoaderPack = {
  name: 'databricks',
  title: 'Databricks',
  pages: [
    'https://docs.databricks.com/en/ingestion/cloud-object-storage/auto-loader/schema.html',
    'https://docs.databricks.com/en/delta/delta-change-data-feed.html',
    'https://docs.databricks.com/en/dlt/cdc.html',
  ],
  signs: { any: ['_rescued_data', '_commit_timestamp', '__start_at'] },
  columns: {
    _rescued_data: 'Values that fitted no column.',
    _metadata: 'File that the row was read from.',
    _change_type: 'Kind of the change.',
    _commit_version: 'Version of the table that holds the change.',
    _commit_timestamp: 'When the change was committed.',
    __start_at: 'When this version of the row became valid.',
    __end_at: 'When this version of the row stopped being valid; null while it is valid.',
  },
  loaded: [{ column: '_commit_timestamp' }],
  deleted: [],
  loadMode: 'merge',
  versions: [],
  historyKey: '__start_at',
}

/** Columns that home-made loaders often write. Checked last. */
export const generic: LoaderPack = {
  name: 'generic',
  pages: ['docs/reference/loaders.md'],
  signs: {
    any: [
      '_loaded_at',
      'loaded_at',
      '_etl_loaded_at',
      'etl_loaded_at',
      'dw_loaded_at',
      '_ingested_at',
      'ingested_at',
      '_extracted_at',
      '_synced_at',
      '_inserted_at',
    ],
  },
  columns: {
    _loaded_at: 'When the row was loaded.',
    loaded_at: 'When the row was loaded.',
    _etl_loaded_at: 'When the row was loaded.',
    etl_loaded_at: 'When the row was loaded.',
    dw_loaded_at: 'When the row was loaded.',
    _ingested_at: 'When the row was loaded.',
    ingested_at: 'When the row was loaded.',
    _extracted_at: 'When the row was read from the source.',
    _synced_at: 'When the row was loaded.',
    _inserted_at: 'When the row was loaded.',
    _batch_id: 'The load that brought the row.',
    _file_name: 'File that the row was read from.',
    _row_number: 'Number of the row in its file.',
    metadata$filename: 'File that the row was read from.',
    _metadata_file_path: 'File that the row was read from.',
  },
  loaded: [
    { column: '_loaded_at' },
    { column: 'loaded_at' },
    { column: '_etl_loaded_at' },
    { column: 'etl_loaded_at' },
    { column: 'dw_loaded_at' },
    { column: '_ingested_at' },
    { column: 'ingested_at' },
    { column: '_extracted_at' },
    { column: '_synced_at' },
    { column: '_inserted_at' },
  ],
  deleted: [],
  loadMode: 'merge',
  versions: [],
}
