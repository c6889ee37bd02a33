import { expect, test } from 'vitest'
import { assembleTables } from '../warehouse/assemble-tables.ts'
import { fromShown, showPage } from './show.ts'
import { schemaStatement, statements } from './statements.ts'
import { MOST_SHOWN, toTables } from './to-tables.ts'

const options = { dialect: 'snowflake', database: 'RAW' } as const

/** Cells as clients give the results of SHOW, whose headers the documentation lists. */
const key = (table: string, column: string, sequence: number, name: string) => ({
  created_on: '2024-01-01',
  database_name: 'RAW',
  schema_name: 'SHOP',
  table_name: table,
  column_name: column,
  key_sequence: String(sequence),
  constraint_name: name,
  rely: 'false',
})

const RESULTS = {
  tables: [
    {
      TABLE_SCHEMA: 'SHOP',
      TABLE_NAME: 'LINES',
      TABLE_TYPE: 'BASE TABLE',
      ROW_COUNT: 7,
      BYTE_COUNT: 1024,
      LAST_CHANGED: '2024-02-29T00:00:00Z',
    },
    { TABLE_SCHEMA: 'SHOP', TABLE_NAME: 'v', TABLE_TYPE: 'VIEW', TABLE_COMMENT: '' },
  ],
  columns: [
    {
      TABLE_SCHEMA: 'SHOP',
      TABLE_NAME: 'LINES',
      COLUMN_NAME: 'PART',
      ORDINAL_POSITION: 2,
      DATA_TYPE: 'VECTOR',
      IS_NULLABLE: 'YES',
    },
    {
      TABLE_SCHEMA: 'SHOP',
      TABLE_NAME: 'LINES',
      COLUMN_NAME: 'ID',
      ORDINAL_POSITION: 1,
      DATA_TYPE: 'NUMBER(38,0)',
      IS_NULLABLE: 'NO',
    },
  ],
  primary_keys: [key('LINES', 'PART', 2, 'P'), key('LINES', 'ID', 1, 'P')],
  unique_keys: [key('LINES', 'ID', 1, 'U')],
  imported_keys: [
    {
      pk_database_name: 'RAW',
      pk_schema_name: 'CRM',
      pk_table_name: 'PARTS',
      pk_column_name: 'NO',
      fk_database_name: 'RAW',
      fk_schema_name: 'SHOP',
      fk_table_name: 'LINES',
      fk_column_name: 'PART',
      key_sequence: '1',
      fk_name: 'F',
      pk_name: 'P2',
    },
  ],
}

test('reads rows of information_schema and of SHOW', () => {
  expect(assembleTables(toTables(RESULTS), options)).toEqual([
    {
      database: 'RAW',
      schema: 'SHOP',
      name: 'LINES',
      kind: 'table',
      columns: [
        { name: 'ID', type: 'NUMBER(38,0)', nullable: false },
        { name: 'PART', type: 'VECTOR' },
      ],
      primaryKey: ['ID', 'PART'],
      uniqueKeys: [['ID']],
      foreignKeys: [
        { columns: ['PART'], references: { table: { schema: 'CRM', name: 'PARTS' }, columns: ['NO'] } },
      ],
    },
    { database: 'RAW', schema: 'SHOP', name: 'v', kind: 'view', columns: [] },
  ])
  expect(toTables(RESULTS).sizes?.[0]).toMatchObject({ rows: '7', bytes: '1024' })
})

test('reads them with headers in upper case, too', () => {
  const upper = (rows: readonly object[]) =>
    rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, cell]) => [name.toUpperCase(), cell as unknown])),
    )
  const { imported_keys, primary_keys, unique_keys } = RESULTS
  const shown = {
    imported_keys: upper(imported_keys),
    primary_keys: upper(primary_keys),
    unique_keys: upper(unique_keys),
  }
  expect(assembleTables(toTables({ ...RESULTS, ...shown }), options)).toEqual(
    assembleTables(toTables(RESULTS), options),
  )
})

test('drops the last key of a truncated list, with a warning', () => {
  const primary_keys = Array.from({ length: MOST_SHOWN }, (_, index) =>
    key(`T${index}`, 'ID', 1, `P${index}`),
  )
  const rows = toTables({ primary_keys })
  expect(rows.keys).toHaveLength(MOST_SHOWN - 1)
  expect(rows.warnings?.map(({ message }) => message)).toEqual([
    'Snowflake lists at most 10000 columns of primary keys, and the schema may have more: some keys may be missing',
  ])
})

test('binds the schema, quotes the database, and names tables if there are few', () => {
  const [tables, , primary] = statements({ database: 'a"b', schema: 's"', tables: ['x', "y'"] })
  expect(tables).toMatchObject({ values: ['s"', 'x', "y'"] })
  expect(tables?.text).toMatch(
    /from "a""b"\.information_schema\.tables as t\nwhere t\.table_schema = \?\n {2}and t\.table_name in \(\?, \?\)$/,
  )
  expect(primary).toMatchObject({ text: 'show primary keys in schema "a""b"."s"""', values: [] })
  expect(statements({ schema: 's', tables: Array.from({ length: 501 }, String) })[0]?.values).toEqual(['s'])
  expect(schemaStatement('a"b').text).toContain('from "a""b".information_schema.schemata')
})

test('reads types and positions from SHOW COLUMNS', () => {
  const column = (name: string, type: object, isNullable: string) => ({
    table_name: 'T',
    schema_name: 'S',
    column_name: name,
    data_type: JSON.stringify({ ...type, nullable: true }),
    'null?': isNullable,
    default: '',
    comment: 'c',
  })
  const rows = fromShown('columns', [
    column('A', { type: 'FIXED', precision: 12, scale: 2 }, 'NOT_NULL'),
    column('B', { type: 'TEXT', length: 16_777_216 }, 'true'),
    column('C', { type: 'TEXT', length: 20 }, 'false'),
    column('D', { type: 'TIMESTAMP_NTZ', precision: 0, scale: 3 }, 'true'),
    column('E', { type: 'REAL' }, 'true'),
    column('F', { type: 'VARIANT' }, 'true'),
  ])
  expect(assembleTables(toTables({ columns: rows }), options)[0]?.columns).toEqual([
    { name: 'A', type: 'NUMBER(12,2)', nullable: false, comment: 'c' },
    { name: 'B', type: 'VARCHAR', comment: 'c' },
    { name: 'C', type: 'VARCHAR(20)', nullable: false, comment: 'c' },
    { name: 'D', type: 'TIMESTAMP_NTZ(3)', comment: 'c' },
    { name: 'E', type: 'FLOAT', comment: 'c' },
    { name: 'F', type: 'VARIANT', comment: 'c' },
  ])
})

test('starts a page of SHOW after the last name', () => {
  expect(showPage('show objects', undefined)).toBe('show objects limit 10000')
  expect(showPage('show objects', "it's")).toBe("show objects limit 10000 from 'it''s'")
})
