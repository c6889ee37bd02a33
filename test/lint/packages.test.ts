// A project that reads models, sources and macros of a package, as dbt resolves them, with the package installed and without.
import { modelLineage, RULES } from '@stagecraft/analysis'
import { expect, test } from 'vitest'
import { type Files, lintFiles, readFilesAsProject } from './lint-project.ts'

const FILES = {
  'dbt_project.yml': 'name: main_shop\n',
  'packages.yml': 'packages:\n  - local: ../kit\n',
  'package-lock.yml': 'packages:\n  - local: ../kit\n    name: shop_kit\n',
  'models/base.sql': 'select 1 as id\n',
  'models/one.sql': "select * from {{ ref('kit_orders') }}\n",
  'models/two.sql':
    "select * from {{ ref('shop_kit', 'kit_orders') }} join {{ ref('kit_codes') }} using (id)\n",
  'models/outer.sql': 'select {{ shop_kit.kit_outer() }} as m\n',
  'models/back.sql': 'select * from {{ shop_kit.of_main() }}\n',
  'models/from_source.sql': "select * from {{ source('kit', 'events') }}\n",
}

const KIT = {
  'dbt_packages/shop_kit/dbt_project.yml': 'name: shop_kit\nmodel-paths: [sql]\n',
  'dbt_packages/shop_kit/sql/kit_orders.sql': 'select 1 as id\n',
  'dbt_packages/shop_kit/sql/sources.yml': 'sources: [{ name: kit, tables: [{ name: events }] }]\n',
  'dbt_packages/shop_kit/seeds/kit_codes.csv': 'id\n1\n',
  'dbt_packages/shop_kit/macros/kit.sql': `{% macro kit_last() %}(select max(id) from {{ ref('kit_orders') }}){% endmacro %}
{% macro kit_outer() %}{{ shop_kit.kit_last() }} + 0{% endmacro %}
{% macro of_main() %}{{ ref('base') }}{% endmacro %}
`,
}

const missingReference = RULES.find(({ id }) => id === 'SC308')

async function references(files: Files): Promise<readonly string[]> {
  const { findings, unchecked } = await lintFiles(files, missingReference)
  return [
    ...findings.flatMap(({ message, rule }) => (rule === 'SC308' ? [message] : [])),
    ...unchecked.flatMap(({ reason, rule, subject }) =>
      rule === 'SC308' ? [`${subject.name}: ${reason}`] : [],
    ),
  ]
}

async function gaps(files: Files): Promise<readonly string[]> {
  return modelLineage(await readFilesAsProject(files)).gaps.map(({ name, reason }) => `${name}: ${reason}`)
}

test('references to an installed package resolve, by its macros too', async () => {
  const files = { ...FILES, ...KIT }
  expect(await references(files)).toEqual([])
  const orders = 'it reads kit_orders of the package shop_kit (dbt_packages/shop_kit/sql/kit_orders.sql)'
  expect(await gaps(files)).toEqual([
    'from_source: it reads kit.events, a source of an installed package',
    `one: ${orders}`,
    `outer: ${orders}`,
    `two: ${orders}`,
    'two: it reads kit_codes of the package shop_kit (dbt_packages/shop_kit/seeds/kit_codes.csv)',
  ])
  const { edges } = modelLineage(await readFilesAsProject(files))
  expect(edges.map(({ from, to }) => `${from} ${to}`)).toEqual(['model.base model.back'])
})

test('a name that an installed package does not have is an error, and a file of its macros is no model', async () => {
  const files = {
    ...FILES,
    ...KIT,
    'models/typo.sql': "select * from {{ ref('shop_kit', 'kit_ordres') }} join {{ ref('kit') }} using (id)\n",
  }
  expect(await references(files)).toEqual([
    'there is no model kit_ordres in package shop_kit',
    'there is no model kit',
  ])
})

test('what may be in a package that is not installed is not checked, and lineage says so', async () => {
  const absent = 'packages that may contain it are not installed: shop_kit'
  expect((await references(FILES)).toSorted()).toEqual([
    `from_source: ${absent}`,
    `one: ${absent}`,
    `two: ${absent}`,
    'two: the package shop_kit is not installed',
  ])
  const maybe = 'which may be in a package that is not installed: shop_kit'
  const macro = (name: string): string =>
    `it may read more through the macro shop_kit.${name}, whose package is not installed`
  expect(await gaps(FILES)).toEqual([
    `back: ${macro('of_main')}`,
    `from_source: it reads kit.events, ${maybe}`,
    `one: it reads kit_orders, ${maybe}`,
    `outer: ${macro('kit_outer')}`,
    'two: it reads shop_kit.kit_orders, and the package shop_kit is not installed',
    `two: it reads kit_codes, ${maybe}`,
  ])
})
