import { expect, test } from 'vitest'
import { selectNames } from './create-units.ts'

const NAMES = ['raw.shop.orders', 'raw.shop.order_items', 'raw.stripe.payments', 'raw.stripe."a.*b"']

test.each([
  [{}, NAMES],
  [{ select: ['raw.shop.*'] }, ['raw.shop.orders', 'raw.shop.order_items']],
  [{ select: ['RAW.SHOP.ORDERS'] }, ['raw.shop.orders']],
  [{ select: ['*order*'], exclude: ['*_items'] }, ['raw.shop.orders']],
  [{ select: ['*.payments', 'raw.shop.orders'] }, ['raw.shop.orders', 'raw.stripe.payments']],
  [{ exclude: ['*'] }, []],
])('%j', (selection, expected) => {
  expect(selectNames(NAMES, selection)).toEqual(expected)
})

test('says which patterns select nothing', () => {
  expect(() => selectNames(NAMES, { select: ['raw.*', 'shop.', 'raw.shop.orders.'] })).toThrow(
    /select\.1: expected .*select\.2: expected/s,
  )
})

test('refuses a long name quickly', () => {
  const begun = performance.now()
  expect(selectNames(['a'.repeat(1000)], { exclude: [`${'a*'.repeat(20)}b`] })).toHaveLength(1)
  expect(performance.now() - begun).toBeLessThan(60_000)
})
