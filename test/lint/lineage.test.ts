import {
  columnLineage,
  knownColumns,
  lineageAround,
  type LineageAround,
  type LineageDirection,
  type LineageNode,
  loadSqlStructure,
  modelLineage,
  printLineageJson,
  printLineageMermaid,
  printLineageText,
  readLintProject,
} from '@stagecraft/analysis'
import { memoryTree } from '@stagecraft/dbt'
import { expect, test } from 'vitest'
import { LINEAGE_FILES } from './lineage-files.ts'
import { type Files, readFilesAsProject } from './lint-project.ts'

const OPTIONS = { version: '1.2.3', prefix: 'dbt/' }

function nodeOf(nodes: readonly LineageNode[], id: string): LineageNode {
  const found = nodes.find((node) => node.id === id)
  if (!found) throw new Error(`there is no ${id} among ${nodes.map((node) => node.id).join(', ')}`)
  return found
}

async function around(id: string, files: Files = LINEAGE_FILES): Promise<LineageAround> {
  const models = modelLineage(await readFilesAsProject(files))
  return lineageAround(models, nodeOf(models.nodes, id), 'both')
}

async function ofColumn(
  relation: string,
  column: string,
  { direction = 'both', files = LINEAGE_FILES }: { direction?: LineageDirection; files?: Files } = {},
): Promise<LineageAround> {
  const project = await readFilesAsProject(files)
  const models = modelLineage(project)
  const structure = await loadSqlStructure(project)
  return columnLineage(
    project,
    { relation: nodeOf(models.nodes, relation), column, direction },
    { models, structure },
  )
}

test('tells what a model reads and what reads it, with the places', async () => {
  expect(printLineageText(await around('model.int_orders'), OPTIONS))
    .toBe(`model int_orders  dbt/models/int_orders.sql:1
reads
  model stg_shop__orders  dbt/models/stg_shop__orders.sql:1
    source shop.orders  dbt/models/sources.yml:4
is read by
  model fct_orders  dbt/models/fct_orders.sql:5
    exposure weekly  dbt/models/sources.yml:7
  model odd  dbt/models/odd.sql:1
`)
})

test('tells what may be read beside what is known', async () => {
  const files = {
    ...LINEAGE_FILES,
    'models/odd.sql':
      "select * from {{ ref(var('x')) }} join {{ ref('elsewhere') }}, {{ source('no', 'table') }}\n",
  }
  expect((await around('model.odd', files)).gaps.map(({ reason }) => reason)).toEqual([
    'some of its references are only known when dbt runs',
    'it reads elsewhere, which is not in the project',
    'it reads no.table, which is not in the project',
  ])
})

test('models that read each other end the tree', async () => {
  const files = {
    'models/a.sql': "select * from {{ ref('b') }}\n",
    'models/b.sql': "select * from {{ ref('a') }}\n",
  }
  const text = printLineageText(await around('model.a', files), { version: '1' })
  expect(text.split('\n')).toHaveLength(8)
})

test('a column of a mart leads to the raw columns that it is made of', async () => {
  const { edges, nodes } = await ofColumn('model.fct_orders', 'TOTAL', { direction: 'up' })
  expect(nodes.filter(({ kind }) => kind === 'source').map(({ id }) => id)).toEqual([
    'source.shop.orders:amount',
    'source.shop.orders:tax',
  ])
  expect(edges.filter(({ from }) => from === 'source.shop.orders:tax')).toEqual([
    {
      from: 'source.shop.orders:tax',
      to: 'model.stg_shop__orders:tax',
      path: 'models/stg_shop__orders.sql',
      line: 9,
    },
  ])
})

test('a raw column leads to the marts that it reaches, and the models that break without it', async () => {
  const lineage = await ofColumn('source.shop.orders', 'tax', { direction: 'down' })
  const text = printLineageText(lineage, { version: '1' })
  expect(text).toContain('      model fct_orders.total  models/fct_orders.sql:4\n')
  expect(text).toContain(`without source shop.orders.tax
  breaks 1 model; 4 more build on it
  models/stg_shop__orders.sql:9  stg_shop__orders reads tax
`)
  expect(lineage.gaps.map(({ name }) => name)).toEqual(['odd'])
})

test('without a column that only * passes on, the model breaks that names it', async () => {
  const { impact } = await ofColumn('model.stg_shop__orders', 'tax', { direction: 'down' })
  expect(impact?.breaks).toEqual([
    { id: 'model.fct_orders', name: 'fct_orders', column: 'tax', path: 'models/fct_orders.sql', line: 4 },
  ])
})

test('a column in a condition alone breaks its model', async () => {
  const { impact, nodes } = await ofColumn('source.shop.orders', 'deleted', { direction: 'down' })
  expect(nodes).toHaveLength(1)
  expect(impact?.breaks.map(({ line, path }) => `${path}:${line}`)).toEqual([
    'models/stg_shop__orders.sql:11',
  ])
})

test('JSON has nodes, edges and the impact with paths of the repository', async () => {
  const printed = printLineageJson(await ofColumn('source.shop.orders', 'tax'), OPTIONS)
  expect(JSON.parse(printed)).toMatchObject({
    stagecraft: '1.2.3',
    start: 'source.shop.orders:tax',
    impact: { breaks: [{ path: 'dbt/models/stg_shop__orders.sql', line: 9 }] },
    unknown: [{ id: 'model.odd' }],
  })
})

