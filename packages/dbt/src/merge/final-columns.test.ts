import { DIALECTS } from '@stagecraft/dialects'
import { expect, test } from 'vitest'
import { finalColumns } from './final-columns.ts'

function namesOf(text: string): string | undefined {
  const found = finalColumns(text, DIALECTS.duckdb)
  return found && [...found.columns.map(({ name }) => name), ...(found.isOpen ? ['…'] : [])].join(' ')
}

const CTES = `with source as (select * from {{ source('shop', 'orders') }}),
renamed as (
  select id as order_id, -- the key
    s.Amount, coalesce(a, (select max(b) from c)) as b from source s
)
`

test.each([
  [`${CTES} select * from renamed`, 'order_id amount b'],
  [`${CTES} select * from renamed where b > 0 order by 1`, 'order_id amount b'],
  [`${CTES} select *, amount * 2 as twice from renamed`, 'order_id amount b twice'],
  [`${CTES} select r.* exclude (b) from renamed as r`, 'order_id amount'],
  [`${CTES} select * except(order_id, b) from renamed`, 'amount'],
  [`${CTES} select * replace (1 as b) from renamed`, undefined],
  [`${CTES} select order_id as number, upper(b) as b from renamed`, 'number b'],
  [`${CTES} select order_id from renamed union all select 1 as x`, 'order_id'],
  [
    `${CTES} select renamed.*, c.name as who from renamed left join customers c on true`,
    'order_id amount b who',
  ],
  [`${CTES} select * from renamed join customers using (id)`, 'order_id amount b …'],
  [`${CTES} select r.*, c.* from renamed r, customers as c`, 'order_id amount b …'],
  [`${CTES} select {{ dbt_utils.star(ref('x')) }}, order_id from renamed`, 'order_id …'],
  [`${CTES} select {% for a in b %}{{ a }},{% endfor %} 1 as x from renamed`, undefined],
  [`${CTES} {% if x %} select a from renamed {% else %} select b from renamed {% endif %}`, undefined],
  ['select * from {{ source("shop", "orders") }}', '…'],
  ['with a as (select * from a) select * from a', '…'],
  ['select id, name from shop.orders', 'id name'],
  [`select a.id, count(*) as n, {{ adapter.quote('Weird') }}, x::int as y, 'z' z from a`, 'id n weird y z'],
  ['select a, b + 1 from t', 'a …'],
  ['{{ config(tags=["select a"]) }} -- select b\nselect "Odd one", x from t', 'odd one x'],
])('%s', (text, names) => {
  expect(namesOf(text)).toBe(names)
})

test('says which items a column is passed on from', () => {
  const { columns } = finalColumns(`${CTES} select order_id as number from renamed`, DIALECTS.duckdb) ?? {}
  expect(columns?.map(({ items }) => items.map(({ text }) => text))).toEqual([
    ['order_id as number', 'id as order_id'],
  ])
})

test('a long chain of models in a model takes no time', () => {
  const items = Array.from({ length: 60 }, (_, index) => `c${index}`).join(', ')
  const ctes = Array.from({ length: 40 }, (_, index) => `m${index + 1} as (select ${items} from m${index})`)
  const text = `with m0 as (select ${items} from t), ${ctes.join(', ')} select ${items} from m40`
  expect(finalColumns(text, DIALECTS.duckdb)?.columns[59]?.items).toHaveLength(42)
})
