import type { Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { compareTables, retainColumns, retainObservation } from './table-drift.ts'

/** `id integer`, one column per text. */
function table(...columns: readonly string[]): Table {
  return {
    columns: columns.map((text) => {
      const [name = '', type = ''] = text.split(' ')
      return { name, type }
    }),
  }
}

test('finds what was added, removed and retyped', () => {
  const drifts = compareTables(
    table('id integer', 'note text', 'amount numeric'),
    table('id bigint', 'amount numeric', 'tax numeric'),
  )
  expect(drifts).toEqual([
    { kind: 'retyped', column: 'id', before: 'integer', after: 'bigint' },
    { kind: 'added', column: 'tax', before: undefined, after: 'numeric' },
    { kind: 'removed', column: 'note', before: 'text', after: undefined },
  ])
})

test('takes a column of the same type in the same place for a renamed one', () => {
  const before = table('id integer', 'amt numeric', 'at date')
  expect(compareTables(before, table('id integer', 'amount numeric', 'at date'))).toEqual([
    { kind: 'renamed', column: 'amount', before: 'amt', after: 'amount' },
  ])
  const kinds = (after: Table): readonly string[] => compareTables(before, after).map(({ kind }) => kind)
  expect(kinds(table('id integer', 'amount text', 'at date'))).toEqual(['added', 'removed'])
  expect(kinds(table('id integer', 'at date', 'amount numeric'))).toEqual(['added', 'removed'])
  expect(kinds(table('id integer', 'a numeric', 'b numeric', 'at date'))).toEqual([
    'added',
    'added',
    'removed',
  ])
})

test('takes a last column for a renamed one only if more speaks for it, because new ones come last too', () => {
  const before = table('id integer', 'amount numeric')
  const kinds = (after: Table): readonly string[] => compareTables(before, after).map(({ kind }) => kind)
  expect(kinds(table('id integer', 'tax numeric'))).toEqual(['added', 'removed'])
  expect(kinds(table('id integer', 'amountUsd numeric'))).toEqual(['renamed'])
  const said = (name: string): Table => ({ columns: [{ name, type: 'numeric', comment: 'What was paid' }] })
  expect(compareTables(said('a1'), said('b2')).map(({ kind }) => kind)).toEqual(['renamed'])
})

test('finds what is said about columns and the table', () => {
  const before: Table = { columns: [{ name: 'id', type: 'integer' }], primaryKey: ['id'], comment: 'Orders' }
  const after: Table = {
    columns: [{ name: 'id', type: 'integer', nullable: false, comment: 'Key', values: [1, 2] }],
    uniqueKeys: [['id']],
    foreignKeys: [{ columns: ['id'], references: { table: { schema: 'a', name: 'b' }, columns: ['x'] } }],
  }
  expect(compareTables(before, after)).toEqual([
    { kind: 'nullability', column: 'id', before: 'null', after: 'not null' },
    { kind: 'comment', column: 'id', before: undefined, after: 'Key' },
    { kind: 'values', column: 'id', before: undefined, after: '1, 2' },
    { kind: 'comment', column: undefined, before: 'Orders', after: undefined },
    {
      kind: 'key',
      column: undefined,
      before: 'primary key (id)',
      after: 'unique (id); (id) references a.b (x)',
    },
  ])
  expect(compareTables(after, after)).toEqual([])
})

test('retains columns that are gone in their places', () => {
  const before = table('a text', 'b text', 'c text', 'd text')
  const after = table('b text', 'x date', 'd text')
  expect(retainColumns(before, after).columns.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'x', 'd'])
  expect(retainColumns(after, after)).toBe(after)
})

test('what the rows keep stands where a reading of them puts it, byte for byte', () => {
  const plain = { name: 'a', columns: [{ name: 'id', type: 'integer' }], dialect: 'duckdb' } as const
  const { dialect, ...table } = plain
  const before = { ...table, observed: { rows: 5, key: { columns: ['id'], confidence: 0.9 } }, dialect }
  expect(JSON.stringify(retainObservation(before, plain))).toBe(JSON.stringify(before))
})
