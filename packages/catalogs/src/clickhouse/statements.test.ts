import { expect, test } from 'vitest'
import { sqlFault } from '../../../../test/oracle.ts'
import { inlineValues } from '../warehouse/statement.ts'
import { SCHEMAS, statements } from './statements.ts'

const AWFUL = String.raw`it's \ "a" ? {x:String} -- /*`

test('three statements describe a database, and name tables only if there are few', () => {
  const named = statements({ schema: 'raw', tables: ['a', 'b'] })
  expect(named.map(({ name, optional, onlySizes }) => [name, optional, onlySizes])).toEqual([
    ['tables', undefined, undefined],
    ['columns', undefined, undefined],
    ['parts', true, true],
  ])
  for (const { text, values } of named) {
    expect(values).toEqual(['raw', 'a', 'b'])
    expect(text).toMatch(/ in \(\?, \?\)/)
  }
  const many = Array.from({ length: 501 }, (_, at) => `t${at}`)
  expect(statements({ schema: 'raw', tables: many }).map(({ values }) => values)).toEqual([
    ['raw'],
    ['raw'],
    ['raw'],
  ])
})

test('the statements are the recorded ones', () => {
  expect(
    [SCHEMAS, ...statements({ schema: AWFUL })].map((one) => inlineValues(one, 'clickhouse')).join(';\n\n'),
  ).toMatchInlineSnapshot(`
    "select name as schema_name from system.databases;

    select database as table_schema, name as table_name, engine as table_type, comment as table_comment,
      total_rows as row_count, total_bytes as byte_count, null as last_changed, partition_key, sorting_key as sort_key,
      if(endsWith(engine, 'MergeTree') and position(create_table_query, ' CHECK ') > 0, create_table_query, '') as definition
    from system.tables
    where database = 'it''s \\\\ "a" ? {x:String} -- /*' and not startsWith(name, '.inner') and not is_temporary;

    select database as table_schema, table as table_name, name as column_name, position as ordinal_position,
      type as data_type, startsWith(type, 'Nullable(') as is_nullable, comment as column_comment,
      if(default_kind = 'DEFAULT', default_expression, null) as column_default,
      default_kind in ('MATERIALIZED', 'ALIAS') as is_hidden
    from system.columns
    where database = 'it''s \\\\ "a" ? {x:String} -- /*' and not startsWith(table, '.inner') and default_kind <> 'EPHEMERAL';

    select database as table_schema, table as table_name,
      toString(groupBitXor(cityHash64(name, hash_of_all_files, modification_time))) as last_changed,
      concat(toString(max(modification_time), 'UTC'), 'Z') as changed_at
    from system.parts
    where database = 'it''s \\\\ "a" ? {x:String} -- /*' and active
    group by database, table"
  `)
})

test('a parser reads them, even with unusual names', async () => {
  const all = [
    SCHEMAS,
    ...statements({ schema: AWFUL }),
    ...statements({ schema: 'x', tables: [AWFUL, 'b'] }),
  ]
  const faults = await Promise.all(all.map((one) => sqlFault(inlineValues(one, 'clickhouse'), 'clickhouse')))
  expect(faults).toEqual(all.map(() => undefined))
  for (const { text, values } of all) expect(text.split('?').length - 1).toBe(values.length)
})
