import { DIALECTS } from '@stagecraft/core'
import { expect, test } from 'vitest'
import { readSchema } from '../../packages/catalogs/src/ddl/read-schema.ts'
import { parseType } from '../../packages/core/src/sql/types.ts'
import { clickhouse } from './clickhouse.ts'
import { describeOn } from './engine.ts'
import { run, stage } from './stage.ts'

/** Statements in the order in which a script has them, each of a form of its own. */
const STATEMENTS: readonly string[] = [
  `create table raw.orders (id UInt64, total Decimal(10, 2) comment 'In euros' codec(Delta, ZSTD), lines Nested(sku String, count UInt32),
     state Enum('open' = 1, 'it\\'s'), placed_at DateTime64(3, 'UTC') default now64(3), primary key (id))
   engine = MergeTree partition by toYYYYMM(placed_at) order by id ttl toDateTime(placed_at) + interval 1 year
   settings index_granularity = 8192 comment 'One row per order'`,
  `create table if not exists raw.people (\`select\` Int32 null, name VARCHAR(20), age INT UNSIGNED, pay DECIMAL(9,3) NULL,
     joined TIMESTAMP, is_old Bool alias age > 60, initial FixedString(1) materialized substring(name, 1, 1),
     raw String ephemeral, tags Map(String, Array(Nullable(String))), index by_name name type bloom_filter granularity 2,
     projection by_age (select age, count() group by age), constraint sane check age < 200)
   engine = MergeTree order by tuple()`,
  'create table raw.people_too as raw.people engine = Memory',
  'create table raw.names engine = Log as select name, age from raw.people',
  'create view raw.adults as select name as full_name, pay from raw.people where age > 17',
  'create materialized view raw.totals (id UInt64, total Decimal(10, 2)) engine = Memory as select id, total from raw.orders',
  "create dictionary raw.places (id UInt64, place String default '?', size Float64) primary key id source(null()) layout(flat()) lifetime(0)",
  "alter table raw.orders add column note LowCardinality(String) after id, modify column state comment 'How far it is'",
  'alter table raw.orders rename column note to remark, drop column if exists nothing',
  'alter table raw.people add column more Nested(x Decimal(10, 2), y String)',
  "alter table raw.people modify comment 'People', comment column name 'As they say it'",
  'rename table raw.names to raw.known_names',
  'exchange tables raw.people and raw.people_too',
  'drop table raw.people_too',
]

describeOn(clickhouse, () => {
  test('a script says what the engine makes of it, and models of its tables run', async () => {
    const session = await clickhouse.open()
    try {
      for (const statement of STATEMENTS) await session.run(statement)
      const { rows } = await session.query(
        `select table, name, type, default_kind in ('ALIAS', 'MATERIALIZED'), comment from system.columns
         where database = 'raw' and not startsWith(table, '.inner') and default_kind <> 'EPHEMERAL' order by table, position`,
      )
      const live = rows.map(([table, name, type, hidden, comment]) =>
        describe(`${table}.${name}`, { type: type ?? '', isHidden: hidden === '1', comment: comment ?? '' }),
      )
      const files = STATEMENTS.map((sql, index) => ({ name: `${index}.sql`, sql }))
      const { faults, tables } = readSchema(files, { dialect: 'clickhouse' })
      const read = tables
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .flatMap(({ columns, name: table }) =>
          columns.map(({ comment = '', hidden = false, name, type }) =>
            describe(`${table}.${name}`, { type, isHidden: hidden, comment }),
          ),
        )
      expect(faults).toEqual([])
      expect(read).toEqual(live)
      for (const table of tables) await run(session, stage(table, 'clickhouse').sql)
    } finally {
      await session.close()
    }
  })
})

/** What a column is; types by what they are at heart, since the engine prints them in its own way. */
function describe(
  name: string,
  {
    comment,
    isHidden,
    type,
  }: { readonly type: string; readonly isHidden: boolean; readonly comment: string },
): string {
  const { family } = parseType(type, DIALECTS.clickhouse)
  const facts = [family, type.startsWith('Nullable(') ? 'or null' : [], isHidden ? 'by name only' : []]
  return [name, ...facts.flat(), comment].join(' ').trim()
}
