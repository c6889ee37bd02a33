import type { LoaderPack } from './loader.ts'

export const hevo: LoaderPack = {
  name: 'hevo',
  title: 'Hevo',
  pages: ['https://docs.hevodata.com/data-ingestion/working-with-hevo-metadata-columns/'],
  signs: { any: [/^__hevo_/] },
  columns: {
    __hevo_id: 'Identifier that Hevo gave to a row without a primary key.',
    __hevo__ingested_at: 'When Hevo read the row from the source, in epoch milliseconds.',
    __hevo__loaded_at: 'When Hevo wrote the row, in epoch milliseconds.',
    __hevo__source_modified_at: 'When the row was last changed in the source, in epoch milliseconds.',
    __hevo__marked_deleted: 'True when the row was deleted in the source system.',
    __hevo__database_name: 'Database that the row was read from.',
  },
  patterns: [/^__hevo_/],
  loaded: [{ column: '__hevo__loaded_at', as: 'epoch_milliseconds' }],
  deleted: [{ column: '__hevo__marked_deleted', when: 'flag' }],
  loadMode: 'append',
  versions: [
    { column: '__hevo__source_modified_at', order: 'desc' },
    { column: '__hevo__ingested_at', order: 'desc' },
  ],
  rowKey: '__hevo_id',
}
