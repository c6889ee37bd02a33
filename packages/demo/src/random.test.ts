import { expect, test } from 'vitest'
import { createRandom } from './random.ts'

test('draws the same numbers for the same seed', () => {
  const draw = (seed: string): string => createRandom(seed).hex(32)
  expect(draw('orders')).toBe(draw('orders'))
  expect(draw('orders')).not.toBe(draw('customers'))
})

test('draws the recorded numbers', () => {
  const random = createRandom('northlight')
  expect([random.integer(0, 999), random.hex(8), random.token(8)]).toEqual([235, '12852286', 'GkpCrmwC'])
})

test('reaches both ends of a range, and nothing outside', () => {
  const random = createRandom('range')
  const drawn = new Set(Array.from({ length: 500 }, () => random.integer(-2, 2)))
  expect([...drawn].toSorted((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2])
})

test('returns true with the given probability', () => {
  const random = createRandom('chance')
  const hits = Array.from({ length: 10_000 }, () => random.chance(0.25)).filter(Boolean).length
  expect(hits).toBeGreaterThan(2300)
  expect(hits).toBeLessThan(2700)
})

test('picks early items more often', () => {
  const random = createRandom('early')
  const drawn = Array.from({ length: 2000 }, () => random.pickEarly([0, 1, 2, 3]))
  const count = (item: number): number => drawn.filter((other) => other === item).length
  expect(count(0)).toBeGreaterThan(2 * count(3))
})

test('makes version 4 UUIDs', () => {
  expect(createRandom('uuid').uuid()).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
})

test('rejects an empty list', () => {
  expect(() => createRandom('empty').pick([])).toThrow('expected at least one item')
})