test('labels of Mermaid hold names of any kind', async () => {
  const files = {
    'models/s.yml': 'sources:\n  - name: "a\\"]; click <b>"\n    tables:\n      - name: "x`%%{init}"\n',
    'models/m.sql': `select * from {{ source('a"]; click <b>', 'x\`%%{init}') }}\n`,
  }
  const printed = printLineageMermaid(await around('model.m', files))
  const labels = printed.split('\n').filter((line) => line.includes('"'))
  expect(labels).toHaveLength(2)
  for (const label of labels) expect(label).toMatch(/^ {2}n\d\[\(?"[\p{L}\p{N}_. #;-]*"\)?\]$/u)
  expect(printed).toContain('n1 --> n0')
})

test.each([
  ['duckdb quotes', 'q"t', '"q""t"'],
  ['a backtick in quotes', 'q`t', '"q`t"'],
  ['a character of two code units', 'q\u{1f600}t', '"q\u{1f600}t"'],
  ['brackets in quotes', 'q]t', '"q]t"'],
])('a raw column whose name SQL quotes is not safe to drop: %s', async (_, column, written) => {
  const files = {
    'models/s.yml': `sources:\n  - name: shop\n    tables:\n      - name: orders\n        columns:\n          - name: '${column}'\n`,
    'models/m.sql': `select ${written} as a from {{ source('shop', 'orders') }}\n`,
  }
  const { gaps, impact } = await ofColumn('source.shop.orders', column, { direction: 'down', files })
  expect(impact?.breaks.map(({ line, path }) => `${path}:${line}`)).toEqual(['models/m.sql:1'])
  expect(gaps).toEqual([])
})

test.each([
  ['bigquery', '`q\\`t`', 'q`t'],
  ['mysql', '`q``t`', 'q`t'],
  ['sqlserver', '[q]]t]', 'q]t'],
] as const)('names are compared without the escapes of %s', async (dialect, written, column) => {
  const tree = memoryTree({
    'dbt_project.yml': 'name: shop\n',
    'models/s.yml': 'sources:\n  - name: shop\n    tables:\n      - name: orders\n',
    'models/m.sql': `select ${written} as a from {{ source('shop', 'orders') }}\n`,
  })
  const project = await readLintProject(tree, { dialect })
  const models = modelLineage(project)
  const structure = await loadSqlStructure(project)
  const relation = nodeOf(models.nodes, 'source.shop.orders')
  const { impact } = columnLineage(project, { relation, column, direction: 'down' }, { models, structure })
  expect(impact?.breaks).toHaveLength(1)
})

test('says that a raw column may not be there, and knows the columns that a catalog has', async () => {
  const { gaps } = await ofColumn('source.shop.orders', 'nope', { direction: 'down' })
  expect(gaps.map(({ name, reason }) => `${name}: ${reason}`)).toContain(
    'shop.orders: it may lack the column nope: neither a catalog nor the lock file lists its columns, and YAML may be incomplete',
  )
  const project = await readLintProject(
    memoryTree({
      'dbt_project.yml': 'name: shop\n',
      'models/s.yml': 'sources:\n  - name: shop\n    schema: raw\n    tables:\n      - name: orders\n',
    }),
    { tables: [{ schema: 'raw', name: 'orders', columns: [{ name: 'id', type: 'integer' }] }] },
  )
  const structure = await loadSqlStructure(project)
  const relation = nodeOf(modelLineage(project).nodes, 'source.shop.orders')
  expect(knownColumns(project, relation, structure)).toEqual({ columns: ['id'], gaps: [] })
})

test('lists what builds on broken models nearest first', async () => {
  const sql = (model: string): string => `select * from {{ ref('${model}') }}\n`
  const found = await ofColumn('source.shop.orders', 'status', {
    direction: 'down',
    files: {
      'models/sources.yml': 'sources:\n  - name: shop\n    tables:\n      - name: orders\n',
      'models/stg.sql': "select id, status from {{ source('shop', 'orders') }}\n",
      'models/z.sql': "select id from {{ ref('stg') }}\n",
      'models/b.sql': sql('z'),
      'models/a.sql': sql('b'),
    },
  })
  expect(found.impact?.below.map(({ name }) => name)).toEqual(['z', 'b', 'a'])
})

test('names the models that may read a column where only dbt knows, and no others', async () => {
  const { gaps, impact } = await ofColumn('source.desk.notes', 'author', {
    direction: 'down',
    files: {
      'models/desk.yml':
        'sources:\n  - name: desk\n    tables:\n      - name: notes\n        columns: [{ name: author }]\n',
      'models/listed.sql':
        "select id, {{ desk.list_of('author') }} as authors from {{ source('desk', 'notes') }} group by 1\n",
      'models/other.sql':
        "select id, {{ desk.list_of('body') }} as bodies from {{ source('desk', 'notes') }} group by 1\n",
      'models/known.sql':
        "select author, {{ desk.list_of('author') }} as authors from {{ source('desk', 'notes') }}\n",
      'models/joined.sql':
        "select author from {{ source('desk', 'notes') }} join {{ ref('away', 'x') }} using (id) join other using (id)\n",
    },
  })
  expect(impact?.breaks.map(({ name }) => name)).toEqual(['known'])
  expect(gaps.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
    'joined: it may read author: the relation of a column with that name is not known',
    'listed: it may read author: the macro desk.list_of is only known when dbt runs',
  ])
})
