import { expect, test } from 'vitest'
import { buildHouses } from './houses/index.ts'
import { type LearningFigures, measureLearning } from './measure-learning.ts'

/** Every so many models are measured; `bench:names` measures all of them. */
const STEP = 5

/** Columns of a sample that models of unlike tables may name worse: of all 28 models of the least of them, it is none. */
const CHANCE = 1

test('what is learned names tables that were held out as their people do', { timeout: 600_000 }, async () => {
  const figures: LearningFigures[] = []
  for (const house of buildHouses()) figures.push(await measureLearning(house, { step: STEP }))
  for (const { byRules, leaveOneOut, project, unlike } of figures)
    expect({ project, isWorse: leaveOneOut < byRules || unlike < byRules - CHANCE }).toEqual({
      project,
      isWorse: false,
    })
  const sum = (read: (one: LearningFigures) => number): number =>
    figures.reduce((total, one) => total + read(one), 0)
  const columns = sum((one) => one.columns)
  expect(sum((one) => one.leaveOneOut) / columns).toBeGreaterThanOrEqual(0.84)
  expect(sum((one) => one.unlike) / columns).toBeGreaterThanOrEqual(0.76)
  expect(sum((one) => one.fromFive) / sum((one) => one.ofFive)).toBeGreaterThanOrEqual(0.74)
})
