import type { LoaderPack } from './loader.ts'

export const estuary: LoaderPack = {
  name: 'estuary',
  title: 'Estuary Flow',
  pages: ['https://docs.estuary.dev/reference/deletions/'],
  signs: { any: ['flow_published_at', 'flow_document', '_meta/op'] },
  columns: {
    '_meta/op': 'Kind of the change: c (create), u (update) or d (delete).',
    _meta_op: 'Kind of the change: c (create), u (update) or d (delete).',
    '_meta/uuid': 'Identifier of the change.',
    flow_published_at: 'When the change was published, in UTC; unique and increasing.',
    flow_document: 'The whole document as JSON.',
  },
  patterns: [/^_meta\//],
  loaded: [{ column: 'flow_published_at' }],
  deleted: [
    { column: '_meta/op', when: ['d'] },
    { column: '_meta_op', when: ['d'] },
  ],
  loadMode: 'merge',
  versions: [{ column: 'flow_published_at', order: 'desc' }],
}
