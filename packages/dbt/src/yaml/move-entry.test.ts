import { expect, test } from 'vitest'
import { readProperties, withoutEmpty } from '../../../../test/properties/compare-edits.ts'
import { writeYaml } from '../../../../test/properties/hand-written-yaml.ts'
import { type FileTexts, moveEntries, type PathMove } from './move-entry.ts'

const move = (name: string, to: string, from = 'a.yml'): PathMove => ({ list: 'models', name, from, to })

const TEXT = `version: 2

models:
  # of a
  - name: a
    description: A. # ask Mei

  - name: b
    columns:
      - name: id

  # of c
  - name: c
`

test('moves entries to one file together, in order of their names, with their comments', () => {
  const moves = [move('c', 'b.yml'), move('a', 'b.yml')]
  const { outcomes, texts } = moveEntries(new Map([['a.yml', TEXT]]), moves)
  expect(outcomes).toEqual([{ status: 'done' }, { status: 'done' }])
  expect(texts.get('b.yml')).toBe(`version: 2

models:
  # of a
  - name: a
    description: A. # ask Mei

  # of c
  - name: c
`)
  expect(texts.get('a.yml')).toBe('version: 2\n\nmodels:\n  - name: b\n    columns:\n      - name: id\n')
})

test('moves entries to files of their own, and back between others', () => {
  const apart = moveEntries(
    new Map([['a.yml', TEXT]]),
    ['a', 'b', 'c'].map((name) => move(name, `${name}2.yml`)),
  )
  expect(apart.texts.get('a.yml')).toBe(undefined)
  expect(apart.texts.get('b2.yml')).toBe(
    'version: 2\n\nmodels:\n  - name: b\n    columns:\n      - name: id\n',
  )
  const back = moveEntries(apart.texts, [
    move('a', 'b2.yml', 'a2.yml'),
    move('c', 'b2.yml', 'c2.yml'),
    move('b', 'a.yml', 'b2.yml'),
  ])
  expect(back.outcomes.map(({ status }) => status)).toEqual(['done', 'done', 'done'])
  expect([...back.texts].filter(([, text]) => text !== undefined).map(([path]) => path)).toEqual([
    'a.yml',
    'b2.yml',
  ])
  expect(back.texts.get('b2.yml')).toBe(`version: 2

models:
  # of a
  - name: a
    description: A. # ask Mei
  # of c
  - name: c
`)
})

test('only the entries that cannot be moved stay', () => {
  const text = `models:
  - name: a
  - name: b
    meta: &own
      owner: mei
  - name: c
    meta: *own
  - name: d
  - name: e
`
  const moves = ['a', 'b', 'c', 'd', 'e'].map((name) => move(name, 'b.yml'))
  const before: FileTexts = new Map([
    ['a.yml', text],
    ['b.yml', 'models:\n  - name: d\n'],
  ])
  const { outcomes, texts } = moveEntries(before, moves)
  expect(outcomes).toMatchObject([
    { status: 'done' },
    { status: 'refused', path: 'a.yml' },
    { status: 'refused', path: 'a.yml' },
    { status: 'refused', path: 'b.yml', reason: 'the model d already exists' },
    { status: 'done' },
  ])
  expect(texts.get('a.yml')).toBe(text.replace('  - name: a\n', '').replace('  - name: e\n', ''))
  expect(texts.get('b.yml')).toBe('models:\n  - name: a\n  - name: d\n  - name: e\n')
})

test('entries of 60 files in as many hands say the same whether they are moved together or one by one', () => {
  let count = 0
  for (let seed = 0; seed < 60; seed += 1) {
    const [from, to] = [writeYaml(seed), seed % 3 === 0 ? '' : writeYaml(seed + 500)]
    const { models, sources } = readProperties(from)
    const list = models ? 'models' : 'sources'
    const names = (models ?? sources ?? []).flatMap(({ name }) => name ?? [])
    const moves = names
      .filter((_, at) => at % 3 !== 1)
      .map((name) => ({ ...move(name, 'b.yml'), list }) as const)
    const before: FileTexts = new Map([
      ['a.yml', from],
      ['b.yml', names.reduce((text, name) => text.replaceAll(name, 'another'), to)],
    ])
    const together = moveEntries(before, moves)
    let single = before
    for (const [at, one] of moves.entries()) {
      const moved = moveEntries(single, [one])
      expect(moved.outcomes[0]?.status).toBe(together.outcomes[at]?.status)
      single = moved.texts
    }
    count += together.outcomes.filter(({ status }) => status === 'done').length
    for (const path of ['a.yml', 'b.yml'])
      expect(withoutEmpty(readProperties(together.texts.get(path) ?? ''))).toEqual(
        withoutEmpty(readProperties(single.get(path) ?? '')),
      )
  }
  expect(count).toBeGreaterThan(40)
})
