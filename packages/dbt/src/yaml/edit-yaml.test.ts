import { expect, test } from 'vitest'
import { editYaml } from './edit-yaml.ts'
import type { YamlEdit } from './yaml-edit.ts'

const PATH = 'models/_shop__models.yml'

function edit(text: string, ...edits: readonly YamlEdit[]) {
  return editYaml({ path: PATH, text }, edits)
}

const ORDERS = { list: 'models', name: 'stg_shop__orders' } as const

test('adds a column behind the last one and leaves every comment where it is', () => {
  const text = `version: 2

models:
- name: stg_shop__orders   # the orders
  columns:
    - name: order_id
      tests: [unique, not_null]  # the key
    # - name: gone

- name: other
`
  const added: YamlEdit = {
    kind: 'add-column',
    owner: ORDERS,
    column: {
      name: 'on',
      description: 'Who: what',
      data_tests: ['not_null', { accepted_values: { values: ['a'] } }],
    },
  }
  const { outcomes, text: edited } = edit(text, added, added)
  expect(outcomes).toEqual([{ status: 'done' }, { status: 'unneeded' }])
  expect(edited).toBe(
    text.replace(
      '# the key\n',
      `# the key
    - name: "on"
      description: "Who: what"
      data_tests:
      - not_null
      - accepted_values:
          values:
          - a
`,
    ),
  )
})

test('keeps a generated test in which a person wrote a comment', () => {
  const test = { accepted_values: { arguments: { values: ['a', 'b # c'] } } }
  const yaml = (comment: string): string => `models:
  - name: stg_shop__orders
    columns:
      - name: state
        data_tests:
          - not_null
          - accepted_values:
              arguments:
                values:
                  - a${comment}
                  - 'b # c'
`
  const removal: YamlEdit = { kind: 'remove-tests', owner: ORDERS, column: 'state', tests: [test] }
  const commented = yaml(' # agreed with finance')
  expect(edit(commented, removal)).toMatchObject({ text: commented, outcomes: [{ status: 'kept' }] })
  expect(edit(yaml(''), removal).text).not.toContain('accepted_values')
})
