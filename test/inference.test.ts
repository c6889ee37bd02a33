import { expect, test } from 'vitest'
import { addScores, measureInference, precisionOf, recallOf } from './bench/inference-figures.ts'
import { measureLists } from './bench/list-figures.ts'
import { repositoryPath } from './paths.ts'

test('finds the keys and references of databases whose declarations are hidden', async () => {
  const sets = await measureInference(repositoryPath('test/fixtures/truth'))
  const byNames = addScores(sets.map((set) => set.referencesByNames))
  const references = addScores(sets.map((set) => set.references))
  const keys = addScores(sets.map((set) => set.keysOfLarge))
  expect(precisionOf(byNames)).toBeGreaterThanOrEqual(0.97)
  expect(recallOf(byNames)).toBeGreaterThanOrEqual(0.92)
  expect(precisionOf(references)).toBeGreaterThanOrEqual(0.98)
  expect(recallOf(references)).toBeGreaterThanOrEqual(0.96)
  expect(precisionOf(keys)).toBe(1)
  expect(recallOf(keys)).toBe(1)
  const queries = sets.reduce((sum, set) => sum + set.queries, 0)
  expect(queries / sets.reduce((sum, set) => sum + set.tables, 0)).toBeLessThan(3)
})

test.each([0.1, 0.3, 0.5])(
  'lists from %d of the rows hold on all of them where rows stay as they are',
  async (share) => {
    const lists = (await measureLists(share, 10)).filter(({ isSteady }) => isSteady)
    const sum = (name: 'columns' | 'failed' | 'listed'): number =>
      lists.reduce((total, one) => total + one[name], 0)
    expect(sum('failed') / sum('listed')).toBeLessThanOrEqual(0.02)
    expect(sum('listed') / sum('columns')).toBeGreaterThanOrEqual(0.15)
  },
)
