import type { LoaderPack } from './loader.ts'

const COLUMNS = {
  _fivetran_synced: 'When Fivetran last wrote the row, in UTC.',
  _fivetran_deleted: 'True when the row was deleted in the source system.',
  _fivetran_id: 'Hash by which Fivetran identifies a row of a table without a primary key.',
  _fivetran_index: 'Order of the rows of a table without a primary key.',
  _fivetran_active: 'True for the version of the row that is valid now.',
  _fivetran_start: 'When this version of the row became valid, in UTC.',
  _fivetran_end: 'When this version of the row stopped being valid, in UTC.',
} as const

const PAGES = [
  'https://fivetran.com/docs/core-concepts/system-columns-and-tables',
  'https://fivetran.com/docs/core-concepts/sync-modes/history-mode',
]

export const fivetran: LoaderPack = {
  name: 'fivetran',
  title: 'Fivetran',
  pages: PAGES,
  signs: { any: [/^_fivetran_/] },
  columns: COLUMNS,
  loaded: [{ column: '_fivetran_synced' }],
  deleted: [{ column: '_fivetran_deleted', when: 'flag' }],
  loadMode: 'merge',
  versions: [],
  rowKey: '_fivetran_id',
  systemTables: /^fivetran_audit(?:_warehouse)?$/,
}

/** Every version of a row is kept on purpose, so that key and start together identify one. */
export const fivetranHistory: LoaderPack = {
  ...fivetran,
  name: 'fivetran-history',
  signs: { all: ['_fivetran_start', '_fivetran_active'] },
  deleted: [],
  historyKey: '_fivetran_start',
}
