import { expect, test } from 'vitest'
import { addToConfig, printConfig } from './write-config.ts'

const path = 'stagecraft.yml'
const config = {
  options: { leadingCommas: true },
  naming: { patterns: { timestamp: '{name}_ts' }, glossary: { cust: 'customer' }, columnPrefixes: ['fld_'] },
}

test('entries are added beside what people wrote, and nothing else changes', () => {
  const text = `# ours
naming:
    glossary: { no: number, cust: client } # agreed
    # keep these
    words: [sku]

catalog: env:URL
`
  expect(addToConfig({ path, text }, config)).toBe(`# ours
naming:
    glossary: { no: number, cust: client } # agreed
    # keep these
    words: [sku]
    patterns:
        timestamp: "{name}_ts"
    columnPrefixes:
        - fld_

catalog: env:URL
options:
    leadingCommas: true
`)
})

test.each([
  ['words: [sku] # ours', 'words: [sku, dl, vub] # ours'],
  ['words:\n    - sku # ours\n    - dl', 'words:\n    - sku # ours\n    - dl\n    - vub'],
])('words are added to those that are there: %s', (before, after) => {
  const text = `naming:\n  ${before}\n  ids: true\n`
  expect(addToConfig({ path, text }, { naming: { words: ['dl', 'vub'] } })).toBe(
    `naming:\n  ${after}\n  ids: true\n`,
  )
})

test('an empty file gets them all', () => {
  const text = addToConfig({ path, text: '' }, { naming: { ids: false } })
  expect(text).toBe('naming:\n  ids: false\n')
})

test('what cannot be edited safely is refused with its line', () => {
  expect(() =>
    addToConfig({ path, text: 'naming: &a {}\nsources: { x: { naming: *a } }\n' }, config),
  ).toThrow(/stagecraft\.yml/)
})

test('a new file tells the support of each entry', () => {
  const naming = { ids: false, columnPrefixes: ['fld_'], patterns: { date: '{name}_on' } }
  const comments = new Map([
    ['naming.ids', '12 of 13 columns'],
    ['naming.columnPrefixes', '2 of 2 columns'],
  ])
  expect(printConfig({ naming }, comments)).toBe(
    "naming:\n  ids: false # 12 of 13 columns\n  columnPrefixes: [fld_] # 2 of 2 columns\n  patterns:\n    date: '{name}_on'\n",
  )
})
