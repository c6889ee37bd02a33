import { expect, test } from 'vitest'
import { readProperties } from '../project/properties-facts.ts'
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
      '# - name: gone\n',
      `# - name: gone
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

test('an entry before the first one leaves the comments of that one with it', () => {
  const rest = `  # Ask Mei about refunds.
  # She wrote it.
  - name: stg_shop__orders
    description: Orders.

  - name: stg_shop__returns
`
  const head = '# of the file\nmodels:\n'
  const added: YamlEdit = { kind: 'add-entry', list: 'models', entry: { name: 'stg_shop__customers' } }
  expect(edit(head + rest, added).text).toBe(`${head}  - name: stg_shop__customers\n\n${rest}`)
})

test('a generated test is removed whatever the order of its arguments', () => {
  const text = `models:
  - name: stg_shop__orders
    columns:
      - name: customer_id
        data_tests:
          - relationships:
              arguments:
                to: ref('stg_shop__customers')
                field: id
`
  const tests = [{ relationships: { arguments: { field: 'id', to: "ref('stg_shop__customers')" } } }]
  const removed: YamlEdit = { kind: 'remove-tests', owner: ORDERS, column: 'customer_id', tests }
  expect(edit(text, removed).text).not.toContain('relationships')
})

test('adds behind the comments of a list, and before those of what follows', () => {
  const added: YamlEdit = { kind: 'add-column', owner: ORDERS, column: { name: 'b' } }
  const before = `models:
- name: stg_shop__orders
  columns:
  - name: a
  # of the config
  config:
    enabled: true
# of the next
- name: other
`
  expect(edit(before, added).text).toBe(before.replace('- name: a\n', '- name: a\n  - name: b\n'))
  const last = `models:
  - name: stg_shop__orders
    columns:
      - name: a
        # tests: [unique]
      # the rest is not described

      # a remark of its own
`
  expect(edit(last, added).text).toBe(last.replace('described\n', 'described\n      - name: b\n'))
  const end = last.slice(0, last.indexOf(' described') + ' described'.length)
  expect(edit(end, added).text).toBe(`${end}\n      - name: b`)
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

test.each([
  ['an empty file', '', ['a', 'b', 'key'], 'a:\n  b:\n    key: 1\n'],
  ['a comment alone', '# mine\n', ['a', 'key'], '# mine\na:\n  key: 1\n'],
  [
    'a map on the way',
    'a:\r\n    b: 2 # two\r\nz: 1',
    ['a', 'c'],
    'a:\r\n    b: 2 # two\r\n    c: 1\r\nz: 1',
  ],
  ['an empty value on the way', 'a:\n  b:\nz: 1\n', ['a', 'b', 'c'], 'a:\n  b:\n    c: 1\nz: 1\n'],
  [
    'an empty map',
    'a:\n  b: {} # b\nz: 1\n',
    ['a', 'b', 'c', 'd'],
    'a:\n  b: # b\n    c:\n      d: 1\nz: 1\n',
  ],
  ['a map in braces', 'a: {b: {x: 0}} # x\n', ['a', 'b', 'c', 'd'], 'a: {b: {x: 0, c: {d: 1}}} # x\n'],
])('sets a value in %s', (_, text, path, expected) => {
  const set: YamlEdit = { kind: 'set-value', path, value: 1 }
  const { outcomes, text: edited } = edit(text, set, set)
  expect({ edited, outcomes }).toEqual({
    edited: expected,
    outcomes: [{ status: 'done' }, { status: 'unneeded' }],
  })
})

test('keeps another value, and refuses to go through one', () => {
  const text = 'a: 1\nb:\n  - c\n'
  const { outcomes, text: edited } = edit(
    text,
    { kind: 'set-value', path: ['a'], value: 2 },
    { kind: 'set-value', path: ['a', 'b'], value: 2 },
    { kind: 'set-value', path: ['b', 'c'], value: 2 },
  )
  expect(edited).toBe(text)
  expect(outcomes.map(({ status }) => status)).toEqual(['kept', 'refused', 'refused'])
})

test.each([
  ['a block', 'name: a\n        description: Old.\n        tests: [x]', 'name: a\n        tests: [x]'],
  ['the last key', 'name: a\n        description: >-\n          Old.', 'name: a'],
  ['the first key', 'description: Old.\n        name: a', undefined],
  ['braces', '{name: a, description: Old., tests: [x]}', '{name: a, tests: [x]}'],
  ['the end of braces', '{name: a, description: "Old."}', '{name: a}'],
  ['the start of braces', '{description: Old., name: a}', '{name: a}'],
  ['a comment of a person', 'name: a\n        description: Old. # Mei', undefined],
  ['another text', 'name: a\n        description: New.', undefined],
])('removes a property as it was written from %s', (_, column, expected) => {
  const yaml = (text: string): string =>
    `models:\n  - name: stg_shop__orders\n    columns:\n      - ${text}\n      - name: b # mine\n`
  const removal: YamlEdit = {
    kind: 'remove-property',
    owner: ORDERS,
    column: 'a',
    key: 'description',
    expected: 'Old.',
  }
  const { outcomes, text } = edit(yaml(column), removal, removal)
  expect(text).toBe(yaml(expected ?? column))
  if (expected !== undefined) expect(outcomes).toEqual([{ status: 'done' }, { status: 'unneeded' }])
  else expect(outcomes[0]?.status).toBe('kept')
})

