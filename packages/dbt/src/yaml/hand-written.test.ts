import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  editAndCompare,
  readProperties,
  replaced,
  withoutEmpty,
} from '../../../../test/properties/compare-edits.ts'
import { drawEdit } from '../../../../test/properties/edits-as-data.ts'
import { seededRandom, writeYaml } from '../../../../test/properties/hand-written-yaml.ts'
import { moveEntry } from './move-entry.ts'

test('120 files in as many hands say what was meant after edits, and nothing else in them changes', () => {
  const counts = { done: 0, unneeded: 0, kept: 0, refused: 0 }
  for (let seed = 0; seed < 120; seed += 1) {
    const random = seededRandom(seed + 10_000)
    const text = writeYaml(seed)
    for (let time = 0; time < 4; time += 1)
      counts[editAndCompare(text, drawEdit(random, readProperties(text))).outcome.status] += 1
  }
  expect(counts.refused / (counts.done + counts.refused)).toBeLessThanOrEqual(0.02)
  expect(counts.done).toBeGreaterThan(350)
})

test('edits in a row each find what the ones before them left', () => {
  const property = fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 6 }), (seed, times) => {
    const random = seededRandom(seed)
    let text = writeYaml(seed)
    for (let time = 0; time < times; time += 1)
      ({ text } = editAndCompare(text, drawEdit(random, readProperties(text))))
  })
  expect(() => fc.assert(property, { numRuns: 60 })).not.toThrow()
})

test('a moved entry says the same in the other file, and both files keep the rest', () => {
  const counts = { done: 0, refused: 0, kept: 0, unneeded: 0 }
  for (let seed = 0; seed < 120; seed += 1) {
    const [from, to] = [writeYaml(seed), seed % 5 === 0 ? '' : writeYaml(seed + 500)]
    const before = readProperties(from)
    const list = (['models', 'sources', 'seeds', 'snapshots'] as const).find((key) => before[key])
    const name = list && before[list]?.at(-1)?.name
    if (!list || name === undefined) continue
    const target = to.replaceAll(name, 'another')
    const moved = moveEntry({
      list,
      name,
      from: { path: 'a.yml', text: from },
      to: { path: 'b.yml', text: target },
    })
    counts[moved.outcome.status] += 1
    // an alias needs its anchor, and `|+` takes the blank lines behind it
    if (moved.outcome.status === 'refused') expect(`${from}${target}`).toMatch(/&(?:key|column)|[|>]\+/)
    if (moved.outcome.status !== 'done') continue
    const rest = before[list]?.filter((entry) => entry.name !== name)
    const left = moved.from === undefined ? {} : readProperties(moved.from)
    expect(withoutEmpty({ version: 2, ...left })).toEqual(
      withoutEmpty({ ...before, version: 2, [list]: rest }),
    )
    expect(replaced(from, moved.from ?? '').added).toBe('')
    expect(replaced(target, moved.to).removed).toBe('')
    const there = readProperties(moved.to)[list]?.find((entry) => entry.name === name)
    expect(there).toEqual(before[list]?.find((entry) => entry.name === name))
  }
  expect(counts.done).toBeGreaterThan(90)
})
