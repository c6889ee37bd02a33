import { expect, test } from 'vitest'
import { claimNames, shorten } from './unique-names.ts'

const claim = (...candidates: string[]) => ({ candidates, rank: 1 })

test('gives the first in rank its name and the others numbers', () => {
  expect(claimNames([claim('a'), { candidates: ['a'], rank: 0 }, claim('A')], 63)).toEqual({
    names: ['a_2', 'a', 'A_3'],
    numbered: new Set([0, 2]),
  })
})

test('passes over numbers that somebody wants', () => {
  expect(claimNames([claim('a'), claim('a'), claim('a_2')], 63).names).toEqual(['a', 'a_3', 'a_2'])
})

test('takes another candidate before a number', () => {
  expect(claimNames([claim('a'), claim('a', 'b')], 63)).toEqual({ names: ['a', 'b'], numbered: new Set() })
})

test('keeps numbered names within the limit, and apart', () => {
  const long = 'x'.repeat(63)
  const { names } = claimNames([claim(long), claim(long), claim(long)], 63)
  expect(new Set(names).size).toBe(3)
  for (const name of names) expect(name.length).toBeLessThanOrEqual(63)
})

test('shortens the same name in the same way, and different names differently', () => {
  expect(shorten('a'.repeat(100), 20)).toBe(shorten('a'.repeat(100), 20))
  expect(shorten('a'.repeat(100), 20)).not.toBe(shorten(`${'a'.repeat(99)}b`, 20))
  expect(shorten('abcdefghijk_mnopqrstuvwxyz', 20)).toMatch(/^abcdefghijk_[0-9a-z]{7}$/)
})
