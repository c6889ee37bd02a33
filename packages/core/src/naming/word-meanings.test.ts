import { expect, test } from 'vitest'
import { meaningsOf, wordsOf } from './word-meanings.ts'

test('splits names and phrases into singular words', () => {
  expect(wordsOf('customerEmails')).toEqual(['customer', 'email'])
  expect(wordsOf('the amount of the orders')).toEqual(['amount', 'order'])
  expect(wordsOf('ORDER_AMT')).toEqual(['order', 'amt'])
  expect(wordsOf('…')).toEqual([])
})

test('knows what a short form stands for, and words of the same meaning', () => {
  expect([...meaningsOf('amt')]).toEqual(expect.arrayContaining(['amt', 'amount', 'total']))
  expect(meaningsOf('client').has('customer')).toBe(true)
  expect([...meaningsOf('xyzzy')]).toEqual(['xyzzy'])
})
