import { expect, test } from 'vitest'
import { compareYaml } from './yaml-contains.ts'

const planned = { models: [{ name: 'a', columns: [{ name: 'b', data_tests: ['unique'] }] }] }

test('accepts additions to the plan', () => {
  const text =
    'models:\n  - name: a\n    docs: {show: true}\n    columns:\n      - {name: b, data_tests: [unique]}\n'
  expect(compareYaml(text, planned)).toBeUndefined()
})

test.each([
  ['models: []', 'models should have 1 entries, but has 0'],
  ['models: [{name: a}]', 'models[0].columns should have 1 entries, but has none'],
  ['models: [{name: c, columns: []}]', 'models[0].name should be "a", but is "c"'],
  [
    'models: [{name: a, columns: [{name: b, data_tests: [not_null]}]}]',
    'models[0].columns[0].data_tests[0] should be "unique", but is "not_null"',
  ],
  ['models: [', 'it is not valid YAML'],
  ['- a', 'models should have 1 entries, but has none'],
])('reports the fault of %s', (text, fault) => {
  expect(compareYaml(text, planned)).toContain(fault)
})
