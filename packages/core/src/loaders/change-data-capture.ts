import type { LoaderPack } from './loader.ts'

/** Debezium with the event-flattening transformation; columns as chosen in `add.fields`. */
export const debezium: LoaderPack = {
  name: 'debezium',
  title: 'Debezium',
  pages: ['https://debezium.io/documentation/reference/stable/transformations/event-flattening.html'],
  signs: { any: ['__deleted', '__source_ts_ms', '__ts_ms', '__lsn'] },
  columns: {
    __op: 'Kind of the change: c (create), u (update), d (delete), r (read) or t (truncate).',
    __deleted: 'True when the change was a deletion.',
    __ts_ms: 'When Debezium handled the change, in epoch milliseconds.',
    __source_ts_ms: 'When the change was made in the source database, in epoch milliseconds.',
    __table: 'Table that the change was read from.',
    __db: 'Database that the change was read from.',
    __lsn: 'Position of the change in the log of the source database.',
    __txid: 'Transaction that made the change.',
  },
  loaded: [
    { column: '__ts_ms', as: 'epoch_milliseconds' },
    { column: '__source_ts_ms', as: 'epoch_milliseconds' },
  ],
  deleted: [
    { column: '__deleted', when: ['true'] },
    { column: '__op', when: ['d'] },
  ],
  loadMode: 'append',
  versions: [
    { column: '__lsn', order: 'desc' },
    { column: '__source_ts_ms', order: 'desc' },
    { column: '__ts_ms', order: 'desc' },
  ],
}

/** PeerDB and ClickPipes. */
export const peerdb: LoaderPack = {
  name: 'peerdb',
  title: 'PeerDB',
  pages: ['https://docs.peerdb.io/features/soft-delete'],
  signs: { any: [/^_peerdb_/] },
  columns: {
    _peerdb_synced_at: 'When PeerDB wrote the row.',
    _peerdb_is_deleted: 'True when the row was deleted in the source database.',
    _peerdb_version: 'Version of the row; the highest is the newest.',
  },
  loaded: [{ column: '_peerdb_synced_at' }],
  deleted: [{ column: '_peerdb_is_deleted', when: 'flag' }],
  loadMode: 'append',
  versions: [
    { column: '_peerdb_version', order: 'desc' },
    { column: '_peerdb_synced_at', order: 'desc' },
  ],
}

export const datastream: LoaderPack = {
  name: 'datastream',
  title: 'Google Datastream',
  pages: ['https://cloud.google.com/datastream/docs/destination-bigquery'],
  signs: { any: ['datastream_metadata'] },
  columns: { datastream_metadata: 'When and in which order the change was made in the source.' },
  loaded: [],
  deleted: [],
  loadMode: 'merge',
  versions: [],
}

/** Full-load rows have no `Op`; ongoing replication appends. */
export const dms: LoaderPack = {
  name: 'dms',
  title: 'AWS DMS',
  pages: ['https://docs.aws.amazon.com/dms/latest/userguide/CHAP_Target.S3.html'],
  signs: { all: ['op'], any: ['dms_timestamp', 'cdc_timestamp', 'transact_id', /^ar_h_/] },
  columns: {
    op: 'Kind of the change: I (insert), U (update) or D (delete); null for rows of the full load.',
    dms_timestamp: 'When the change was committed in the source database.',
    cdc_timestamp: 'When the change was committed in the source database.',
    transact_id: 'Transaction that made the change.',
  },
  patterns: [/^ar_h_/],
  loaded: [{ column: 'dms_timestamp' }, { column: 'cdc_timestamp' }],
  deleted: [{ column: 'op', when: ['D'] }],
  loadMode: 'append',
  versions: [
    { column: 'dms_timestamp', order: 'desc' },
    { column: 'cdc_timestamp', order: 'desc' },
    { column: 'ar_h_change_seq', order: 'desc' },
    { column: 'transact_id', order: 'desc' },
  ],
}

/** Change tables (`<table>__ct`) of Qlik Replicate. */
export const qlik: LoaderPack = {
  name: 'qlik',
  title: 'Qlik Replicate',
  pages: ['https://help.qlik.com/en-US/replicate/Content/Replicate/Main/Tables/attunity_changes.htm'],
  signs: { all: ['header__change_oper'] },
  columns: {
    header__change_oper: 'Kind of the change: I (insert), U (update), D (delete) or B (before image).',
    header__change_seq: 'Order of the change; the highest is the newest.',
    header__timestamp: 'When the change was committed in the source database.',
  },
  patterns: [/^header__/],
  loaded: [{ column: 'header__timestamp' }],
  deleted: [{ column: 'header__change_oper', when: ['D'] }],
  loadMode: 'append',
  versions: [{ column: 'header__change_seq', order: 'desc' }],
}

export const matillion: LoaderPack = {
  name: 'matillion',
  title: 'Matillion',
  pages: ['https://docs.matillion.com/data-productivity-cloud/streaming/docs/transformation-type/'],
  signs: { any: [/^mtln_cdc_/] },
  columns: {
    mtln_cdc_last_change_type: 'Kind of the last change: I (insert), U (update) or D (delete).',
    mtln_cdc_last_commit_timestamp: 'When the last change was committed in the source database.',
    mtln_cdc_sequence_number: 'Order of the change; the highest is the newest.',
    mtln_cdc_load_timestamp: 'When Matillion wrote the row.',
  },
  patterns: [/^mtln_cdc_/],
  loaded: [{ column: 'mtln_cdc_load_timestamp' }],
  deleted: [{ column: 'mtln_cdc_last_change_type', when: ['D'] }],
  loadMode: 'merge',
  versions: [{ column: 'mtln_cdc_sequence_number', order: 'desc' }],
}
