import { expect, test } from 'vitest'
import { nearestNames } from './nearest-names.ts'

const NAMES = ['payments', 'payouts', 'refunds', 'stripe_payments', 'customers', 'Orders']

test.each([
  ['paymnets', ['payments', 'payouts']],
  ['payment', ['payments', 'stripe_payments']],
  ['order', ['Orders']],
  ['stripe_payment', ['stripe_payments']],
  ['raw_customers', ['customers']],
  ['zebra', []],
])('finds the names near %s', (wanted, near) => {
  expect(nearestNames(wanted, NAMES)).toEqual(near)
})

test('counts a swapped pair as one slip', () => {
  expect(nearestNames('ab', ['ba', 'xy'])).toEqual(['ba'])
})

test('answers with three names at most, in a fixed order', () => {
  expect(nearestNames('table0', ['table4', 'table3', 'table2', 'table1'])).toEqual([
    'table1',
    'table2',
    'table3',
  ])
})

test('names nothing where there is nothing', () => {
  expect(nearestNames('payments', [])).toEqual([])
})
