import type { Config, Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { actionsOf, type PretendProject, pretendProject } from '../testing/pretend-project.ts'

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
const MODEL = 'models/staging/shop/stg_shop__orders.sql'
const MODELS = 'models/staging/shop/_shop__models.yml'
const RENAMED: Config = { naming: { patterns: { timestamp: '{name}_ts' } } }
const BOTH: Config = { naming: { ...RENAMED.naming, types: { staging: { model: 'staging_{entity}' } } } }

function edit({ files }: PretendProject, path: string, from: string | RegExp, to: string): void {
  const text = files.get(path) ?? ''
  const edited = text.replace(from, to)
  expect(edited).not.toBe(text)
  files.set(path, edited)
}

/** Describes a column in place of what was generated. */
function describeColumn(project: PretendProject, name: string, text: string): void {
  edit(
    project,
    MODELS,
    new RegExp(`( +- name: ${name}\n)(?: +description: .*\n)?`),
    `$1        description: ${text}\n`,
  )
}

async function expectSettled(
  project: PretendProject,
  tables: readonly Table[],
  config: Config,
): Promise<void> {
  for (const fresh of [false, true])
    expect(actionsOf(await project.plan(tables, { config, prune: true, fresh }))).toEqual({})
}

for (const [name, config, path] of [
  ['', RENAMED, MODEL],
  [' together with its model', BOTH, 'models/staging/shop/staging_orders.sql'],
] as const)
  test(`the description of a column that the configuration renames${name} goes with it, when the SQL was edited elsewhere`, async () => {
    const project = pretendProject()
    await project.apply(ORDERS)
    describeColumn(project, 'created_at', 'When it was paid.')
    edit(project, MODEL, / +amount,\n/, '        amount / 2 as amount, -- by hand\n')
    await project.apply(ORDERS, { config, prune: true })
    expect(project.files.get(path)).toContain('created as created_ts')
    expect(project.files.get(path)).toContain('-- by hand')
    expect(project.files.get(MODELS)).toContain(
      '- name: created_ts\n        description: When it was paid.\n',
    )
    expect(project.files.get(MODELS)).not.toContain('created_at')
    await expectSettled(project, ORDERS, config)
    await project.apply([table('amount', 'tax', 'fee')], { config })
    await project.apply([table('amount', 'tax', 'fee')], { prune: true })
    expect(project.files.get(MODELS)).toContain(
      '- name: created_at\n        description: When it was paid.\n',
    )
    expect(project.files.get(MODELS)).not.toContain('created_ts')
    await expectSettled(project, [table('amount', 'tax', 'fee')], {})
  })

test('in a fresh clone the description goes with the column of a model that nobody edited', async () => {
  const project = pretendProject()
  await project.apply(ORDERS)
  describeColumn(project, 'created_at', 'When it was paid.')
  await project.apply(ORDERS, { config: RENAMED, fresh: true })
  expect(project.files.get(MODEL)).toContain('created as created_ts')
  expect(project.files.get(MODELS)).toContain('- name: created_ts\n        description: When it was paid.\n')
  expect(project.files.get(MODELS)).not.toContain('created_at')
  await expectSettled(project, ORDERS, RENAMED)
})

test('the description stays with the name that a person gave the column', async () => {
  const project = pretendProject()
  await project.apply(ORDERS)
  edit(project, MODEL, 'created as created_at', 'created as paid_on')
  await project.apply(ORDERS)
  describeColumn(project, 'paid_on', 'When it was paid.')
  for (const fresh of [false, true]) {
    await project.apply(ORDERS, { config: RENAMED, fresh })
    expect(project.files.get(MODEL)).toContain('created as paid_on')
    expect(project.files.get(MODELS)).toContain('- name: paid_on\n        description: When it was paid.\n')
    expect(project.files.get(MODELS)).not.toContain('created_ts')
  }
  await expectSettled(project, ORDERS, RENAMED)
})

test('a raw column and a setting may rename columns in one plan', async () => {
  const project = pretendProject()
  await project.apply(ORDERS)
  describeColumn(project, 'created_at', 'When it was paid.')
  describeColumn(project, 'amount', 'Net.')
  edit(project, MODEL, / +tax,\n/, '        tax * 2 as tax, -- by hand\n')
  const now = [table('total', 'tax')]
  await project.apply(now, { config: RENAMED })
  expect(project.files.get(MODELS)).toContain('- name: created_ts\n        description: When it was paid.\n')
  expect(project.files.get(MODEL)).toContain('-- by hand')
  const selected = /total as amount/.test(project.files.get(MODEL) ?? '') ? 'amount' : 'total'
  expect(project.files.get(MODELS)).toContain(`- name: ${selected}\n        description: Net.\n`)
  await expectSettled(project, now, RENAMED)
})
