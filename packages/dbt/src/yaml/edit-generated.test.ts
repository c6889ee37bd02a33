import { parse } from 'yaml'
import { expect, test } from 'vitest'
import { editEntries } from './edit-generated.ts'
import { editYaml } from './edit-yaml.ts'
import type { YamlEdit, YamlEntry } from './yaml-edit.ts'

const TEXT = `version: 2

models:
  - name: orders
    description: |
      One row per order.

      - name: customers
    columns:
      - name: id
        description: 'Primary key: of the shop.'
        data_tests:
          - unique
          - not_null
      - name: amount
        description: What was paid.

  # those who pay
  - name: customers
    description: One row per customer.
    columns:
      - name: id

  - name: bills
    columns:
      - name: id
        data_tests: [unique]

  - name: refunds
    columns:
      - name: id
        data_tests:
          - unique
          - not_null

      - name: state
        description: As it is.
        data_tests:
          - accepted_values:
              arguments:
                values:
                  - a
    config:
      enabled: true

snapshots:
  - name: orders_snapshot
    description: Orders as they were.
`

function entryOf(name: string): YamlEntry {
  const { models, snapshots } = parse(TEXT) as Record<string, (YamlEntry & { readonly name: string })[]>
  const entry = [...(models ?? []), ...(snapshots ?? [])].find((one) => one.name === name)
  if (!entry) throw new Error(`there is no ${name}`)
  return entry
}

const owner = (name: string) => ({ list: 'models', name }) as const

const EDITS: Readonly<Record<string, readonly YamlEdit[]>> = {
  orders: [
    {
      kind: 'set-property',
      owner: owner('orders'),
      column: 'id',
      key: 'name',
      value: 'order_no',
      replaces: 'id',
    },
    { kind: 'remove-tests', owner: owner('orders'), column: 'order_no', tests: ['unique', 'not_null'] },
    { kind: 'remove-column', owner: owner('orders'), column: 'amount' },
  ],
  customers: [
    {
      kind: 'remove-property',
      owner: owner('customers'),
      key: 'description',
      expected: 'One row per customer.',
    },
  ],
  bills: [{ kind: 'remove-tests', owner: owner('bills'), column: 'id', tests: ['unique'] }],
  refunds: [
    { kind: 'remove-tests', owner: owner('refunds'), column: 'id', tests: ['unique'] },
    {
      kind: 'remove-property',
      owner: owner('refunds'),
      column: 'state',
      key: 'description',
      expected: 'As it is.',
    },
    {
      kind: 'remove-tests',
      owner: owner('refunds'),
      column: 'state',
      tests: [{ accepted_values: { arguments: { values: ['a'] } } }],
    },
  ],
  orders_snapshot: [
    {
      kind: 'set-property',
      owner: { list: 'snapshots', name: 'orders_snapshot' },
      key: 'description',
      value: 'As they were.',
      replaces: 'Orders as they were.',
    },
  ],
}

test('edits entries by themselves as it would in the whole text', () => {
  const path = 'models.yml'
  for (const name of Object.keys(EDITS)) {
    const edits = EDITS[name] ?? []
    const whole = editYaml({ path, text: TEXT }, edits).text
    expect(editEntries({ path, text: TEXT }, [{ entry: entryOf(name), edits }])).toBe(whole)
    expect(whole).not.toBe(TEXT)
  }
  const all = Object.entries(EDITS).map(([name, edits]) => ({ entry: entryOf(name), edits }))
  expect(editEntries({ path, text: TEXT }, all)).toBe(
    editYaml({ path, text: TEXT }, Object.values(EDITS).flat()).text,
  )
})

test('edits the whole text where an entry cannot be cut out as it is', () => {
  const path = 'models.yml'
  const edits = EDITS['customers'] ?? []
  const expected = editYaml({ path, text: TEXT }, edits).text
  const other = { ...entryOf('customers'), description: 'Another one.' }
  expect(editEntries({ path, text: TEXT }, [{ entry: other, edits }])).toBe(expected)
  const twice = TEXT.replace('- name: bills', '- name: customers')
  expect(editEntries({ path, text: twice }, [{ entry: entryOf('customers'), edits }])).toBe(
    editYaml({ path, text: twice }, edits).text,
  )
})
