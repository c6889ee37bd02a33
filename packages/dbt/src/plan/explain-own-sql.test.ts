import { DIALECTS } from '@stagecraft/dialects'
import type { Explanation } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { explainOwnSql } from './explain-own-sql.ts'

const GENERATED = "select id as order_id, amount, state, tax from {{ source('shop', 'orders') }}"

const EXPLANATION: Explanation = {
  source: 'shop.orders',
  model: 'stg_shop__orders',
  type: 'staging',
  decisions: [{ about: 'path', value: 'models/a.sql', reasons: [], keys: [] }],
  columns: ['order_id', 'amount', 'state', 'tax'].map((name) => ({
    name,
    column: name === 'order_id' ? 'id' : name,
    type: 'integer',
    decisions: [
      { about: 'name', value: name, reasons: [], keys: ['x'] },
      { about: 'value', value: name === 'order_id' ? 'id' : name, reasons: [], keys: ['x'] },
      { about: 'group', value: 'numerics', reasons: [], keys: [] },
    ],
  })),
  warnings: [],
}

function explain(final: string): Explanation {
  const own = { path: 'models/a.sql', generated: GENERATED, final, raw: ['id', 'amount', 'state', 'tax'] }
  return explainOwnSql(EXPLANATION, own, DIALECTS.duckdb)
}

test('explains the names and values that a person wrote, and what would be generated', () => {
  const { columns } = explain(
    "select id as order_no, amount / 100 as amount, state, 1 as one from {{ source('shop', 'orders') }}",
  )
  const [id, amount, state, tax, one] = columns
  const say = (column: typeof id): unknown =>
    column?.decisions.map(({ about, reasons, value }) => [about, value, ...reasons.map(({ text }) => text)])
  expect(columns.map(({ column, name }) => [column, name])).toEqual([
    ['id', 'order_no'],
    ['amount', 'amount'],
    ['state', 'state'],
    ['tax', undefined],
    [undefined, 'one'],
  ])
  expect(say(id)).toEqual([
    ['name', 'order_no', 'models/a.sql names it so by hand; order_id would be generated'],
    ['value', 'id'],
    ['group', 'numerics'],
  ])
  expect(say(amount)).toEqual([
    ['name', 'amount'],
    ['value', 'amount / 100', 'models/a.sql selects it so by hand; amount would be generated'],
    ['group', 'numerics'],
  ])
  expect(state).toEqual(EXPLANATION.columns[2])
  expect(say(tax)).toEqual([
    ['name', undefined, 'models/a.sql leaves it out by hand; tax would be generated'],
  ])
  expect(say(one)).toEqual([
    ['value', '1', 'models/a.sql selects it by hand; nothing like it would be generated'],
  ])
})

test('says so where the text does not tell the columns', () => {
  const { columns, decisions } = explain('{{ build_model() }}')
  expect(columns).toEqual(EXPLANATION.columns)
  expect(decisions[0]?.reasons.map(({ rule }) => rule)).toEqual(['path.project'])
})
