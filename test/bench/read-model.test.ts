import { expect, test } from 'vitest'
import { readModel } from './read-model.ts'

const code = `with source as (select * from {{ source('shop', 'orders') }}),
renamed as (
    select id as order_id, cast("Total" as decimal(18, 2)) / 100 as total, coalesce(a, b, a) as state, plain from source
)
select * from renamed`

const schema = `models:
  - name: stg_shop__orders
    description: Orders.
    config: { meta: { stagecraft: { description: llm } } }
    data_tests:
      - dbt_utils.unique_combination_of_columns:
          arguments: { combination_of_columns: [order_id, state] }
          config: { meta: { stagecraft: { evidence: primary key } } }
    columns:
      - { name: order_id, description: Known., data_tests: [not_null] }
      - { name: total }
      - { name: state, data_tests: [{ accepted_values: { values: [x] } }] }
      - { name: plain }
`

test('reads what columns are made of, who describes them and why they are tested', async () => {
  const generation = { code, schema, tests: [], warnings: [], files: [] }
  expect(await readModel(generation)).toEqual({
    name: 'stg_shop__orders',
    description: 'model',
    tests: [
      {
        name: 'dbt_utils.unique_combination_of_columns',
        arguments: { combination_of_columns: ['order_id', 'state'] },
        evidence: 'primary key',
      },
    ],
    columns: [
      {
        name: 'order_id',
        reads: ['id'],
        description: 'rules',
        tests: [{ name: 'not_null', arguments: {}, evidence: undefined }],
      },
      { name: 'total', reads: ['total'], description: 'none', tests: [] },
      {
        name: 'state',
        reads: ['a', 'b'],
        description: 'none',
        tests: [{ name: 'accepted_values', arguments: { values: ['x'] }, evidence: undefined }],
      },
      { name: 'plain', reads: ['plain'], description: 'none', tests: [] },
    ],
  })
})
