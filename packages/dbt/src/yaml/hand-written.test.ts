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
import { editYaml } from './edit-yaml.ts'
import { moveEntry } from './move-entry.ts'
import type { YamlEdit } from './yaml-edit.ts'

test('40 files in as many hands say what was meant after edits, and nothing else in them changes', () => {
  const counts = { done: 0, unneeded: 0, kept: 0, refused: 0 }
  for (let seed = 0; seed < 40; seed += 1) {
    const random = seededRandom(seed + 10_000)
    const text = writeYaml(seed)
    for (let time = 0; time < 4; time += 1)
      counts[editAndCompare(text, drawEdit(random, readProperties(text))).outcome.status] += 1
  }
  expect(counts.refused / (counts.done + counts.refused)).toBeLessThanOrEqual(0.02)
  expect(counts.done).toBeGreaterThan(115)
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

test('edits at once say the same as one after the other', () => {
  const property = fc.property(fc.nat(1_000_000), fc.integer({ min: 2, max: 12 }), (seed, times) => {
    const random = seededRandom(seed)
    const text = writeYaml(seed)
    const data = readProperties(text)
    const edits = Array.from({ length: times }, () => drawEdit(random, data))
    const together = editYaml({ path: 'a.yml', text }, edits)
    let alone = text
    const statuses = edits.map((edit) => {
      const { outcomes, text: edited } = editYaml({ path: 'a.yml', text: alone }, [edit])
      alone = edited
      return outcomes[0]?.status
    })
    expect(readProperties(together.text)).toEqual(readProperties(alone))
    expect(together.outcomes.map(({ status }) => status)).toEqual(statuses)
  })
  expect(() => fc.assert(property, { numRuns: 40 })).not.toThrow()
})

test('as many edits as a large file takes are done in a moment', () => {
  const columns = Array.from({ length: 20 }, (_, index) => `      - name: c${index} # ours\n`).join('')
  const models = Array.from({ length: 80 }, (_, index) => `  - name: m${index}\n    columns:\n${columns}`)
  const edits = Array.from({ length: 80 }, (_, index): readonly YamlEdit[] => {
    const owner = { list: 'models', name: `m${index}` } as const
    return [
      { kind: 'add-column', owner, column: { name: 'tax' }, after: 'c19' },
      { kind: 'add-column', owner, column: { name: 'fee' }, after: 'tax' },
      { kind: 'add-tests', owner, column: 'c3', tests: ['unique', 'not_null'] },
      { kind: 'set-property', owner, column: 'c4', key: 'description', value: 'The fourth' },
      { kind: 'add-entry', list: 'models', entry: { name: `new_${String(index).padStart(3, '0')}` } },
    ]
  }).flat()
  const start = performance.now()
  const { outcomes, text } = editYaml({ path: 'a.yml', text: `models:\n${models.join('')}` }, edits)
  expect(outcomes.filter(({ status }) => status !== 'done')).toEqual([])
  expect(text).toContain('      - name: c19 # ours\n      - name: tax\n      - name: fee\n')
  // one after the other takes a thousand times reading a text of 100 kB: minutes
  expect(performance.now() - start).toBeLessThan(20_000)
})
