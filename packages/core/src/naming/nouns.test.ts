import pluralize from 'pluralize'
import { expect, test } from 'vitest'
import { COUNTABLE } from './nouns.ts'

test('lists singulars only, once each', () => {
  const plurals = new Set(COUNTABLE.map((noun) => pluralize.plural(noun)))
  const alike = ['agenda', 'aircraft', 'series', 'species'] // pluralize leaves these as they are
  expect(COUNTABLE.filter((noun) => plurals.has(noun))).toEqual(alike)
  expect(new Set(COUNTABLE).size).toBe(COUNTABLE.length)
})
