// Hits that a person looked at, one by one, with the verdict: rules that are on have to be right in nine of ten.
import { RULES } from '@stagecraft/analysis'
import { expect, test } from 'vitest'
import { readLabelledHits } from './labelled-hits.ts'

const hits = readLabelledHits()

test.each(RULES.filter(({ isDefault }) => isDefault).map(({ id }) => id))(
  '%s is right in nine of ten hits',
  (id) => {
    const own = hits.filter(({ rule, verdict }) => rule === id && verdict !== 'wrong, mended')
    expect(own.length).toBeGreaterThan(0)
    const right = own.filter(({ verdict }) => verdict === 'right')
    expect(right.length).toBeGreaterThanOrEqual(own.length * 0.9)
  },
)

test('every label is of a rule that there is, and says why', () => {
  const ids = new Set<string>(RULES.map(({ id }) => id))
  expect(hits.filter(({ reason, rule }) => !ids.has(rule) || reason.trim() === '')).toEqual([])
})
