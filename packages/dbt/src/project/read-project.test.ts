import { DIALECTS } from '@stagecraft/dialects'
import { StagecraftError } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { memoryTree } from '../tree/memory-tree.ts'
import { readProject, type ReadProjectOptions } from './read-project.ts'

const FILES = {
  'dbt_project.yml': `name: shop
profile: shop
model-paths: ["models/", "./more"]
require-dbt-version: [">=1.8.0", "<3.0.0"]
vars: { raw: raw_all, shop: { raw: raw_shop } }
quoting: { identifier: true }
dispatch: [{ macro_namespace: dbt_utils, search_order: [shop, dbt_utils] }]
`,
  'packages.yml':
    'packages:\n  - package: dbt-labs/dbt_utils\n    version: 1.3.0\n  - git: https://x.example/y/audit.git\n',
  'models/staging/any name.yaml': `version: 2
sources:
  - name: shop
    database: "{{ env_var('DB') }}"
    schema: "{{ var('raw') }}"
    tables:
      - name: orders
        identifier: ORDERS_V1
        columns: [{ name: id }]
      - name: lines
  - name: crm
    tables:
      - name: orders
models:
  - name: stg_orders
    description: Orders.
    columns:
      - name: order_id
        data_type: integer
        data_tests: [unique]
`,
  'models/staging/deep/twice.yml':
    'sources:\n  - name: shop\n    schema: raw_shop\n    tables:\n      - name: orders\n',
  'models/staging/broken.yml': 'models:\n  - name: x\n  bad: [\n',
  'models/staging/deep/stg_orders.sql': "select * from {{ source('shop', 'orders') }}",
  'models/staging/notes.md': 'Words.\n{% docs orders %}What they are.{% enddocs %}',
  'more/lines.sql': "select * from {{ raw('lines') }} join {{ ref('stg_orders') }} using (id)",
  'more/open.py':
    'def model(dbt, session):\n    # it\'s here\n    return dbt.ref("stg_orders").join(dbt.source("crm", "orders"))\n',
  'macros/raw.sql':
    "{% macro raw(table) %}{{ inner_raw() }}{% endmacro %}\n{% macro inner_raw() %}{{ source('shop', 'lines') }}{% endmacro %}",
  'snapshots/orders.sql':
    "{% snapshot orders_snapshot %}select * from {{ source('crm', 'orders') }}{% endsnapshot %}",
  'seeds/rates.csv': 'a,b\n1,2\n',
  'dbt_packages/other/models/hidden.sql': 'select 1',
  'target/compiled/models/hidden.sql': 'select 1',
}

test('reads what a project holds, wherever it lies and whatever it is called', async () => {
  const index = await readProject(memoryTree(FILES), { context: { environment: { DB: 'lake' } } })
  expect(index.settings).toMatchObject({
    name: 'shop',
    requireDbtVersion: ['>=1.8.0', '<3.0.0'],
    modelPaths: ['models', 'more'],
  })
  expect(index.packages).toEqual(['dbt_utils', 'audit'])
  expect(
    index.models.map(({ kind, name, path, propertiesPath }) => [kind, name, path, propertiesPath]),
  ).toEqual([
    ['model', 'stg_orders', 'models/staging/deep/stg_orders.sql', 'models/staging/any name.yaml'],
    ['model', 'lines', 'more/lines.sql', undefined],
    ['model', 'open', 'more/open.py', undefined],
    ['seed', 'rates', 'seeds/rates.csv', undefined],
    ['snapshot', 'orders_snapshot', 'snapshots/orders.sql', undefined],
  ])
  const reads = Object.fromEntries(
    index.models.map(({ models, name, reads }) => [
      name,
      [...reads.map(({ source, table }) => `${source}.${table}`), ...models.map(({ model }) => model)],
    ]),
  )
  expect(reads).toEqual({
    stg_orders: ['shop.orders'],
    lines: ['shop.lines', 'stg_orders'],
    open: ['crm.orders', 'stg_orders'],
    rates: [],
    orders_snapshot: ['crm.orders'],
  })
  expect(index.docs).toEqual([{ name: 'orders', path: 'models/staging/notes.md', line: 2 }])
  expect(index.models[0]?.documented).toMatchObject({
    line: 15,
    columns: [{ name: 'order_id', line: 18, dataType: 'integer', tests: ['unique'] }],
  })
})

test('knows where sources are, or that it does not', async () => {
  const places = async (environment?: Record<string, string>) => {
    const { sources } = await readProject(memoryTree(FILES), {
      context: { environment, target: { database: 'dev' } },
    })
    return sources.map(({ database, name, schema, tables }) => [
      name,
      database,
      schema,
      ...tables.map(({ identifier }) => identifier),
    ])
  }
  expect(await places({ DB: 'lake' })).toEqual([
    ['shop', 'lake', 'raw_shop', 'ORDERS_V1', 'lines'],
    ['crm', undefined, 'crm', 'orders'],
    ['shop', undefined, 'raw_shop', 'orders'],
  ])
  expect((await places())[0]).toEqual(['shop', undefined, 'raw_shop', 'ORDERS_V1', 'lines'])
})

test('says what cannot be read, and what dbt refuses', async () => {
  const { faults, twins } = await readProject(memoryTree(FILES))
  expect(faults).toEqual([
    { path: 'models/staging/broken.yml', line: expect.any(Number), reason: expect.any(String) },
  ])
  const reason =
    "source('shop', 'orders') is also declared in models/staging/any name.yaml:7; remove one of them"
  expect(twins).toEqual([{ path: 'models/staging/deep/twice.yml', line: 5, reason }])
})

