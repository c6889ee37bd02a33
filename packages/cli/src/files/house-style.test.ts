import { expect, test } from 'vitest'
import { collectStyle } from './house-style.ts'

test('learns renames, the most frequent first', () => {
  const style = collectStyle()
  style.addSql('select\n    cust_no as customer_number,\n    "ID" as order_id -- the key\nfrom source')
  style.addSql('select\n  , cust_no as customer_number\n  , amt as amount')
  expect(style.collect().renames).toEqual([
    ['cust_no', 'customer_number'],
    ['amt', 'amount'],
    ['id', 'order_id'],
  ])
})

test('learns nothing from expressions, other relations and columns that keep their names', () => {
  const style = collectStyle()
  style.addSql('cast(a as text) as b,\nwith source as (\nname as NAME,\nx.y as z,\nsum(a) as total')
  expect(style.collect().renames).toEqual([])
})

test('learns descriptions that say something', () => {
  const style = collectStyle()
  style.addDescription('order_id', ' Which order it was. ')
  style.addDescription('amount', ' ')
  expect(style.collect().descriptions).toEqual([['order_id', 'Which order it was.']])
})
