import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { readProject } from '../project/read-project.ts'
import { memoryTree } from '../tree/memory-tree.ts'
import { readManifest } from './read-manifest.ts'

const SQL = '\r\n  select 1\r\nfrom x  \n'
const PROJECT = {
  'dbt_project.yml': 'name: shop',
  'models/a.sql': SQL,
  'models/s.yml': 'sources: [{ name: raw, tables: [{ name: orders }] }]',
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const MANIFEST = {
  metadata: {
    dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json',
    dbt_version: '1.11.2',
    generated_at: '2026-01-01T00:00:00Z',
  },
  nodes: {
    'model.shop.a': {
      name: 'a',
      alias: 'A_',
      schema: 'mart',
      database: 'db',
      package_name: 'shop',
      resource_type: 'model',
      relation_name: '"db"."mart"."A_"',
      original_file_path: 'models/a.sql',
      checksum: { name: 'sha256', checksum: sha256('select 1\nfrom x') },
      depends_on: { nodes: ['source.shop.raw.orders'] },
    },
    'model.other.b': {
      name: 'b',
      package_name: 'other',
      resource_type: 'model',
      original_file_path: 'models/b.sql',
    },
  },
  sources: {
    'source.shop.raw.orders': {
      source_name: 'raw',
      name: 'orders',
      package_name: 'shop',
      original_file_path: 'models/s.yml',
    },
  },
  disabled: { 'model.shop.off': [{ original_file_path: 'models/off.sql' }] },
}

async function read(files: Record<string, string>, manifest: unknown = MANIFEST) {
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest)
  const tree = memoryTree({ ...PROJECT, ...files, 'target/manifest.json': text })
  return readManifest(tree, await readProject(tree))
}

test('knows what only dbt knows, and that nothing changed since', async () => {
  expect(await read({ 'models/off.sql': 'select 2' })).toEqual({
    dbtVersion: '1.11.2',
    generatedAt: '2026-01-01T00:00:00Z',
    models: [
      {
        kind: 'model',
        name: 'a',
        version: undefined,
        path: 'models/a.sql',
        database: 'db',
        schema: 'mart',
        relation: 'A_',
        reads: ['source.shop.raw.orders'],
      },
    ],
    stale: [],
  })
})

test.each([
  [{ 'models/a.sql': 'select 2' }, [{ path: 'models/a.sql', reason: 'changed' }]],
  [{ 'models/c.sql': 'select 2' }, [{ path: 'models/c.sql', reason: 'new' }]],
  [
    { 'models/s.yml': 'sources: [{ name: raw, tables: [{ name: lines }] }]' },
    [{ path: 'models/s.yml', reason: 'changed' }],
  ],
])('says what is stale after %j', async (files, stale) => {
  expect((await read(files))?.stale).toEqual(stale)
})

test('says which model is gone', async () => {
  const node = { ...MANIFEST.nodes['model.shop.a'], name: 'z', original_file_path: 'models\\z.sql' }
  const manifest = { ...MANIFEST, nodes: { ...MANIFEST.nodes, 'model.shop.z': node } }
  expect((await read({}, manifest))?.stale).toEqual([{ path: 'models/z.sql', reason: 'gone' }])
})

test.each([
  '{"nodes": {',
  '{}',
  '[]',
  { metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v4.json' } },
])('%j is no manifest', async (manifest) => {
  expect(await read({}, manifest)).toBeUndefined()
})
