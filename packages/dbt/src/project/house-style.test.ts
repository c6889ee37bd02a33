import { expect, test } from 'vitest'
import { houseStyle, renamesIn } from './house-style.ts'

test('learns renames, the most frequent first', () => {
  const renames = [
    ...renamesIn('select\n    cust_no as customer_number,\n    "ID" as order_id -- the key\nfrom source'),
    ...renamesIn('select\n  , cust_no as customer_number\n  , amt as amount'),
  ]
  expect(houseStyle(renames, []).renames).toEqual([
    ['cust_no', 'customer_number'],
    ['amt', 'amount'],
    ['id', 'order_id'],
  ])
})

test('learns nothing from expressions, other relations and columns that keep their names', () => {
  const sql = 'cast(a as text) as b,\nwith source as (\nname as NAME,\nx.y as z,\nsum(a) as total'
  expect(renamesIn(sql)).toEqual([])
})

test('learns descriptions that say something', () => {
  const said = [
    ['order_id', ' Which order it was. '],
    ['amount', ' '],
  ] as const
  expect(houseStyle([], said).descriptions).toEqual([['order_id', 'Which order it was.']])
})
