import { expect, test } from 'vitest'
import { oncePerObject, remember } from './memo.ts'

test('computes once for each object', () => {
  const asked: object[] = []
  const nameOf = oncePerObject((key: { readonly name?: string }) => {
    asked.push(key)
    return key.name
  })
  const [a, none] = [{ name: 'a' }, {}]
  expect([nameOf(a), nameOf(a), nameOf(none), nameOf(none)]).toEqual(['a', 'a', undefined, undefined])
  expect(asked).toEqual([a, none])
})

test('clears the cache at its limit', () => {
  const asked: string[] = []
  const lengthOf = remember((text) => asked.push(text) && text.length, 2)
  for (const text of ['a', 'bb', 'a', 'bb', 'ccc', 'ccc', 'a']) expect(lengthOf(text)).toBe(text.length)
  expect(asked).toEqual(['a', 'bb', 'ccc', 'a'])
})

test('does not cache failures', () => {
  let isBroken = true
  const one = remember(() => {
    if (isBroken) throw new Error('broken')
    return 1
  }, 1)
  expect(() => one('a')).toThrow('broken')
  isBroken = false
  expect(one('a')).toBe(1)
})
