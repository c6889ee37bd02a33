import { expect, test } from 'vitest'
import { assembleTables } from './assemble-tables.ts'
import { standardTables } from './standard-tables.ts'

const place = (table: string) => ({ TABLE_SCHEMA: 'S', TABLE_NAME: table })

test('reads rows in any order, with headers in any case, and text for numbers and booleans', () => {
  const rows = standardTables({
    tables: [
      { ...place('T'), TABLE_TYPE: 'BASE TABLE', TABLE_COMMENT: 'All', ROW_COUNT: '12', BYTE_COUNT: 0 },
      { ...place('V'), TABLE_TYPE: 'MATERIALIZED VIEW', TABLE_COMMENT: '' },
      { ...place('E'), TABLE_TYPE: 'EXTERNAL TABLE', LAST_CHANGED: new Date(0) },
    ],
    columns: [
      { ...place('T'), COLUMN_NAME: 'B', ORDINAL_POSITION: '10', DATA_TYPE: 'TEXT', IS_NULLABLE: 'YES' },
      {
        ...place('T'),
        COLUMN_NAME: 'A',
        ORDINAL_POSITION: '9',
        DATA_TYPE: 'NUMBER(38,0)',
        IS_NULLABLE: 'NO',
      },
      { ...place('V'), column_name: 'a', data_type: 'DATE', is_nullable: false, is_hidden: 1 },
      { ...place('X'), column_name: 'a', data_type: 'DATE' },
    ],
    keys: [
      {
        ...place('T'),
        CONSTRAINT_NAME: 'f',
        CONSTRAINT_TYPE: 'FOREIGN KEY',
        COLUMN_NAME: 'B',
        REFERENCED_TABLE: 'V',
        REFERENCED_COLUMN: 'a',
      },
      {
        ...place('T'),
        CONSTRAINT_NAME: 'p',
        CONSTRAINT_TYPE: 'PRIMARY KEY',
        COLUMN_NAME: 'A',
        ORDINAL_POSITION: 2,
      },
      {
        ...place('T'),
        CONSTRAINT_NAME: 'p',
        CONSTRAINT_TYPE: 'PRIMARY KEY',
        COLUMN_NAME: 'B',
        ORDINAL_POSITION: 1,
      },
      { ...place('T'), CONSTRAINT_NAME: 'u', CONSTRAINT_TYPE: 'UNIQUE', COLUMN_NAME: 'A' },
      { ...place('T'), CONSTRAINT_NAME: 'c', CONSTRAINT_TYPE: 'CHECK', COLUMN_NAME: 'A' },
    ],
  })
  expect(assembleTables(rows, { dialect: 'snowflake', database: 'D' })).toEqual([
    { database: 'D', schema: 'S', name: 'E', kind: 'external', columns: [] },
    {
      database: 'D',
      schema: 'S',
      name: 'T',
      kind: 'table',
      comment: 'All',
      columns: [
        { name: 'A', type: 'NUMBER(38,0)', nullable: false },
        { name: 'B', type: 'TEXT' },
      ],
      primaryKey: ['B', 'A'],
      uniqueKeys: [['A']],
      foreignKeys: [{ columns: ['B'], references: { table: { schema: 'S', name: 'V' }, columns: ['a'] } }],
    },
    {
      database: 'D',
      schema: 'S',
      name: 'V',
      kind: 'view',
      columns: [{ name: 'a', type: 'DATE', nullable: false, hidden: true }],
    },
    { database: 'D', schema: 'S', name: 'X', kind: 'table', columns: [{ name: 'a', type: 'DATE' }] },
  ])
  expect(rows.sizes).toEqual([
    { schema: 'S', table: 'T', rows: '12', bytes: '0' },
    { schema: 'S', table: 'V' },
    { schema: 'S', table: 'E', version: '1970-01-01T00:00:00.000Z', changedAt: '1970-01-01T00:00:00.000Z' },
  ])
})

test('skips temporary relations of dbt, and reports how many', () => {
  const { tables, warnings } = standardTables({
    tables: [place('ORDERS'), place('ORDERS__DBT_TMP'), place('orders__dbt_backup')],
  })
  expect(tables.map(({ table }) => table)).toEqual(['ORDERS'])
  expect(warnings).toMatchObject([{ message: expect.stringMatching(/^2 temporary tables/) as string }])
})
