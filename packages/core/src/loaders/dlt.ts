import type { LoaderPack } from './loader.ts'

const COLUMNS = {
  _dlt_id: 'Identifier that dlt gave to the row.',
  _dlt_load_id: 'The load that wrote the row: its start in epoch seconds.',
  _dlt_parent_id: 'The `_dlt_id` of the row that this one was nested in.',
  _dlt_list_idx: 'Position in the list that this row was nested in, from 0.',
  _dlt_root_id: 'The `_dlt_id` of the top-level row that this one belongs to.',
  _dlt_valid_from: 'When this version of the row became valid.',
  _dlt_valid_to: 'When this version of the row stopped being valid; null while it is valid.',
} as const

export const dlt: LoaderPack = {
  name: 'dlt',
  title: 'dlt',
  pages: [
    'https://dlthub.com/docs/general-usage/destination-tables',
    'https://dlthub.com/docs/general-usage/merge-loading#scd2-strategy',
  ],
  signs: { any: ['_dlt_id', '_dlt_load_id'] },
  columns: COLUMNS,
  loaded: [{ column: '_dlt_load_id', as: 'epoch_seconds' }],
  deleted: [],
  loadMode: 'merge',
  versions: [],
  rowKey: '_dlt_id',
  systemTables: /^_dlt_(?:loads|pipeline_state|version)$/,
}

export const dltHistory: LoaderPack = {
  ...dlt,
  name: 'dlt-scd2',
  signs: { all: ['_dlt_valid_from', '_dlt_valid_to'] },
  historyKey: '_dlt_valid_from',
}
