import type { HouseStyle } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { chooseExamples } from './examples.ts'
import { ORDERS, subjectOf } from './testing/subject.ts'

function choose(style: HouseStyle, most: number) {
  const project = {
    models: [],
    packages: [],
    requireDbtVersion: undefined,
    testArgumentsProperty: true,
    style,
  }
  return chooseExamples(subjectOf([ORDERS], { project }), most)
}

test('returns examples for the columns of the table first, half names and half descriptions', () => {
  const style = {
    renames: [
      ['a', 'b'],
      ['AMOUNT', 'amount'],
      ['c', 'd'],
    ],
    descriptions: [
      ['x', 'An x.'],
      ['amount', 'What was paid.'],
    ],
  } as const
  expect(choose(style, 3)).toEqual({
    renames: [
      ['AMOUNT', 'amount'],
      ['a', 'b'],
    ],
    descriptions: [['amount', 'What was paid.']],
  })
  expect(choose(style, 0)).toEqual({ renames: [], descriptions: [] })
})

test('returns nothing that would not be a legal answer', () => {
  const style = {
    renames: [
      ['a\u202E', 'b'],
      ['a', 'B C'],
      ['a', 'x'.repeat(129)],
    ],
    descriptions: [
      ['a b', 'A b.'],
      ['a', '{{ b() }}'],
      ['a', 'a\nb'],
      ['x'.repeat(129), 'An x.'],
    ],
  } as const
  expect(choose(style, 40)).toEqual({ renames: [['a', 'b']], descriptions: [] })
})

test('returns nothing without a known style', () => {
  expect(chooseExamples(subjectOf(), 40)).toEqual({ renames: [], descriptions: [] })
})
