import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { measureNames, readPairs } from './measure-names.ts'

const file = fileURLToPath(new URL('name-pairs.txt', import.meta.url))

test('names come out as an analyst writes them, and no rule loses more than it wins', () => {
  const { effects, shares } = measureNames(readPairs(file))
  const all = shares.find(({ set }) => set === 'all')
  expect(all?.columns).toBeGreaterThan(350)
  expect((all?.byRules ?? 0) / (all?.columns ?? 1)).toBeGreaterThanOrEqual(0.97)
  for (const { byRules, bySnakeCase, set } of shares)
    expect({ set, isWorse: byRules < bySnakeCase }).toEqual({ set, isWorse: false })
  for (const { losses, rule, wins } of effects)
    expect({ rule, isWorth: wins > losses }).toEqual({ rule, isWorth: true })
})
