// Projects of people: sources with names as stored, folders of models of their own, marts that read raw tables.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readFolder, runWarm, temporaryFolder } from './run-cli.ts'

const SCHEMA = `create table shop."OrderItems" (id bigint primary key, "orderId" bigint);
create table shop."Order Lines" (id bigint primary key, qty int);
create table shop."UPPER_T" (id bigint primary key, note text);
`

/** A project with files of a person, and a catalog of tables. */
function projectOf(files: Readonly<Record<string, string>>, schema = SCHEMA): string {
  const folder = temporaryFolder()
  const all = {
    'dbt_project.yml': "name: acme\nversion: '1.0'\nprofile: acme\n",
    'stagecraft.yml': 'catalog: schema.sql?dialect=postgres\n',
    'schema.sql': schema,
    ...files,
  }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** Applies all tables, and returns the paths of new files with what the command says. */
async function applyAll(
  folder: string,
): Promise<{ readonly created: readonly string[]; readonly said: string }> {
  const before = new Set(Object.keys(readFolder(folder)))
  const plan = await runWarm(['plan', 'shop.*'], { folder })
  expect(await runWarm(['apply', 'shop.*'], { folder })).toMatchObject({ code: 0 })
  expect(await runWarm(['check'], { folder })).toMatchObject({ code: 0 })
  const isGenerated = (path: string): boolean => !/^(?:\.stagecraft\/|stagecraft\.lock$)/.test(path)
  const created = Object.keys(readFolder(folder)).filter((path) => !before.has(path) && isGenerated(path))
  return { created, said: plan.stdout }
}

const source = (...tables: readonly string[]): string =>
  `version: 2\nsources:\n  - name: shop_raw\n    schema: shop\n    tables:\n${tables.map((table) => `      - ${table}\n`).join('')}`

test.each([
  ['as they are stored', ['name: OrderItems', 'name: Order Lines', 'name: UPPER_T']],
  [
    'with an identifier',
    [
      'name: OrderItems\n        identifier: OrderItems',
      'name: Order Lines\n        identifier: \'"Order Lines"\'',
      'name: UPPER_T\n        identifier: upper_t',
    ],
  ],
])('tables and models are found whose names are declared %s', async (_, tables) => {
  const sources = source(...tables)
  const folder = projectOf({
    'models/sources.yml': sources,
    'models/items.sql': "select id as item_id from {{ source('shop_raw', 'OrderItems') }}\n",
    'models/lines.sql': 'select id as line_id from {{ source("shop_raw", "Order Lines") }}\n',
  })
  const { created } = await applyAll(folder)
  expect(created).toEqual([
    'models/staging/shop_raw/_shop_raw__models.yml',
    'models/staging/shop_raw/stg_shop_raw__upper_t.sql',
  ])
  const files = readFolder(folder)
  expect(files['models/sources.yml']).toBe(sources)
  expect(files[created[1] ?? '']).toContain("{{ source('shop_raw', 'UPPER_T') }}")
})

test.each([
  ["['transform', 'more']", 'transform/staging/shop'],
  ["['models/warehouse']", 'models/warehouse/staging/shop'],
  ["['transform', './models/']", 'models/staging/shop'],
  ["['.']", 'models/staging/shop'],
])('with the model paths %s, files go to %s', async (paths, staging) => {
  const folder = projectOf({
    'dbt_project.yml': `name: acme\nprofile: acme\nmodel-paths: ${paths}\nsnapshot-paths: ['history']\n`,
  })
  const { created } = await applyAll(folder)
  expect(new Set(created.map((path) => dirname(path)))).toEqual(new Set([staging]))
  const snapshots = await runWarm(['plan', '--type', 'snapshot', 'shop.UPPER_T'], { folder })
  expect(snapshots.stdout).toContain('create     history/shop/snap_shop__upper_t.sql')
  const explained = await runWarm(['explain', 'stg_shop__order_lines'], { folder })
  expect(explained.stdout.includes('in a folder that dbt_project.yml names')).toBe(
    staging !== 'models/staging/shop',
  )
})

const MARTS = {
  'models/marts/fct_items.sql':
    "select \"orderId\", count(*) as items from {{ source('shop', 'OrderItems') }} group by 1\n",
  'models/lines_of_orders.sql':
    "select l.id, o.total from {{ source('shop', 'Order Lines') }} l join {{ ref('fct_items') }} o using (id)\n",
  'snapshots/upper_history.sql':
    "{% snapshot upper_history %}\nselect * from {{ source('shop', 'UPPER_T') }}\n{% endsnapshot %}\n",
  'models/sources.yml': source('name: OrderItems', 'name: Order Lines', 'name: UPPER_T').replaceAll(
    'shop_raw',
    'shop',
  ),
}

test('a mart, a join or a snapshot that reads a raw table is not its staging model, which is told', async () => {
  const folder = projectOf(MARTS)
  const { created, said } = await applyAll(folder)
  expect(created.map((path) => path.split('/').at(-1))).toEqual([
    '_shop__models.yml',
    'stg_shop__order_items.sql',
    'stg_shop__order_lines.sql',
    'stg_shop__upper_t.sql',
  ])
  for (const path of ['models/marts/fct_items.sql', 'models/lines_of_orders.sql'])
    expect(said).toContain(`${path} reads the raw table itself, and could read this model`)
  expect(readFolder(folder)).toMatchObject(MARTS)
})

test('a deleted staging model is written again, and the mart beside it stays a mart', async () => {
  const folder = projectOf(MARTS)
  const { created } = await applyAll(folder)
  rmSync(join(folder, created[1] ?? ''))
  expect(await applyAll(folder)).toMatchObject({ created: [created[1]] })
  expect(readFolder(folder)).toMatchObject(MARTS)
})

const READERS: Readonly<Record<string, string>> = {
  'tests/amounts.sql': "select * from {{ source('shop', 'OrderItems') }} where id is null\n",
  'tests/generic/known.sql':
    "{% test known(model) %}\nselect * from {{ model }} where id not in (select id from {{ source('shop', 'OrderItems') }})\n{% endtest %}\n",
  'analyses/lines.sql': "select * from {{ source('shop', 'OrderItems') }}\n",
  'macros/items.sql':
    "{% macro items() %}\nselect * from {{ source('shop', 'OrderItems') }}\n{% endmacro %}\n",
  'snapshots/items.sql':
    "{% snapshot items %}\nselect * from {{ source('shop', 'OrderItems') }}\n{% endsnapshot %}\n",
  'models/exposures.yml':
    "exposures:\n  - name: board\n    type: dashboard\n    owner: {name: Mei}\n    depends_on:\n      - source('shop', 'OrderItems')\n",
}

test.each(Object.entries(READERS))(
  'a source keeps its former entry for %s when it gets another name, which is told with the line',
  async (path, text) => {
    const sources = source('name: OrderItems').replace('shop_raw', 'shop')
    const folder = projectOf({}, 'create table shop."OrderItems" (id bigint primary key);\n')
    await applyAll(folder)
    const own = readFolder(folder)['models/staging/shop/_shop__sources.yml'] ?? sources
    const named = text.replaceAll("'OrderItems'", "'order_items'")
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), named)
    writeFileSync(
      join(folder, 'stagecraft.yml'),
      'catalog: schema.sql?dialect=postgres\nsources:\n  shop:\n    name: store\n',
    )
    const { code, stderr } = await runWarm(['apply', '--prune'], { folder })
    expect(code).toBe(0)
    const line = named.slice(0, named.indexOf('source(')).split('\n').length
    expect(stderr).toContain(
      `source('shop', 'order_items') is called source('store', 'order_items') now, and ${path}:${line} reads it by its former name`,
    )
    const files = readFolder(folder)
    expect(files['models/staging/shop/_shop__sources.yml']).toBe(own)
    expect(files['models/staging/store/stg_store__order_items.sql']).toContain(
      "source('store', 'order_items')",
    )
    expect(files[path]).toBe(named)
  },
)
