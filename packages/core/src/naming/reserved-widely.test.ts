import { DIALECTS } from '@stagecraft/dialects'
import { expect, test } from 'vitest'
import { WIDELY_RESERVED } from './reserved-widely.ts'

const dialects = Object.values(DIALECTS)
const words = new Set(dialects.flatMap((one) => [...one.words.reserved, ...one.words.evaluated]))
const count = (word: string): number =>
  dialects.filter((one) => one.words.reserved.has(word) || one.words.evaluated.has(word)).length

test('each word is reserved by five warehouses', () => {
  expect([...WIDELY_RESERVED].filter((word) => count(word) < 5)).toEqual([])
})

test('no word that half of the warehouses reserve is missing', () => {
  const missing = [...words].filter(
    (word) => count(word) * 2 >= dialects.length && !WIDELY_RESERVED.has(word),
  )
  expect(missing).toEqual([])
})
