import type { CatalogTable, DialectName } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { readSchema } from './read-schema.ts'

const MADE = `
  create table customers (id int primary key);
  create table orders (id int, customer_id int, state text, constraint listed check (state in ('a', 'b')));`

/** The table orders after the statements. */
function after(statements: string, dialect?: DialectName): CatalogTable | undefined {
  const made =
    dialect === 'snowflake' ? MADE.replace(/\b(?:customers|orders|id|customer_id|state)\b/g, '"$&"') : MADE
  const { faults, tables } = readSchema([{ name: 'a.sql', sql: made + statements }], { dialect })
  expect(faults).toEqual([])
  return tables.find(({ name }) => name === 'orders' || name === 'purchases')
}

const names = (table: CatalogTable | undefined): readonly string[] | undefined =>
  table?.columns.map(({ name }) => name)

test.each<[string, DialectName?]>([
  ['alter table orders add primary key (id)'],
  ['alter table only orders add constraint orders_pkey primary key (id)', 'postgres'],
  ['alter table if exists orders\n    add constraint p primary key (id), owner to me', 'postgres'],
  [
    'ALTER TABLE [orders] ADD  CONSTRAINT [p] PRIMARY KEY CLUSTERED ([id] ASC) WITH (PAD_INDEX = OFF) ON [PRIMARY]',
    'sqlserver',
  ],
  [
    'alter table `orders` add primary key (`id`), add key `k` (`state`(10)), algorithm=inplace, lock=none',
    'mysql',
  ],
  ['alter table orders with nocheck add primary key clustered (id) on [primary]', 'sqlserver'],
  [
    "alter table orders with nocheck add constraint d default ('') for state, constraint k primary key nonclustered (id)",
    'sqlserver',
  ],
])('adds a primary key: %s', (statement, dialect) => {
  expect(after(statement, dialect)).toMatchObject({ primaryKey: ['id'], columns: { length: 3 } })
})

test.each<[string, DialectName?]>([
  ['alter table orders add foreign key (customer_id) references customers (id) on delete cascade'],
  ['alter table only orders add constraint f foreign key (customer_id) references customers(id)', 'postgres'],
  [
    'ALTER TABLE [orders]  WITH CHECK ADD  CONSTRAINT [f] FOREIGN KEY([customer_id])\nREFERENCES [customers] ([id])',
    'sqlserver',
  ],
  ['alter table orders add foreign key (customer_id) references customers'],
])('adds a foreign key: %s', (statement, dialect) => {
  expect(after(statement, dialect)?.foreignKeys).toEqual([
    { columns: ['customer_id'], references: { table: { name: 'customers' }, columns: ['id'] } },
  ])
})

test.each<[string, DialectName?]>([
  [
    'alter table orders with nocheck add constraint f foreign key (customer_id) references customers (id)',
    'sqlserver',
  ],
  ['alter table orders add foreign key (customer_id) references customers (id) not valid', 'postgres'],
])('leaves out unchecked constraints: %s', (statement, dialect) => {
  expect(after(statement, dialect)?.foreignKeys).toBeUndefined()
})

test.each<[string, readonly string[], DialectName?]>([
  ['add total numeric(10,2)', ['id', 'customer_id', 'state', 'total']],
  ['add column if not exists total int, add other int', ['id', 'customer_id', 'state', 'total', 'other']],
  ['add a int not null, b int', ['id', 'customer_id', 'state', 'a', 'b'], 'sqlserver'],
  ['add columns (a int, b int)', ['id', 'customer_id', 'state', 'a', 'b'], 'databricks'],
  ['add column total int first', ['total', 'id', 'customer_id', 'state'], 'mysql'],
  ['add column total int after id', ['id', 'total', 'customer_id', 'state'], 'mysql'],
  ['drop column if exists state cascade', ['id', 'customer_id']],
  ['drop column state, drop id', ['customer_id']],
  ['drop columns (state, customer_id.part)', ['id', 'customer_id'], 'databricks'],
  ['add columns (state.part int)', ['id', 'customer_id', 'state'], 'databricks'],
  ['modify state text first', ['state', 'id', 'customer_id'], 'mysql'],
  ['change id number int after State', ['customer_id', 'state', 'number'], 'mysql'],
  ['add a int, character set utf8mb4, engine = innodb', ['id', 'customer_id', 'state', 'a'], 'mysql'],
  ['modify ttl a + interval 1 day', ['id', 'customer_id', 'state'], 'clickhouse'],
  ['alter compound sortkey (id)', ['id', 'customer_id', 'state'], 'redshift'],
  ['rename column state to status', ['id', 'customer_id', 'status']],
  ['change state status text', ['id', 'customer_id', 'status'], 'mysql'],
  ['add partition (dt = 1)', ['id', 'customer_id', 'state'], 'athena'],
  ['add constraint d default (0) for state', ['id', 'customer_id', 'state'], 'sqlserver'],
  ['check constraint f', ['id', 'customer_id', 'state'], 'sqlserver'],
  ['set (autovacuum_enabled = false)', ['id', 'customer_id', 'state'], 'postgres'],
  ['replica identity full, enable row level security', ['id', 'customer_id', 'state'], 'postgres'],
])('changes the columns: %s', (action, columns, dialect) => {
  expect(names(after(`alter table orders ${action}`, dialect))).toEqual(columns)
})

