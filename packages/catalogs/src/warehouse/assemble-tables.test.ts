import type { CatalogTable } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { assembleTables, groupForeignKeys, groupKeys, toSize } from './assemble-tables.ts'
import type { TableRows } from './warehouse.ts'

const options = { dialect: 'postgres', database: 'raw' } as const
const NOTHING: TableRows = { tables: [], columns: [], keys: [], foreignKeys: [], checks: [] }
const at = { schema: 's', table: 't' }
const column = { ...at, name: 'c', type: 'text', nullable: true }

const assemble = (rows: Partial<TableRows>): readonly CatalogTable[] =>
  assembleTables({ ...NOTHING, tables: [{ ...at, kind: 'table' }], ...rows }, options)

test('groups rows by table, sorted by name', () => {
  const tables = [
    { schema: 'b', table: 'x', kind: 'view' as const, comment: 'why' },
    { schema: 'a', table: 'y', kind: 'table' as const, comment: null },
    { schema: 'a', table: 'B', kind: 'external' as const, location: 'read_csv()' },
  ]
  const columns = tables.map(({ schema, table }) => ({ ...column, schema, table, name: `${schema}${table}` }))
  expect(assembleTables({ ...NOTHING, tables, columns }, { ...options, database: undefined })).toEqual([
    {
      schema: 'a',
      name: 'B',
      kind: 'external',
      columns: [{ name: 'aB', type: 'text' }],
      location: 'read_csv()',
    },
    { schema: 'a', name: 'y', kind: 'table', columns: [{ name: 'ay', type: 'text' }] },
    { schema: 'b', name: 'x', kind: 'view', comment: 'why', columns: [{ name: 'bx', type: 'text' }] },
  ])
})

test('leaves out empty parts', () => {
  const rows = [{ ...column, comment: '', default: null, values: null }]
  expect(assemble({ columns: rows })).toEqual([
    { database: 'raw', schema: 's', name: 't', kind: 'table', columns: [{ name: 'c', type: 'text' }] },
  ])
})

test('returns each key once', () => {
  const key = (kind: 'primary' | 'unique', ...columns: string[]): TableRows['keys'][number] => ({
    ...at,
    kind,
    columns,
  })
  const keys = [key('primary', 'a', 'b'), key('unique', 'c'), key('unique', 'c'), key('unique', 'a', 'b')]
  const [table] = assemble({ keys })
  expect([table?.primaryKey, table?.uniqueKeys]).toEqual([['a', 'b'], [['c']]])
})

test('keeps the values that are in every list', () => {
  const check = (expression: string, of?: string): TableRows['checks'][number] => ({
    ...at,
    expression,
    column: of ?? null,
  })
  const values = (row: object, ...checks: TableRows['checks']): unknown =>
    assemble({ columns: [{ ...column, ...row }], checks })[0]?.columns[0]?.values
  expect(values({ values: ['a', 'b'] })).toEqual(['a', 'b'])
  expect(values({ values: ['a', 'b'] }, check("c in ('b', 'x')"))).toEqual(['b'])
  expect(values({}, check("C in ('a', 'b')"), check("c in ('b')"))).toEqual(['b'])
  expect(values({}, check("VALUE in ('a')", 'c'))).toEqual(['a'])
  expect(values({}, check("other in ('a')"))).toBeUndefined()
  expect(values({}, check("c in ('a')"), check("c in ('b')"))).toBeUndefined()
})

test('groups the columns of keys, and drops keys over expressions', () => {
  const row = (key: string, name: string | null): Parameters<typeof groupKeys>[0][number] => ({
    ...at,
    key,
    kind: 'unique',
    column: name,
  })
  expect(groupKeys([row('k', 'b'), row('k', 'a'), row('e', 'a'), row('e', null)])).toEqual([
    { ...at, kind: 'unique', columns: ['b', 'a'] },
  ])
})

test('groups the columns of foreign keys, and drops keys without a target', () => {
  const row = (
    key: string,
    name: string,
    toColumn: string | null,
  ): Parameters<typeof groupForeignKeys>[0][number] => ({
    ...at,
    key,
    column: name,
    toSchema: 's',
    toTable: 'u',
    toColumn,
  })
  expect(groupForeignKeys([row('k', 'b', 'y'), row('k', 'a', 'x'), row('n', 'a', null)])).toEqual([
    { ...at, columns: ['b', 'a'], references: { schema: 's', table: 'u', columns: ['y', 'x'] } },
  ])
})

test.each([
  [1_769_900_000_000, '2026-01-31T22:53:20.000Z'],
  ['1769900000000', '2026-01-31T22:53:20.000Z'],
  ['2026-01-31T22:53:20.5Z', '2026-01-31T22:53:20.500Z'],
  ['2026-01-31 14:53:20.123 -0800', '2026-01-31T22:53:20.123Z'],
  ['2026-01-31 22:53:20', undefined],
  ['2026-02-31 25:00:00Z', undefined],
  ['2 1769900000000 15', undefined],
  ['an id of a version', undefined],
  [null, undefined],
])('reads the time of the last change %j', (changedAt, expected) => {
  expect(toSize({ schema: 's', table: 't', changedAt }).changedAt).toBe(expected)
})
