import { API_OPERATIONS } from '@stagecraft/spec/api'
import { expect, test } from 'vitest'
import { findFault } from './find-fault.ts'

const TIME = '2026-11-21T09:30:00.000Z'

function faultOfUnit(change: object): string | undefined {
  const fields = { id: 'unit_1', name: 'a', type: 'staging', source: 'a', version: 1, state: 'new' }
  const unit = { ...fields, options: {}, createdAt: TIME, updatedAt: TIME, ...change }
  return findFault(unit, API_OPERATIONS.getUnit.data)
}

test.each([
  ['an added member', { added: 1 }],
  ['an added member of an object that allows none', { options: { added: 1 } }],
  ['a new word', { type: 'mart', options: { casts: 'all' } }],
  [
    'a new word in one of several shapes',
    { options: { freshness: { warnAfter: { count: 1, period: 'week' } } } },
  ],
])('accepts %s', (_, change) => {
  expect(faultOfUnit(change)).toBeUndefined()
})

test.each([
  ['a member of another type', { options: { addTests: 'yes' } }, 'options.addTests'],
  ['no word at all', { type: 7 }, 'type'],
  ['what has none of several shapes', { options: { freshness: 7 } }, 'options.freshness'],
  ['a missing member', { source: undefined }, 'source'],
  ['a fault behind an added member', { added: 1, version: 0 }, 'version'],
])('reports %s', (_, change, path) => {
  expect(faultOfUnit(change)).toBe(path)
})

test('reports missing data', () => {
  expect(findFault(undefined, API_OPERATIONS.getUnit.data)).toBe('')
})
