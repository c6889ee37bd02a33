import type { BigqueryAnswer } from './fake-bigquery.ts'

const COLUMNS = [
  'table_schema',
  'table_name',
  'column_name',
  'field_path',
  'ordinal_position',
  'data_type',
  'is_nullable',
  'column_default',
]

/** A column by its path, behind which the fields of structs stand. */
const column = (table: string, path: string, position: number, type: string) => [
  'web',
  table,
  path.split('.')[0] ?? '',
  path,
  String(position),
  type,
  'YES',
  'NULL',
]

/** A dataset with a table of shards, a table with a struct, a view, and a table that nobody may read. */
export const WEB: readonly BigqueryAnswer[] = [
  {
    when: /\nfrom \S+\.TABLES`? t/,
    fields: ['table_schema', 'table_name', 'table_type', 'table_comment', 'partition_key'],
    rows: [
      ['web', 'events_20260130', 'BASE TABLE', null, null],
      ['web', 'events_20260131', 'BASE TABLE', '"Of one day"', null],
      ['web', 'secrets', 'BASE TABLE', null, null],
      ['web', 'users', 'BASE TABLE', null, 'day'],
      ['web', 'totals', 'VIEW', null, null],
    ],
  },
  {
    when: /\nfrom \S+\.COLUMNS`? c/,
    fields: COLUMNS,
    rows: [
      column('events_20260131', 'event_name', 1, 'STRING'),
      column('events_20260131', 'params', 2, 'ARRAY<STRUCT<key STRING, value STRUCT<n INT64>>>'),
      column('events_20260131', 'params.key', 2, 'STRING'),
      column('secrets', 'id', 1, 'INT64'),
      column('users', 'id', 1, 'INT64'),
      column('users', 'day', 2, 'DATE'),
      column('users', 'address', 3, 'STRUCT<city STRING, `Zip code` STRING, geo STRUCT<lat FLOAT64>>'),
      column('users', 'address.city', 3, 'STRING'),
      column('users', 'tags', 4, 'ARRAY<STRING>'),
      column('totals', 'id', 1, 'INT64'),
    ],
  },
  {
    when: /\nfrom \S+\.KEY_COLUMN_USAGE`? k/,
    fields: [
      'table_schema',
      'table_name',
      'constraint_name',
      'constraint_type',
      'column_name',
      'ordinal_position',
    ],
    rows: [['web', 'users', 'users.pk$', 'PRIMARY KEY', 'id', '1']],
  },
  {
    when: /__TABLES__/,
    fields: ['table_schema', 'table_name', 'row_count', 'byte_count', 'last_changed'],
    rows: [
      ['web', 'events_20260130', '10', '1000', '1769800000000'],
      ['web', 'events_20260131', '5', '500', '1769900000000'],
      ['web', 'secrets', '7', '70', '1769900000000'],
      ['web', 'users', '3', '300', '1769900000000'],
      ['web', 'totals', '0', '0', '1769900000000'],
    ],
  },
  { when: /generate_array/, isEndless: true },
  {
    when: /`secrets`/,
    denied: 'Access Denied: Table p:web.secrets: Permission bigquery.tables.getData denied',
  },
  { when: /`totals`/, bytes: 2_500_000_000 },
  { when: /`users`/, bytes: 300, fields: ['row_count'], rows: [['3']] },
  { when: /`events_\*`/, bytes: 1500 },
]
