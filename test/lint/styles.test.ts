// Rules that are on find nothing in healthy projects, and find exactly what is put in.
import { chooseRules, lint, type Report, readLintProject } from '@stagecraft/analysis'
import { LOCK_FILE, memoryTree } from '@stagecraft/dbt'
import type { Table } from '@stagecraft/spec'
import { describe, expect, test } from 'vitest'
import { type Files, printFormer } from './lint-project.ts'
import { type Style, STYLES, styledProject } from './styled-projects.ts'

const MODELS = 24

async function check(style: Style, files: Files, tables?: readonly Table[]): Promise<Report> {
  const options = { dialect: STYLES[style], structure: true, ...(tables && { tables }) }
  return lint(await readLintProject(memoryTree(files), options), { rules: chooseRules() })
}

/** What is found, by rule and subject. */
function found({ findings }: Report): readonly string[] {
  return findings
    .map(
      ({ rule, subject }) =>
        `${rule} ${subject.name}${subject.detail === undefined ? '' : ` ${subject.detail}`}`,
    )
    .toSorted()
}

/** Replaces text in one file of a project. */
function change(files: Files, path: string, from: string, to: string): Files {
  const text = files[path]
  if (!text?.includes(from)) throw new Error(`${path} has no ${from}`)
  return { ...files, [path]: text.replace(from, to) }
}

test.each(Object.keys(STYLES) as Style[])('a healthy project of style %s has no findings', async (style) => {
  const report = await check(style, styledProject(style, MODELS))
  expect(found(report)).toEqual([])
  expect(report.modelCount).toBeGreaterThanOrEqual(MODELS)
  // Only what needs raw tables is not checked: every model can be read.
  expect(report.unchecked.filter(({ subject }) => subject.kind !== 'project')).toEqual([])
})

const STAGING = 'models/staging/shop/stg_shop__table_0.sql'
const STAGING_YAML = 'models/staging/shop/_stg_shop__table_0.yml'

describe('what is put in is found, and nothing else', () => {
  const healthy = styledProject('layers', MODELS)
  test.each<[string, Files, readonly string[]]>([
    [
      'a renamed column',
      change(healthy, STAGING_YAML, 'tax_amount', 'vat_amount'),
      ['SC301 stg_shop__table_0 vat_amount'],
    ],
    [
      'a test on a column that is gone',
      change(healthy, STAGING, 'lower(status)::text as status', 'lower(status)::text as state'),
      ['SC304 stg_shop__table_0 status'],
    ],
    [
      'a column twice',
      change(healthy, STAGING, '        updated_at\n', '        updated_at,\n        parent_id as amount\n'),
      ['SC209 int_things_0 amount', 'SC209 stg_shop__table_0 amount'],
    ],
    [
      'a macro that does not end',
      change(healthy, 'macros/cents_to_euros.sql', '{%- endmacro %}', ''),
      ['SC903 macros/cents_to_euros.sql {% macro %} is never closed by {% endmacro %}'],
    ],
    [
      'a slip in a ref',
      change(healthy, 'models/marts/fct_things_1.sql', 'int_things_1', 'int_thing_1'),
      ['SC308 fct_things_1 model int_thing_1'],
    ],
    [
      'a mart that reads a source',
      change(healthy, 'models/marts/fct_things_1.sql', "ref('int_things_1')", "source('shop', 'table_0')"),
      ['SC403 fct_things_1 shop.table_0'],
    ],
    [
      'a relation by its name',
      change(healthy, 'models/marts/fct_things_1.sql', "{{ ref('int_things_1') }}", 'prod.int_things_1'),
      ['SC402 fct_things_1 prod.int_things_1'],
    ],
    [
      'an entry of a model that is gone',
      { ...healthy, 'models/old.yml': 'models:\n  - name: fct_old\n' },
      ['SC303 fct_old'],
    ],
    [
      'a table that nothing reads',
      { ...healthy, 'models/old.yml': 'sources:\n  - name: old\n    tables:\n      - name: things\n' },
      ['SC401 old'],
    ],
    [
      'a circle',
      change(healthy, STAGING, "{{ source('shop', 'table_0') }}", "{{ ref('int_things_0') }}"),
      ['SC201 stg_shop__table_0 int_things_0', 'SC401 shop', 'SC409 int_things_0'],
    ],
  ])('%s', async (_, files, expected) => {
    expect(found(await check('layers', files))).toEqual(expected)
  })
})

test('raw tables as they were staged bring no findings, and each change of them does', async () => {
  const files = styledProject('layers', 8)
  const types = {
    id: 'integer',
    parent_id: 'integer',
    name: 'text',
    status: 'text',
    amount: 'numeric',
    tax: 'numeric',
    created_at: 'timestamp',
    updated_at: 'timestamp',
  }
  const columns = Object.entries(types).map(([name, type]) => ({
    name,
    type,
    ...(name === 'status' && { values: ['open', 'closed'] }),
  }))
  const tables = ['shop', 'crm', 'erp', 'web'].map((schema, index): Table => ({
    schema,
    name: `table_${index}`,
    primaryKey: ['id'],
    columns,
  }))
  expect(found(await check('layers', files, tables))).toEqual([])
  const [first, second, third] = tables
  if (!first || !second || !third) throw new Error('four tables were made')
  const changed = [
    { ...first, columns: columns.filter(({ name }) => name !== 'tax') },
    { ...second, primaryKey: ['parent_id'] },
    {
      ...third,
      name: 'table_22',
      columns: columns.map((column) =>
        column.name === 'status' ? { ...column, values: ['open', 'lost'] } : column,
      ),
    },
  ]
  expect(found(await check('layers', files, [...changed, ...tables.slice(3)]))).toEqual([
    'SC101 erp.table_2',
    'SC107 stg_crm__table_1 parent_id',
    'SC204 stg_shop__table_0 shop.table_0.tax',
  ])
})

test('SQL is read in the dialect of the lock, where nothing else names one', async () => {
  const lock = printFormer(JSON.stringify({ 'shop.orders': { columns: [] } })).replaceAll(
    'duckdb',
    'postgres',
  )
  const dialectOf = async (files: Files) =>
    (await readLintProject(memoryTree({ 'dbt_project.yml': 'name: shop\n', ...files }))).dialect.name
  expect(await dialectOf({ [LOCK_FILE]: lock })).toBe('postgres')
  expect(await dialectOf({})).toBe('duckdb')
})
