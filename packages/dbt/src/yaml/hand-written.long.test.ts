import { expect, test } from 'vitest'
import { editAndCompare, readProperties } from '../../../../test/properties/compare-edits.ts'
import { drawEdit } from '../../../../test/properties/edits-as-data.ts'
import { seededRandom, writeYaml } from '../../../../test/properties/hand-written-yaml.ts'

test('500 files in as many hands say what was meant after five edits of each, and nothing else in them changes', () => {
  const counts = { done: 0, unneeded: 0, kept: 0, refused: 0 }
  for (let seed = 1000; seed < 1500; seed += 1) {
    const random = seededRandom(seed + 10_000)
    const text = writeYaml(seed)
    for (let time = 0; time < 5; time += 1)
      counts[editAndCompare(text, drawEdit(random, readProperties(text))).outcome.status] += 1
  }
  expect(counts.refused / (counts.done + counts.refused)).toBeLessThanOrEqual(0.02)
  expect(counts.done).toBeGreaterThan(1800)
}, 600_000)