test.each<[string, Partial<CatalogTable['columns'][number]>, DialectName?]>([
  ['alter column id set not null', { nullable: false }],
  ['alter column id set default 5', { default: '5' }],
  ["alter column id set default nextval('s'::regclass)", { default: "nextval('s'::regclass)" }],
  ['alter column id type bigint using id::bigint', { type: 'bigint' }],
  ['alter id set data type numeric(10, 2)', { type: 'numeric(10, 2)' }],
  ['alter column id bigint not null', { type: 'bigint', nullable: false }, 'sqlserver'],
  ['modify id bigint not null auto_increment', { type: 'bigint', nullable: false }, 'mysql'],
  [
    'alter column id add generated by default as identity (sequence name s start with 1)',
    { nullable: false },
    'postgres',
  ],
  ['alter column id set statistics 100', {}, 'postgres'],
  ['alter column id drop not null', {}],
  ['modify column id set not null', { nullable: false }, 'snowflake'],
  ['modify column id set masking policy p', {}, 'snowflake'],
  ["alter column id comment 'x'", { comment: 'x' }, 'databricks'],
  ["change column id comment 'x'", { comment: 'x' }, 'databricks'],
])('changes one column: %s', (action, facts, dialect) => {
  expect(after(`alter table orders ${action}`, dialect)?.columns[0]).toEqual({
    name: 'id',
    type: 'int',
    ...facts,
  })
})

test('drops constraints by name and with their columns', () => {
  expect(after('')?.columns[2]?.values).toEqual(['a', 'b'])
  expect(after('alter table orders drop constraint if exists listed')?.columns[2]?.values).toBeUndefined()
  expect(
    after('alter table orders add primary key (id); alter table orders drop primary key')?.primaryKey,
  ).toBeUndefined()
  expect(
    after('alter table orders add primary key (id); alter table orders drop constraint orders_pkey')
      ?.primaryKey,
  ).toBeUndefined()
  expect(
    after('alter table orders add unique (id, state); alter table orders drop column state')?.uniqueKeys,
  ).toBeUndefined()
})

test('follows renames everywhere', () => {
  const table = after(`
    alter table orders add foreign key (customer_id) references customers (id);
    alter table customers rename to clients;
    alter table clients rename column id to number;
    alter table orders rename to purchases;
    alter table purchases rename column customer_id to client;
    comment on column purchases.client is 'who buys'`)
  expect(table?.name).toBe('purchases')
  expect(table?.columns[1]).toEqual({ name: 'client', type: 'int', comment: 'who buys' })
  expect(table?.foreignKeys).toEqual([
    { columns: ['client'], references: { table: { name: 'clients' }, columns: ['number'] } },
  ])
})

test('keeps foreign keys to a table with the same name in another schema', () => {
  const sql = `create table a.t (id int primary key); create table b.t (id int primary key);
    create table c (x int references a.t (id), y int references b.t (id)); alter table b.t rename to u`
  const { tables } = readSchema([{ name: 'a.sql', sql }], { dialect: undefined })
  const targets = tables
    .find(({ name }) => name === 'c')
    ?.foreignKeys?.map(({ references }) => references.table)
  expect(targets).toEqual([
    { schema: 'a', name: 't' },
    { schema: 'b', name: 'u' },
  ])
})

test('removes a table that becomes a partition of another', () => {
  const sql = `create table e (id int) partition by range (id); create table e_1 (id int);
    alter table only e attach partition e_1 for values from (1) to (2)`
  expect(
    readSchema([{ name: 'a.sql', sql }], { dialect: 'postgres' }).tables.map(({ name }) => name),
  ).toEqual(['e'])
})

test('finds a table in another case, with or without its schema, and later in the script', () => {
  const sql = `alter table SHOP.Orders add primary key (ID);
    create table Shop.orders (id int); comment on table orders is 'all of them'`
  expect(readSchema([{ name: 'a.sql', sql }], { dialect: undefined }).tables).toEqual([
    {
      schema: 'Shop',
      name: 'orders',
      kind: 'table',
      comment: 'all of them',
      columns: [{ name: 'id', type: 'int', nullable: false }],
      primaryKey: ['id'],
    },
  ])
})

test('ignores statements about missing tables', () => {
  const sql = 'alter table missing add primary key (id); alter table v owner to me'
  expect(readSchema([{ name: 'a.sql', sql }], { dialect: undefined })).toEqual({ tables: [], faults: [] })
})

test('refuses a column that it does not understand', () => {
  const { faults } = readSchema(
    [{ name: 'a.sql', sql: `${MADE}\nalter table orders add total frob nicate` }],
    { dialect: 'postgres' },
  )
  expect(faults).toMatchObject([
    { path: 'a.sql', line: 4, received: '"nicate" in alter table orders add total frob nicate' },
  ])
})

test.each<[string, boolean, boolean]>([
  ['alter table orders drop index k', false, true],
  ['drop index k on orders', false, true],
  ['alter table orders drop key k', false, true],
  ['alter table orders drop foreign key k', true, false],
  ['alter table orders rename index k to l; alter table orders drop foreign key k', true, false],
  ['alter table orders rename index k to l; drop index l on orders', false, true],
])(
  'a key and a reference with the same name are separate in MySQL: %s',
  (statement, hasKey, hasReference) => {
    const both = `alter table orders add unique k (customer_id, id);
    alter table orders add constraint k foreign key (customer_id) references customers (id);`
    const table = after(`${both} ${statement};`, 'mysql')
    expect([table?.uniqueKeys !== undefined, table?.foreignKeys !== undefined]).toEqual([
      hasKey,
      hasReference,
    ])
  },
)

test('a serial may be nullable', () => {
  const sql = 'create table a (id serial, n serial); alter table a alter column n drop not null'
  const [table] = readSchema([{ name: 'a.sql', sql }], { dialect: 'postgres' }).tables
  expect(table?.columns.map(({ nullable }) => nullable)).toEqual([false, undefined])
})
