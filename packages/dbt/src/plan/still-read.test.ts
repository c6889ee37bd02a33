import type { Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { actionsOf, type PretendProject, pretendProject } from '../testing/pretend-project.ts'

const table = (name: string, ...columns: readonly string[]): Table => ({
  schema: 'shop',
  name,
  columns: ['id', ...columns].map((column) => ({ name: column, type: 'integer' })),
  primaryKey: ['id'],
})

const MODEL = 'models/staging/shop/stg_shop__orders.sql'
const SOURCES = 'models/staging/shop/_shop__sources.yml'
const [ORDERS, NARROW, BILLS] = [
  table('orders', 'amount', 'tax'),
  table('orders', 'tax'),
  table('bills', 'sum'),
]

type Options = NonNullable<Parameters<PretendProject['plan']>[1]>

/** What a plan says of reads, without and with pruning. */
async function told(
  project: PretendProject,
  tables: readonly Table[],
  options: Options = {},
): Promise<readonly string[]> {
  const { stillRead, warnings } = await project.plan(tables, options)
  const codes = new Set(stillRead.map(({ code }) => code))
  expect(warnings.filter(({ code }) => codes.has(code as 'COLUMN_GONE')).length).toBeGreaterThanOrEqual(
    stillRead.length,
  )
  return stillRead.map(
    ({ code, places }) => `${code} ${places.map(({ line, path }) => `${path}:${line}`).join(' ')}`,
  )
}

test('a column that is gone is told as long as other models read it: before pruning, and ever after', async () => {
  const sales = `-- amount\nselect sum(amount) as total\nfrom {{ ref('stg_shop__orders') }}\n`
  const project = pretendProject({ 'models/sales.sql': sales })
  await project.apply([ORDERS])
  expect(await told(project, [ORDERS])).toEqual([])
  const expected = ['COLUMN_STILL_READ models/sales.sql:2']
  expect(await told(project, [NARROW])).toEqual(expected)
  await project.apply([NARROW])
  expect(await told(project, [NARROW])).toEqual(expected)
  const pruned = await project.apply([NARROW], { prune: true })
  expect(pruned.stillRead.map(({ message }) => message)).toEqual([
    `this removes the column amount from stg_shop__orders, and models/sales.sql:2 reads it; change that place, or give the column its name again in ${MODEL}`,
  ])
  expect(project.lock().get('shop.orders')?.lost).toEqual({ staged: ['amount'] })
  for (const prune of [false, true]) {
    expect(await told(project, [NARROW], { prune })).toEqual(expected)
    const plan = await project.apply([NARROW], { prune })
    expect(actionsOf(plan)).toEqual({})
  }
  project.files.set('models/sales.sql', sales.replace('sum(amount)', 'sum(tax)'))
  expect(await told(project, [NARROW])).toEqual([])
  await project.apply([NARROW])
  expect(project.lock().get('shop.orders')?.lost).toBeUndefined()
})

test('a column that another model gives, or that comes back, is not told', async () => {
  const join = `select o.id, b.amount\nfrom {{ ref('stg_shop__orders') }} o join {{ ref('stg_shop__bills') }} b using (id)\n`
  const project = pretendProject({ 'models/joined.sql': join })
  const bills = table('bills', 'amount')
  await project.apply([ORDERS, bills])
  expect(await told(project, [NARROW, bills], { prune: true })).toEqual([])
  project.files.set('models/sales.sql', `select amount from {{ ref('stg_shop__orders') }}\n`)
  await project.apply([NARROW, bills], { prune: true })
  expect(await told(project, [NARROW, bills])).toEqual(['COLUMN_STILL_READ models/sales.sql:1'])
  expect(await told(project, [ORDERS, bills])).toEqual([])
})

test('tests, analyses, macros and properties that name a column that is gone are told like models', async () => {
  const read = "select amount\nfrom {{ ref('stg_shop__orders') }}\n"
  const field = (column: string): string =>
    `      - relationships:\n          arguments:\n            to: ref('stg_shop__orders')\n            field: ${column}\n`
  const rows = 'rows: [{id: 1, Amount: 2}]'
  const project = pretendProject({
    'models/own.yml': `models:\n  - name: sales\n    data_tests:\n${field('amount')}${field('tax')}unit_tests:\n  - name: sums\n    model: sales\n    given:\n      - {input: ref('stg_shop__orders'), ${rows}}\n      - {input: ref('other'), ${rows}}\n`,
  })
  await project.apply([ORDERS])
  const others = ['analyses/a.sql', 'macros/m.sql', 'tests/t.sql']
  for (const path of others) project.files.set(path, read)
  const expected = [
    'COLUMN_STILL_READ models/own.yml:7 models/own.yml:16 analyses/a.sql:1 macros/m.sql:1 tests/t.sql:1',
  ]
  for (const prune of [false, true]) expect(await told(project, [NARROW], { prune })).toEqual(expected)
  await project.apply([NARROW], { prune: true })
  expect(await told(project, [NARROW])).toEqual(expected)
  for (const path of others) project.files.set(path, read.replace('amount', 'tax'))
  const text = project.files.get('models/own.yml') ?? ''
  project.files.set('models/own.yml', text.replaceAll(/amount/gi, 'tax'))
  expect(await told(project, [NARROW])).toEqual([])
})

test('a raw column that is gone and that a person reads is told until they no longer do', async () => {
  const project = pretendProject()
  await project.apply([ORDERS])
  const own = (project.files.get(MODEL) ?? '').replace(' amount,', ' amount / 100 as euros,')
  project.files.set(MODEL, own)
  await project.apply([NARROW], { prune: true, settlement: 'ours' })
  expect(project.files.get(MODEL)).toContain('amount / 100')
  const line = own.split('\n').findIndex((text) => text.includes('euros')) + 1
  for (const prune of [false, true])
    expect(await told(project, [NARROW], { prune })).toEqual([`COLUMN_GONE ${MODEL}:${line}`])
  project.files.set(MODEL, own.replace('        amount / 100 as euros,\n', ''))
  expect(await told(project, [NARROW])).toEqual([])
})

test('a model of a table that is gone is told as long as SQL or YAML reads it, and generated tests go with it', async () => {
  const exposure = `exposures:\n  # ref('stg_shop__orders') is not supported\n  - name: board\n    type: dashboard\n    owner: {name: Mei}\n    depends_on:\n      - ref('stg_shop__bills')\n`
  const project = pretendProject({ 'models/board.yml': exposure })
  const child: Table = {
    ...ORDERS,
    foreignKeys: [
      { columns: ['tax'], references: { table: { schema: 'shop', name: 'bills' }, columns: ['id'] } },
    ],
  }
  await project.apply([child, BILLS])
  const models = 'models/staging/shop/_shop__models.yml'
  expect(project.files.get(models)).toContain("to: ref('stg_shop__bills')")
  for (const prune of [false, true])
    expect(await told(project, [ORDERS], { prune })).toEqual(['MODEL_STILL_READ models/board.yml:7'])
  await project.apply([ORDERS], { prune: true })
  expect(project.files.has(MODEL.replace('orders', 'bills'))).toBe(true)
  expect(await told(project, [ORDERS])).toEqual(['MODEL_STILL_READ models/board.yml:7'])
  project.files.delete('models/board.yml')
  expect(await told(project, [ORDERS])).toEqual([])
  await project.apply([ORDERS], { prune: true })
  expect([...project.files.keys()].filter((path) => path.includes('bills'))).toEqual([])
  expect(project.files.get(models)).not.toContain('bills')
})

test('the source entry of a table that is gone stays as long as something reads it, without its model', async () => {
  const project = pretendProject()
  await project.apply([ORDERS, BILLS])
  project.files.set('models/sums.sql', `select sum(sum) from\n  {{ source('shop', 'bills') }}\n`)
  const expected = ['SOURCE_STILL_READ models/sums.sql:1']
  expect(await told(project, [ORDERS])).toEqual(expected)
  await project.apply([ORDERS], { prune: true })
  expect(project.files.has(MODEL.replace('orders', 'bills'))).toBe(false)
  expect(project.files.get(SOURCES)).toContain('- name: bills')
  for (const prune of [false, true]) {
    expect(await told(project, [ORDERS], { prune })).toEqual(expected)
    const again = await project.apply([ORDERS], { prune })
    expect(again.files.filter(({ after, before }) => after !== before)).toEqual([])
  }
  project.files.delete('models/sums.sql')
  await project.apply([ORDERS], { prune: true })
  expect(project.files.get(SOURCES)).not.toContain('bills')
  expect([...project.lock().keys()]).toEqual(['shop.orders'])
})