test('a list in brackets is broken where its line would be too long', () => {
  const text = 'sources:\n  - name: shop\n    tables: [{name: carts}, {name: orders}] # ours\n'
  const columns = ['id', 'placed_at', 'customer_id'].map((name) => ({ name, data_type: 'integer' }))
  const add = (name: string): YamlEdit => ({ kind: 'add-table', source: 'shop', table: { name, columns } })
  const all =
    '[{name: id, data_type: integer}, {name: placed_at, data_type: integer}, {name: customer_id, data_type: integer}]'
  expect(edit(text, { kind: 'add-table', source: 'shop', table: { name: 'tags' } }).text).toBe(
    text.replace('orders}]', 'orders}, {name: tags}]'),
  )
  expect(edit(text, add('tags'), add('users'), add('customers')).text).toBe(`sources:
  - name: shop
    tables: [{name: carts}, {name: customers, columns: ${all}},
             {name: orders},
             {name: tags, columns: ${all}},
             {name: users, columns: ${all}}] # ours
`)
})

test('refuses a text that is nested too deeply than can be read, with its reason', () => {
  const deep = `models:\n  - name: stg_shop__orders\n    meta: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`
  const removal: YamlEdit = { kind: 'remove-entry', owner: ORDERS }
  expect(edit(deep, removal)).toMatchObject({
    text: deep,
    outcomes: [{ status: 'refused', reason: expect.stringContaining('nested too deeply') as string }],
  })
  expect(readProperties(deep).fault?.reason).toBe('it is nested too deeply to be read; remove levels')
})

test('adds the tests that stand for nothing else beside one that a person changed', () => {
  const yaml = `models:
  - name: stg_shop__orders
    columns:
      - name: state
        data_tests: [{ accepted_values: { values: [a] } }]
`
  const tests = ['not_null', { accepted_values: { arguments: { values: ['b'] } } }]
  const { outcomes, text } = edit(yaml, { kind: 'add-tests', owner: ORDERS, column: 'state', tests })
  expect(outcomes).toMatchObject([{ status: 'kept' }])
  expect(text).toBe(yaml.replace('[a] } }]', '[a] } }, not_null]'))
})

test('a new table finds its place among the tables that are there, though others are taken away with it', () => {
  const text = 'sources:\n  - name: shop\n    tables:\n      - name: b\n      - name: c\n      - name: d\n'
  const edits: readonly YamlEdit[] = [
    { kind: 'remove-entry', owner: { list: 'sources', name: 'shop', table: 'c' } },
    { kind: 'add-table', source: 'shop', table: { name: 'a' } },
    { kind: 'remove-entry', owner: { list: 'sources', name: 'shop', table: 'd' } },
  ]
  expect(edit(text, ...edits).text).toBe(
    'sources:\n  - name: shop\n    tables:\n      - name: a\n      - name: b\n',
  )
})

test('a new list stands behind text that keeps its last blank lines', () => {
  const text = 'models:\n  - name: orders\n    description: |+\n      kept\n\n# the end\n'
  const { outcomes, text: edited } = edit(text, {
    kind: 'add-entry',
    list: 'seeds',
    entry: { name: 'rates' },
  })
  expect(outcomes).toEqual([{ status: 'done' }])
  expect(edited).toBe(text.replace('# the end', 'seeds:\n  - name: rates\n# the end'))
})
