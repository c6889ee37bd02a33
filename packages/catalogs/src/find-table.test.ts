import type { NamePart } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { ambiguousSource, findName, matchName, missingSource, nearestNames } from './find-table.ts'

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

test('counts two swapped letters as one typo', () => {
  expect(nearestNames('ab', ['ba', 'xy'])).toEqual(['ba'])
})

test('returns at most three names, in a fixed order', () => {
  expect(nearestNames('table0', ['table4', 'table3', 'table2', 'table1'])).toEqual([
    'table1',
    'table2',
    'table3',
  ])
})

test('suggests nothing in an empty schema', () => {
  expect(nearestNames('payments', [])).toEqual([])
})

const bare = (text: string): NamePart => ({ text, quoted: false })
const quoted = (text: string): NamePart => ({ text, quoted: true })

test.each([
  [bare('payments'), ['PAYMENTS', 'payments'], 'payments'],
  [bare('payments'), ['PAYMENTS'], 'PAYMENTS'],
  [bare('GRÖSSE'), ['größe', 'Grösse'], 'Grösse'],
  [bare('payments'), ['PAYMENTS', 'Payments'], undefined],
  [bare('payments'), ['payouts'], undefined],
  [quoted('payments'), ['PAYMENTS'], undefined],
  [quoted('Pay ments'), ['Pay ments'], 'Pay ments'],
])('matches %o in %o', (part, names, found) => {
  expect(findName(part, names)).toBe(found)
})

test('distinguishes an ambiguous name from an unknown one', () => {
  expect(matchName(bare('a'), ['A', 'A'])).toEqual({ kind: 'one', name: 'A' })
  expect(matchName(bare('ab'), ['AB', 'Ab'])).toEqual({ kind: 'many', names: ['AB', 'Ab'] })
  expect(matchName(bare('a'), [])).toEqual({ kind: 'none' })
})

test('names the nearest tables', () => {
  const source = { schema: bare('stripe'), table: bare('paymnets') }
  const names = ['payments', 'paymnets "x"', 'refunds']
  const error = missingSource(source, { level: 'table', place: 'the schema stripe', names })
  expect(error.code).toBe('INVALID_SOURCE')
  expect(error.message).toBe(
    'source stripe.paymnets: no table paymnets in the schema stripe; did you mean "paymnets ""x""" or payments?',
  )
  expect(error.details?.suggestion).toBe('did you mean "paymnets ""x""" or payments?')
})

test('explains a list in which the name of a table has all levels', () => {
  const source = { schema: bare('shop'), table: bare('orders') }
  const miss = { level: 'table', place: 'columns.yml', names: ['Shop.orders'] } as const
  expect(missingSource(source, miss).message).toBe(
    'source shop.orders: no table orders in columns.yml; a table there is called "Shop.orders", dots included; give database, schema and name separately',
  )
})

test('names tables with the same name in other schemas first', () => {
  const miss = {
    level: 'table',
    place: 'the schema public',
    names: ['payment'],
    elsewhere: ['stripe.payments'],
  } as const
  const error = missingSource({ table: bare('payments') }, miss)
  expect(error.details?.suggestion).toBe('did you mean stripe.payments or payment?')
})

test('names the nearest schemas if the schema is missing', () => {
  const source = { schema: quoted('stirpe'), table: bare('payments') }
  const error = missingSource(source, { level: 'schema', place: 'the database raw', names: ['stripe'] })
  expect(error.message).toBe(
    'source "stirpe".payments: no schema "stirpe" in the database raw; did you mean stripe?',
  )
})

test('says what to check if no name is near', () => {
  const error = missingSource({ table: bare('x') }, { level: 'table', place: 'columns.yml', names: [] })
  expect(error.details?.suggestion).toBe('check that it exists and that you may read it')
})

test('asks for quotes if names differ only in case', () => {
  const miss = { level: 'table', place: 'the schema stripe', names: ['Twin', 'TWIN'] } as const
  expect(missingSource({ table: bare('twin') }, miss).message).toBe(
    'source twin: twin may be "TWIN" or "Twin" in the schema stripe; put the one you mean in double quotes',
  )
})

test('asks for the full name if several tables match', () => {
  expect(ambiguousSource({ table: bare('orders') }, ['a.orders', 'b.orders']).message).toBe(
    'source orders: orders may be a.orders or b.orders; write the full name',
  )
})
