import { expect, test } from 'vitest'
import { systemClock, timeSortedIds } from './clock.ts'

test('ids sort in order of creation, even within a millisecond or after the clock goes back', () => {
  const times = [5, 5, 5, 6, 4, 4, 7]
  const ids = timeSortedIds({ now: () => times.shift() ?? 8 })
  const made = Array.from({ length: 2000 }, () => ids.next('evt'))
  expect(made.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(made)
  expect(new Set(made).size).toBe(2000)
  expect(made.every((id) => /^evt_[0-9a-z]{28}$/.test(id))).toBe(true)
})

test('two processes create different ids in the same millisecond', () => {
  const clock = { now: () => 1 }
  const made = Array.from({ length: 100 }, () => timeSortedIds(clock).next('evt'))
  expect(new Set(made).size).toBe(100)
  expect(timeSortedIds(systemClock).next('gen')).toMatch(/^gen_[0-9a-z]{28}$/)
})
