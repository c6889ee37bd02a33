import { DIALECTS } from '@stagecraft/dialects'
import type { Config, Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { finalColumns } from '../merge/final-columns.ts'
import { actionsOf, type PretendProject, pretendProject } from '../testing/pretend-project.ts'
import { expressionOf } from './changed-values.ts'

const table = (...columns: readonly string[]): Table => ({
  schema: 'shop',
  name: 'orders',
  primaryKey: ['id'],
  columns: [
    { name: 'id', type: 'integer' },
    ...columns.map((name) => ({ name, type: 'integer' })),
    { name: 'created', type: 'timestamp' },
  ],
})

const ORDERS = [table('amount', 'tax')]
const MODEL = 'models/orders.sql'
const SQL = `with source as (
    select * from {{ source('shop', 'orders') }}
)
select
    id as order_id,
    amount,
    tax as vat, -- as the tax office calls it
    created as created_at
from source
`
const PROPERTIES = `version: 2
sources:
  - name: shop
    tables:
      - name: orders
models:
  - name: orders
    columns:
      - name: created_at
        description: When it was paid.
`
const RULES: Config = {
  naming: { patterns: { timestamp: '{name}_ts' }, renames: { amount: 'total', tax: 'levy' } },
}

function named(columns: Readonly<Record<string, string>>): Config {
  const own = Object.entries(columns).map(([column, name]) => [column, { name }] as const)
  return { ...RULES, sources: { shop: { tables: { orders: { columns: Object.fromEntries(own) } } } } }
}

/** A project with a model of a person that follows its table. */
async function adopted(config: Config = {}): Promise<PretendProject> {
  const project = pretendProject({ [MODEL]: SQL, 'models/orders.yml': PROPERTIES })
  const { lock } = await project.plan(ORDERS, { adopt: new Set([MODEL]), config })
  project.restore({ files: new Map(project.files), lock })
  await project.apply(ORDERS, { config })
  expect(project.files.get(MODEL)).toBe(SQL)
  return project
}

function selected({ files }: PretendProject): Readonly<Record<string, string>> {
  const columns = finalColumns(files.get(MODEL) ?? '', DIALECTS.duckdb)?.columns ?? []
  return Object.fromEntries(columns.map((column) => [column.name, expressionOf(column)]))
}

async function expectSettled(
  project: PretendProject,
  tables: readonly Table[],
  config: Config,
): Promise<void> {
  for (const fresh of [false, true])
    expect(actionsOf(await project.plan(tables, { config, prune: true, fresh }))).toEqual({})
}

for (const fresh of [false, true])
  test(`an adopted model keeps its aliases when rules for names change${fresh ? ', in a fresh clone' : ''}`, async () => {
    const project = await adopted()
    const files = new Map(project.files)
    const plan = await project.apply(ORDERS, { config: RULES, prune: true, fresh })
    expect(project.files).toEqual(files)
    if (!fresh)
      expect(plan.files.find(({ path }) => path === MODEL)?.notes).toContain(
        'a person wrote or moved it, so its columns keep their names: amount (not total), created_at (not created_ts); a name under sources: … tables: … columns: changes one',
      )
    await expectSettled(project, ORDERS, RULES)
    await project.apply(ORDERS, { fresh })
    expect(project.files).toEqual(files)
  })

test('a column that the configuration names takes its name, with what a person wrote about it', async () => {
  const project = await adopted()
  await project.apply(ORDERS, { config: RULES })
  const config = named({ created: 'paid_at', tax: 'sales_tax' })
  await project.apply(ORDERS, { config })
  expect(selected(project)).toEqual({
    order_id: 'id',
    amount: 'amount',
    sales_tax: 'tax',
    paid_at: 'created',
  })
  expect(project.files.get(MODEL)).toContain('-- as the tax office calls it')
  expect(project.files.get('models/orders.yml')).toContain(
    '- name: paid_at\n        description: When it was paid.\n',
  )
  await expectSettled(project, ORDERS, config)
})

test('names that stand in the configuration from the start leave an adopted model alone', async () => {
  const config = named({ created: 'paid_at' })
  const project = await adopted(config)
  await expectSettled(project, ORDERS, config)
})

test('new columns follow the rules, and an older one keeps its name', async () => {
  const project = await adopted()
  await project.apply(ORDERS, { config: RULES })
  const wider = [
    {
      ...table('amount', 'tax'),
      columns: [...table('amount', 'tax').columns, { name: 'shipped', type: 'timestamp' }],
    },
  ]
  await project.apply(wider, { config: RULES })
  expect(selected(project)).toEqual({
    order_id: 'id',
    amount: 'amount',
    vat: 'tax',
    created_at: 'created',
    shipped_ts: 'shipped',
  })
  await expectSettled(project, wider, RULES)
})

test('a conversion reaches a column under the alias that a person chose', async () => {
  const project = await adopted()
  const config: Config = {
    ...RULES,
    sources: { shop: { tables: { orders: { columns: { amount: { as: 'cents' } } } } } },
  }
  await project.apply(ORDERS, { config })
  expect(Object.keys(selected(project))).toEqual(['order_id', 'amount', 'vat', 'created_at'])
  expect(selected(project)['amount']).toContain('/ 100.0')
  await expectSettled(project, ORDERS, config)
})