test('reads a file again only when it changed', async () => {
  let kept: string | undefined
  const store = {
    load: () => Promise.resolve(kept),
    save: (text: string) => {
      kept = text
      return Promise.resolve()
    },
  }
  const read: string[] = []
  const spied = (files: Record<string, string>) => {
    const tree = memoryTree(files)
    return { ...tree, read: (path: string) => (read.push(path), tree.read(path)) }
  }
  const first = await readProject(spied(FILES), { store })
  expect(read.filter((path) => path.endsWith('.sql'))).toHaveLength(4)
  read.length = 0
  expect(await readProject(spied(FILES), { store })).toEqual(first)
  expect(read.filter((path) => path.startsWith('m'))).toEqual([])
  const changed = { ...FILES, 'more/lines.sql': 'select 1' }
  const third = await readProject(spied(changed), { store })
  expect(read.filter((path) => path.startsWith('m'))).toEqual(['more/lines.sql'])
  expect(third.models.find(({ name }) => name === 'lines')?.reads).toEqual([])
  kept = '{"format": 1, "files"'
  expect(await readProject(spied(FILES), { store })).toEqual(first)
})

test.each([
  ['name: shop\nvars: [a', /^dbt_project\.yml:2: expected valid YAML/],
  ['profile: shop', /expected a name: of the project, got nothing/],
])('%j is no project', async (text, message) => {
  await expect(readProject(memoryTree({ 'dbt_project.yml': text }))).rejects.toThrow(message)
})

test('a folder without the file is no project', async () => {
  await expect(readProject(memoryTree({}))).rejects.toThrow('expected a folder with dbt_project.yml')
})

test('models of several versions have one name', async () => {
  const { models } = await readProject(
    memoryTree({
      'dbt_project.yml': 'name: shop',
      'models/m.yml':
        'models:\n  - name: orders\n    latest_version: 2\n    versions: [{ v: 1, defined_in: old }, { v: 2 }]\n',
      'models/old.sql': 'select 1',
      'models/orders_v2.sql': "select * from {{ ref('orders', v=1) }}",
    }),
  )
  expect(models.map(({ name, path, version }) => [name, version, path])).toEqual([
    ['orders', '1', 'models/old.sql'],
    ['orders', '2', 'models/orders_v2.sql'],
  ])
})

test('names of sources are read by the quotes of the warehouse', async () => {
  const tree = memoryTree({
    'dbt_project.yml': 'name: shop\n',
    'models/sources.yml': `sources:
  - name: raw
    schema: ra""w
    tables:
      - { name: ab, identifier: 'a""b' }
      - name: 'c\`\`d'
`,
  })
  const read = async (options: ReadProjectOptions): Promise<readonly unknown[]> => {
    const { sources } = await readProject(tree, options)
    return sources.flatMap(({ schema, tables }) => [schema, ...tables.map(({ identifier }) => identifier)])
  }
  expect(await read({ dialect: DIALECTS.postgres })).toEqual(['ra"w', 'a"b', 'c``d'])
  expect(await read({ context: { target: { type: 'mysql' } } })).toEqual(['ra""w', 'a""b', 'c`d'])
  expect(await read({})).toEqual(['ra"w', 'a"b', 'c`d'])
})

test('what cannot be read is a fault, and the rest is read', async () => {
  const tree = memoryTree({
    'dbt_project.yml': 'name: shop\n',
    'packages.yml': 'packages: [\n',
    'models/orders.sql': 'select 1',
    'models/shut.sql': 'select 2',
  })
  const index = await readProject({
    list: (folder, options) => {
      if (folder === 'models') options?.onLeftOut?.('models/shut', 'not readable (EACCES)')
      return tree.list(folder, options)
    },
    read: (path) => {
      if (path !== 'models/shut.sql') return tree.read(path)
      const fault = { path, expected: 'a file', received: 'a pipe' }
      throw new StagecraftError('INVALID_REQUEST', `${path}: expected a file, but it is a pipe`, {
        details: { faults: [fault] },
      })
    },
  })
  expect(index.faults).toEqual([
    { path: 'models/shut', line: 1, reason: 'it is not readable (EACCES)' },
    { path: 'packages.yml', line: 2, reason: expect.stringMatching(/^expected valid YAML, got /) as string },
    { path: 'models/shut.sql', line: 1, reason: 'expected a file, but it is a pipe' },
  ])
  expect(index.models.map(({ name }) => name)).toContain('orders')
})

test('leaves out what .dbtignore names', async () => {
  const tree = memoryTree({
    ...FILES,
    '.dbtignore': 'models/staging/broken.yml\n/more\nseeds/*.csv\n',
  })
  const { faults, models } = await readProject(tree)
  expect(faults.map(({ path }) => path)).toEqual([])
  expect(models.map(({ name }) => name)).toEqual(['stg_orders', 'orders_snapshot'])
})

test('follows the references in variables, where dbt works them out', async () => {
  const { models } = await readProject(
    memoryTree({
      'dbt_project.yml': `name: shop
vars:
  shop:
    lines: "{{ source('shop', 'lines') }}"
    orders: "{{ ref('stg_orders') }}"
    unused: "{{ ref('nobody') }}"
    plain: orders
`,
      'models/a.sql':
        "select * from {{ var('lines') }} join {{ orders() }} using (id) where x = '{{ var(\"plain\") }}'",
      'macros/orders.sql': "{% macro orders() %}{{ var('orders') }}{% endmacro %}",
    }),
  )
  expect(
    models.map((model) => [model.reads.map(({ table }) => table), model.models.map((one) => one.model)]),
  ).toEqual([[['lines'], ['stg_orders']]])
})
