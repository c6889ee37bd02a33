import { expect, test } from 'vitest'
import { shareSlots } from './create-claimer.ts'

const wish = (id: string, wanted: number) => ({ id, wanted })

test('gives each one in turn', () => {
  expect(Object.fromEntries(shareSlots([wish('a', 1000), wish('b', 3), wish('c', 1)], 8))).toEqual({
    a: 4,
    b: 3,
    c: 1,
  })
})

test('gives the first of them one each when there are too few', () => {
  expect([...shareSlots([wish('a', 9), wish('b', 9), wish('c', 9)], 2)]).toEqual([
    ['a', 1],
    ['b', 1],
  ])
})

test('gives nobody more than is wanted', () => {
  expect([...shareSlots([wish('a', 2), wish('b', 0)], 64)]).toEqual([['a', 2]])
})
