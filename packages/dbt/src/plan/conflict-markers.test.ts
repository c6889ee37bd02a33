import type { Config, Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { describeConflict } from './describe-plan.ts'
import { pretendProject } from '../testing/pretend-project.ts'

const ORDERS: Table = {
  schema: 'shop',
  name: 'orders',
  columns: ['id', 'amount', 'tax'].map((name) => ({ name, type: 'integer' })),
}
const MODEL = 'models/staging/shop/stg_shop__orders.sql'
const PROPERTIES = 'models/staging/shop/_shop__models.yml'

const asCents = (...columns: readonly string[]): Config => ({
  sources: {
    shop: {
      tables: { orders: { columns: Object.fromEntries(columns.map((name) => [name, { as: 'cents' }])) } },
    },
  },
})

test.each(['markers', 'ours', 'theirs', undefined] as const)(
  'a model with conflict markers is refused with its line, also with the settlement %s',
  async (settlement) => {
    const project = pretendProject()
    await project.apply([ORDERS])
    const own = (project.files.get(MODEL) ?? '').replace(' amount,', ' abs(amount) as amount,')
    project.files.set(MODEL, own)
    const first = await project.apply([ORDERS], { config: asCents('amount'), settlement: 'markers' })
    const marked = project.files.get(MODEL) ?? ''
    expect(marked).toContain('<<<<<<< ours\n        abs(amount) as amount,\n|||||||')
    expect(first.warnings).toEqual([])
    const plan = await project.plan([ORDERS], { config: asCents('amount', 'tax'), settlement })
    const file = plan.files.find(({ path }) => path === MODEL)
    const line = marked.split('\n').indexOf('<<<<<<< ours') + 1
    expect(file).toMatchObject({
      action: 'conflict',
      before: marked,
      after: marked,
      conflicts: [{ kind: 'markers', line }],
    })
    expect(file?.conflicts.map(describeConflict)).toEqual([
      `line ${line}: conflict markers of an earlier merge; keep one side, remove the markers, and plan again`,
    ])
    expect(plan.warnings).toEqual([])
    project.files.set(MODEL, own)
    const resolved = await project.apply([ORDERS], { config: asCents('amount', 'tax') })
    expect(resolved.files.map(({ action }) => action)).not.toContain('conflict')
    expect(project.files.get(MODEL)).toContain('cast(tax / 100.0 as')
  },
)

test('properties with the markers of git are refused with their line, and the model is planned', async () => {
  const project = pretendProject()
  await project.apply([ORDERS])
  const yaml = project.files.get(PROPERTIES) ?? ''
  project.files.set(PROPERTIES, `${yaml}<<<<<<< HEAD\n# a\n=======\n# b\n>>>>>>> other\n`)
  const plan = await project.plan([ORDERS], { config: asCents('tax') })
  expect(plan.files.find(({ path }) => path === PROPERTIES)).toMatchObject({
    action: 'conflict',
    conflicts: [{ kind: 'markers', line: yaml.split('\n').length }],
  })
  expect(plan.files.find(({ path }) => path === MODEL)?.action).toBe('update')
})
