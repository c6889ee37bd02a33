import { expect, test } from 'vitest'
import { DIALECTS } from '@stagecraft/dialects'
import { loadSqlCheck } from '../../../core/src/verify/sql-parser.ts'
import { sqlFault } from '../../../../test/oracle.ts'
import { inlineValues } from '../warehouse/statement.ts'
import { schemasOf, statements } from './statements.ts'

const AWFUL = String.raw`it's \ "a" ? -- /*`

test('three statements describe a schema, and name tables only if there are few', () => {
  const place = { database: 'hive', schema: 'raw' }
  expect(
    statements({ ...place, tables: ['a', 'b'] }).map(({ name, optional, values }) => [
      name,
      optional,
      values,
    ]),
  ).toEqual([
    ['tables', undefined, ['raw', 'a', 'b']],
    ['columns', undefined, ['raw', 'a', 'b']],
    ['comments', true, ['hive', 'raw', 'a', 'b']],
  ])
  const many = Array.from({ length: 51 }, (_, at) => `t${at}`)
  expect(statements({ ...place, tables: many }).map(({ values }) => values.length)).toEqual([1, 1, 2])
})

test('the statements are the recorded ones', () => {
  const all = [schemasOf('hive'), ...statements({ database: AWFUL, schema: AWFUL })]
  expect(all.map((one) => inlineValues(one, 'trino')).join(';\n\n')).toMatchInlineSnapshot(`
    "select schema_name from "hive".information_schema.schemata;

    select table_schema, table_name, table_type
    from "it's \\ ""a"" ? -- /*".information_schema.tables
    where table_schema = 'it''s \\ "a" ? -- /*';

    select table_schema, table_name, column_name, ordinal_position, data_type, is_nullable, column_default,
      comment as column_comment, false as is_hidden, extra_info
    from "it's \\ ""a"" ? -- /*".information_schema.columns
    where table_schema = 'it''s \\ "a" ? -- /*';

    select schema_name as table_schema, table_name, comment as table_comment
    from system.metadata.table_comments
    where catalog_name = 'it''s \\ "a" ? -- /*' and schema_name = 'it''s \\ "a" ? -- /*'"
  `)
})

test('a parser reads them, even with unusual names', async () => {
  const place = { database: AWFUL, schema: AWFUL, tables: [AWFUL, 'b'] }
  const all = [schemasOf(AWFUL), ...statements(place)]
  const faults = await Promise.all(all.map((one) => sqlFault(inlineValues(one, 'trino'), 'trino')))
  expect(faults).toEqual(all.map(() => undefined))
})

test('a second parser reads them', async () => {
  const check = await loadSqlCheck(DIALECTS.trino)
  const all = [schemasOf('hive'), ...statements({ database: 'hive', schema: "it's", tables: ['a', 'b'] })]
  expect(check).toBeDefined()
  expect(all.map((one) => check?.(inlineValues(one, 'trino')))).toEqual(all.map(() => undefined))
})
