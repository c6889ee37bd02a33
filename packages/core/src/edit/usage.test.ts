import { expect, test } from 'vitest'
import { addCall, addUsage, NO_USAGE, totalTokens } from './usage.ts'

const call = { input: 5, cacheRead: 4, cacheWrite: 3, output: 2, reasoning: 1 }

test('adds a call', () => {
  const once = addCall(NO_USAGE, call)
  expect(once).toEqual({ ...call, attempts: 1, incomplete: false })
  expect(addCall(once, call)).toMatchObject({ input: 10, reasoning: 2, attempts: 2 })
})

test('counts a call without usage, and marks the sum as incomplete', () => {
  const unknown = addCall(NO_USAGE, undefined)
  expect(unknown).toEqual({ ...NO_USAGE, attempts: 1, incomplete: true })
  expect(addUsage(addCall(NO_USAGE, call), unknown)).toEqual({ ...call, attempts: 2, incomplete: true })
})

test('counts cached tokens and thoughts once', () => {
  expect(totalTokens(addCall(NO_USAGE, call))).toBe(7)
})
