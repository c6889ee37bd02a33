// Models that a language model asks for, planned as `stagecraft plan` plans them.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ModelPlanner } from '@stagecraft/assistant'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modelPlanner } from '../../packages/cli/src/project/plan-model.ts'
import { runWarm, temporaryFolder } from './run-cli.ts'

const RAW = `
create table shop.orders (id integer primary key, amount_cents integer);
create table shop.refunds (id integer primary key, refund_cents integer, paid_epoch_ms bigint, order_id integer);
`
const YAML = `sources:
  - name: shop
    tables:
      - name: refunds
        columns:
          - { name: id, data_type: integer }
          - { name: refund_cents, data_type: integer }
          - { name: paid_epoch_ms, data_type: bigint }
          - { name: order_id, data_type: integer }
`

describe('propose_model', () => {
  let root: string
  let planner: ModelPlanner
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'stagecraft-propose-'))
    writeFileSync(join(root, 'dbt_project.yml'), 'name: shop\nprofile: shop\n')
    writeFileSync(join(root, 'raw.sql'), RAW)
    const made = await runWarm(
      ['generate', 'shop.orders', '--catalog', 'raw.sql?dialect=postgres', '--out', '.'],
      { folder: root },
    )
    if (made.code !== 0) throw new Error(made.stderr)
    writeFileSync(join(root, 'models/refunds.yml'), YAML)
    planner = modelPlanner(root, {})
  })

  afterAll(() => rmSync(root, { recursive: true, force: true }))

  test.each([
    ['refund_cents', 'refund_amount'],
    ['refund_cents', 'refund'],
    ['paid_epoch_ms', 'paid_at'],
  ])('does not call %s %s, because nothing converts it', async (column, name) => {
    const reason =
      'the name says something else than the name of the column; expected a name that includes the unit, because the values are not converted'
    await expect(planner.plan({ source: 'shop.refunds', columns: [{ column, name }] })).rejects.toThrow(
      `nothing was proposed: ${column}: ${reason}`,
    )
    // beside a wish that is in order, the name of the rules stays, and a note says why
    const others = [{ column: 'order_id', description: 'The order that is refunded.' }]
    const { files, notes } = await planner.plan({
      source: 'shop.refunds',
      columns: [{ column, name }, ...others],
    })
    const sql = files.find(({ path }) => path.endsWith('.sql'))?.after
    expect(sql).toMatch(new RegExp(String.raw`^ +${column},?$`, 'm'))
    expect(notes).toContain(`${column}: the backend's proposal was not used: ${reason}`)
  })

  test.each([
    ['refund_cents', 'refund_amount_cents'],
    ['paid_epoch_ms', 'paid_epoch_milliseconds'],
  ])('calls %s %s', async (column, name) => {
    const { files } = await planner.plan({ source: 'shop.refunds', columns: [{ column, name }] })
    expect(files.find(({ path }) => path.endsWith('.sql'))?.after).toContain(`${column} as ${name}`)
  })

  test('says nothing of other tables', async () => {
    const other = 'models/staging/shop/stg_shop__orders.sql'
    const before = readFileSync(join(root, other), 'utf8')
    appendFileSync(join(root, other), '-- mine\n')
    const { notes } = await planner.plan({ source: 'shop.refunds', columns: [] })
    expect(notes.filter((note) => note.includes('orders'))).toEqual([])
    writeFileSync(join(root, other), before)
  })
})

test('a reference to a table without a column is refused with its field', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'raw.sql'), RAW)
  writeFileSync(
    join(folder, 'stagecraft.yml'),
    'sources:\n  shop:\n    tables:\n      refunds: { columns: { order_id: { references: orders } } }\n',
  )
  const { code, stderr } = await runWarm(
    ['generate', 'shop.refunds', '--catalog', 'raw.sql?dialect=postgres'],
    { folder },
  )
  expect(code).toBe(2)
  expect(stderr).toContain(
    'sources.shop.tables.refunds.columns.order_id.references: expected a table and its column, as in `customers.id`, got "orders"',
  )
})

test('a question outside of a project is told where to ask it', async () => {
  const { code, stderr } = await runWarm(['ask', 'which', 'models', 'have', 'no', 'tests?'], {
    folder: temporaryFolder(),
  })
  expect(code).toBe(2)
  expect(stderr).toContain(
    'path: expected a place in a dbt project, got the current folder, which has no dbt_project.yml in or above it',
  )
  expect(stderr).toContain('--project-dir')
})
