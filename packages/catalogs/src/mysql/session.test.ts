import type { NamePart } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { mysql, type MysqlClient } from './index.ts'

const bare = (text: string): NamePart => ({ text, quoted: false })
const at = { schema: 'shop', table: 'orders' }

const column = (name: string, type: string, more: object = {}): object => ({
  ...at,
  name,
  type,
  nullable: 'YES',
  default: null,
  comment: '',
  extra: '',
  ...more,
})

/** Answers of MySQL 8.4, by a part of the query; checks are escaped twice and have no table of their own. */
const MYSQL_8: readonly (readonly [part: string, rows: readonly object[]])[] = [
  ['select database()', [{ name: 'shop' }]],
  [
    'information_schema.schemata',
    [
      { name: 'shop', isSystem: 0 },
      { name: 'mysql', isSystem: 1 },
    ],
  ],
  [
    "table_name = 'CHECK_CONSTRAINTS'",
    ['CONSTRAINT_CATALOG', 'CONSTRAINT_SCHEMA', 'CONSTRAINT_NAME', 'CHECK_CLAUSE'].map((name) => ({ name })),
  ],
  [
    'information_schema.table_constraints',
    [
      {
        ...at,
        expression: String.raw`(${'`state`'} in (_utf8mb4\'open\',_utf8mb4\'it\\\'s\',_utf8mb4\'a\\\\b\'))`,
      },
      { ...at, expression: '(`total` > 0)' },
    ],
  ],
  [
    'information_schema.statistics',
    [
      { ...at, key: 'PRIMARY', kind: 'primary', column: 'id' },
      { ...at, key: 'expression', kind: 'unique', column: null },
    ],
  ],
  ['information_schema.key_column_usage', []],
  ['information_schema.partitions', [{ ...at, expression: 'to_days(`made`)' }]],
  [
    'information_schema.columns',
    [
      column('id', 'int', { nullable: 'NO', extra: 'auto_increment' }),
      column('state', 'varchar(10)', { default: 'open' }),
      column('quoted', 'varchar(10)', { default: "it's" }),
      column('total', 'decimal(10,2)', { default: '0.00' }),
      column('code', 'char(36)', { default: 'uuid()', extra: 'DEFAULT_GENERATED' }),
      column('label', 'varchar(10)', {
        default: String.raw`concat(_utf8mb4\'a\')`,
        extra: 'DEFAULT_GENERATED',
      }),
      column('made', 'timestamp', {
        default: 'CURRENT_TIMESTAMP',
        extra: 'DEFAULT_GENERATED on update CURRENT_TIMESTAMP',
      }),
      column('old', 'datetime', { default: 'CURRENT_TIMESTAMP' }),
      column('computed', 'int', { extra: 'VIRTUAL GENERATED' }),
      column('document', 'longtext'),
    ],
  ],
  [
    'information_schema.tables t',
    [
      { ...at, type: 'BASE TABLE', comment: '' },
      { schema: 'shop', table: 'Orders', type: 'BASE TABLE', comment: 'a twin in other case' },
    ],
  ],
  ['information_schema.tables', [at, { schema: 'shop', table: 'Orders' }]],
]

function recorded(changes: typeof MYSQL_8 = []): MysqlClient {
  return {
    query: async (text) => {
      const answer = [...changes, ...MYSQL_8].find(([part]) => text.includes(part))
      return [answer?.[1] ?? expect.unreachable(text)]
    },
  }
}

test('reads what MySQL 8 prints', async () => {
  const catalog = await mysql({ client: recorded() })
  expect(await catalog.describe({ table: bare('orders') })).toEqual({
    schema: 'shop',
    name: 'orders',
    kind: 'table',
    columns: [
      { name: 'id', type: 'int', nullable: false },
      { name: 'state', type: 'varchar(10)', default: "'open'", values: ['open', "it's", 'a\\b'] },
      { name: 'quoted', type: 'varchar(10)', default: "'it''s'" },
      { name: 'total', type: 'decimal(10,2)', default: '0.00' },
      { name: 'code', type: 'char(36)', default: 'uuid()' },
      { name: 'label', type: 'varchar(10)', default: "concat(_utf8mb4'a')" },
      { name: 'made', type: 'timestamp', default: 'CURRENT_TIMESTAMP' },
      { name: 'old', type: 'datetime', default: 'CURRENT_TIMESTAMP' },
      { name: 'computed', type: 'int' },
      { name: 'document', type: 'longtext' },
    ],
    primaryKey: ['id'],
    storage: { partitionedBy: ['to_days(`made`)'] },
  })
})

test('reads MySQL 5.7, which has no checks', async () => {
  const catalog = await mysql({ client: recorded([["table_name = 'CHECK_CONSTRAINTS'", []]]) })
  const { columns } = await catalog.describe({ table: bare('orders') })
  expect(columns.filter(({ values }) => values)).toEqual([])
})

test('needs a schema if the connection has none', async () => {
  const catalog = await mysql({ client: recorded([['select database()', [{ name: null }]]]) })
  await expect(catalog.describe({ table: bare('orders') })).rejects.toThrow(
    'source orders: no table orders in this database, which has no default schema; did you mean shop.Orders or shop.orders?',
  )
  expect(await catalog.tables({ tables: [bare('orders')] })).toEqual([])
})

test('reads nothing if there are only system schemas', async () => {
  const catalog = await mysql({
    client: recorded([['information_schema.schemata', [{ name: 'mysql', isSystem: 1 }]]]),
  })
  expect(await catalog.tables({})).toEqual([])
})
