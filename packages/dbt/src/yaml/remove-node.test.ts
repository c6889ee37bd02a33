import { expect, test } from 'vitest'
import { editYaml } from './edit-yaml.ts'
import type { YamlEdit } from './yaml-edit.ts'

function edit(text: string, ...edits: readonly YamlEdit[]): string {
  return editYaml({ path: 'models.yml', text }, edits).text
}

const FIRST: Readonly<Record<string, readonly [list: string, rest: string]>> = {
  'a blank line': ['  - name: a\n    meta: {x: 1}\n\n', '  - name: b\n\n  - name: c\n'],
  'blank lines of other systems': ['  - name: a\r\n\r\n  \r\n', '  - name: b\r\n'],
  'a comment of the next item': ['  - name: a\n\n', '  # of b\n\n  - name: b\n'],
  'text that keeps its blank lines': ['  - name: a\n    description: |+\n      x\n\n', '  - name: b\n'],
}

test.each(Object.entries(FIRST))('the first item of a list goes with what separates it: %s', (_, list) => {
  const head = list[0].includes('\r') ? 'models:\r\n' : 'models:\n'
  const removal: YamlEdit = { kind: 'remove-entry', owner: { list: 'models', name: 'a' } }
  expect(edit(head + list.join(''), removal)).toBe(head + list[1])
})

test('the first table, column and test of a list go with the blank line behind them', () => {
  const removals: readonly YamlEdit[] = [
    { kind: 'remove-entry', owner: { list: 'sources', name: 'shop', table: 'a' } },
    { kind: 'remove-column', owner: { list: 'sources', name: 'shop', table: 'b' }, column: 'x' },
    {
      kind: 'remove-tests',
      owner: { list: 'sources', name: 'shop', table: 'b' },
      column: 'y',
      tests: ['unique'],
    },
  ]
  const text = `sources:
  - name: shop
    tables:
      - name: a

      - name: b
        columns:
          - name: x

          - name: y
            data_tests:
              - unique

              - not_null
`
  expect(edit(text, ...removals)).toBe(`sources:
  - name: shop
    tables:
      - name: b
        columns:
          - name: y
            data_tests:
              - not_null
`)
})
