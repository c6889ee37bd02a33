// Projects that are written to mislead a rule: what looks like a hit and is none, and what is one although it does not look like it.
import { RULES } from '@stagecraft/analysis'
import { expect, test } from 'vitest'
import { type Files, lintFiles } from './lint-project.ts'

const FOLDER = 'models/staging/shop'
const SOURCES = 'sources:\n  - name: shop\n    tables:\n      - name: orders\n'

type Case = readonly [what: string, files: Files, found: readonly string[]]

async function messages(id: string, files: Files): Promise<readonly string[]> {
  const rule = RULES.find((one) => one.id === id)
  if (!rule) throw new Error(`there is no rule ${id}`)
  const { findings } = await lintFiles(files, rule)
  return findings.filter((finding) => finding.rule === id).map(({ message }) => message)
}

const columnsOf = (names: readonly string[]): object[] => names.map((name) => ({ name, type: 'varchar' }))
const tableOf = (...columns: readonly object[]): object => ({ schema: 'shop', name: 'orders', columns })
const rawTables = (...columns: readonly object[]): string => JSON.stringify([tableOf(...columns)])

/** A model of orders, whose table had other columns when it was generated. */
function changed(former: string, now: string, sql: string): Files {
  return {
    [`${FOLDER}/sources.yml`]: SOURCES,
    [`${FOLDER}/stg_shop__orders.sql`]: `${sql.replace('RAW', "{{ source('shop', 'orders') }}")}\n`,
    'former-tables.json': JSON.stringify({ 'shop.orders': tableOf(...columnsOf(former.split(' '))) }),
    'raw-tables.json': rawTables(...columnsOf(now.split(' '))),
  }
}

test.each<Case>([
  [
    'two columns',
    changed('id', 'id coupon gift', 'select id from RAW'),
    ['shop.orders has new columns: coupon, gift'],
  ],
  [
    'one is selected by hand',
    changed('id', 'id coupon gift', 'select id, coupon from RAW'),
    ['shop.orders has new columns: gift'],
  ],
  [
    'it is only read in a condition',
    changed('id', 'id coupon', 'select id from RAW where coupon is null'),
    ['shop.orders has new columns: coupon'],
  ],
  [
    'it is left out of a *',
    changed('id', 'id coupon', 'select * exclude (coupon) from RAW'),
    ['shop.orders has new columns: coupon'],
  ],
  [
    'it is a column under another name',
    changed('id cupon', 'id coupon', 'select id from RAW'),
    ['shop.orders has new columns: coupon'],
  ],
  [
    'a constant has its name',
    changed('id', 'id coupon', "select id, 'none' as coupon from RAW"),
    ['shop.orders has new columns: coupon'],
  ],
  ['it is selected by hand', changed('id', 'id coupon', 'select id, coupon as code from RAW'), []],
  ['the model selects *', changed('id', 'id coupon', 'select * from RAW'), []],
  ['only the case differs', changed('id Coupon', 'id COUPON', 'select id from RAW'), []],
])('new columns: %s', async (_, files, found) => {
  expect(await messages('SC102', files)).toEqual(found)
})

const DROPPED = ['the column coupon was dropped from shop.orders']

test.each<Case>([
  ['in the select list', changed('id coupon', 'id', 'select id, coupon from RAW'), DROPPED],
  ['in a condition', changed('id coupon', 'id', 'select id from RAW where coupon is null'), DROPPED],
  [
    'in a case',
    changed('id coupon', 'id', 'select id, case when coupon is null then 1 end as n from RAW'),
    DROPPED,
  ],
  [
    'in the order of a window',
    changed('id coupon', 'id', 'select id, row_number() over (order by coupon) as n from RAW'),
    DROPPED,
  ],
  ['left out of a *', changed('id coupon', 'id', 'select * exclude (coupon) from RAW'), DROPPED],
  [
    'left out of a * of an alias',
    changed('id coupon', 'id', 'select o.* exclude coupon from RAW as o'),
    DROPPED,
  ],
  [
    'left out of a * of a common table expression',
    changed('id coupon', 'id', 'with o as (select * from RAW) select * exclude (Coupon) from o'),
    ['the column Coupon was dropped from shop.orders'],
  ],
  [
    'left out of a * of what has it otherwise',
    changed(
      'id coupon',
      'id',
      'with o as (select id, 1 as coupon from RAW) select * exclude (coupon) from o',
    ),
    [],
  ],
  ['another is left out of a *', changed('id coupon', 'id', 'select * exclude (id) from RAW'), []],
  [
    'behind a common table expression',
    changed('id coupon', 'id', 'with o as (select * from RAW) select id, o.coupon from o'),
    DROPPED,
  ],
  [
    'in another case',
    changed('id coupon', 'id', 'select id, upper(COUPON) as code from RAW'),
    ['the column COUPON was dropped from shop.orders'],
  ],
  [
    'a constant has its name',
    changed('id coupon', 'id', 'with o as (select id, null as coupon from RAW) select id, coupon from o'),
    [],
  ],
  [
    'a text and a comment have it',
    changed('id coupon', 'id', "select id, 'coupon' as c -- coupon\nfrom RAW"),
    [],
  ],
  [
    'another relation has it',
    changed(
      'id coupon',
      'id',
      'select o.id, c.coupon from RAW as o join (select 1 as id, 2 as coupon) as c on c.id = o.id',
    ),
    [],
  ],
  [
    'an alias of the same list has it',
    changed('id coupon', 'id', "select id, id || 'x' as coupon from RAW order by coupon"),
    [],
  ],
  [
    'the model is disabled',
    changed('id coupon', 'id', '{{ config(enabled=false) }}\nselect id, coupon from RAW'),
    [],
  ],
  ['only the case differs', changed('id Coupon', 'id COUPON', 'select id, coupon from RAW'), []],
])('dropped columns: %s', async (_, files, found) => {
  expect(await messages('SC103', files)).toEqual(found)
})

interface Tested {
  /** The arguments of the test, in YAML's flow style. */
  readonly given?: string
  readonly sql?: string
  readonly values?: readonly unknown[]
  readonly observed?: readonly unknown[]
}

/** A model with a test of the values of its status. */
function tested({ given = 'values: [open, paid]', observed, sql, values }: Tested): Files {
  const status = { name: 'status', type: 'varchar', ...(values && { values }) }
  const seen = {
    rows: 10,
    on: '2026-11-02',
    values: [{ column: 'status', values: observed, confidence: 0.9 }],
  }
  const table = { ...tableOf(...columnsOf(['id', 'deleted']), status), ...(observed && { observed: seen }) }
  return {
    [`${FOLDER}/sources.yml`]: SOURCES,
    [`${FOLDER}/models.yml`]: `models:
  - name: stg_shop__orders
    columns:
      - name: status
        data_tests:
          - accepted_values: { ${given} }
`,
    [`${FOLDER}/stg_shop__orders.sql`]: `${(sql ?? 'select id as order_id, status from RAW').replace('RAW', "{{ source('shop', 'orders') }}")}\n`,
    'raw-tables.json': JSON.stringify([table]),
  }
}

const ALL = ['open', 'paid', 'void']
const LACKS_VOID = ['the test accepted_values of status lacks void, which the raw table lists']

test.each<Case>([
  ['the arguments are flat', tested({ values: ALL }), LACKS_VOID],
  [
    'the arguments are nested',
    tested({ values: ALL, given: 'arguments: { values: [open, paid] }' }),
    LACKS_VOID,
  ],
  [
    'it only warns',
    tested({ values: ALL, given: 'values: [open, paid], config: { severity: warn }' }),
    LACKS_VOID,
  ],
  [
    'a condition is on another column',
    tested({ values: ALL, sql: 'select id as order_id, status from RAW where not deleted' }),
    LACKS_VOID,
  ],
  [
    'the column passes several common table expressions',
    tested({
      values: ALL,
      sql: 'with a as (select id, status from RAW), b as (select id, status from a) select id as order_id, status from b',
    }),
    LACKS_VOID,
  ],
  [
    'rows had the value',
    tested({ observed: ['open', 'lost', null] }),
    ['the test accepted_values of status lacks lost, which rows of the raw table had on 2026-11-02'],
  ],
  [
    'numbers',
    tested({ values: [1, 2, 3], given: 'values: [1, 2], quote: false' }),
    ['the test accepted_values of status lacks 3, which the raw table lists'],
  ],
  [
    'the test is of some rows',
    tested({ values: ALL, given: 'values: [open, paid], config: { where: "status <> \'void\'" }' }),
    [],
  ],
  [
    'the test is disabled',
    tested({ values: ALL, given: 'values: [open, paid], config: { enabled: false }' }),
    [],
  ],
  [
    'Jinja works out a value',
    tested({ values: ALL, given: 'values: [open, paid, "{{ var(\'last\') }}"]' }),
    [],
  ],
  [
    'the model keeps some values',
    tested({ values: ALL, sql: "select id as order_id, status from RAW where status <> 'void'" }),
    [],
  ],
  [
    'an inner query keeps some values',
    tested({
      values: ALL,
      sql: "with f as (select * from RAW where status in ('open', 'paid')) select id as order_id, status from f",
    }),
    [],
  ],
  [
    'numbers in other spellings',
    tested({ values: ['1.50', '2.00'], given: 'values: [1.5, 2], quote: false' }),
    [],
  ],
  [
    'quotes in values, which are doubled in the test',
    tested({ values: ["it's", 'paid'], given: `values: ["it''s", paid]` }),
    [],
  ],
  [
    'quotes in values, which have a backslash in the test',
    tested({ values: ["it's", 'paid'], given: String.raw`values: ['it\''s', paid]` }),
    [],
  ],
  ['rows had null, which the test lets pass', tested({ observed: ['open', 'paid', null] }), []],
])('accepted values: %s', async (_, files, found) => {
  expect(await messages('SC110', files)).toEqual(found)
})

/** Two sources with one relation, and what the second one has besides. */
function twins(more: string, first = 'schema: raw', project = ''): Files {
  return {
    'dbt_project.yml': `name: shop\n${project}`,
    'models/a.yml': `sources:\n  - { name: a, ${first}, tables: [{ name: orders }] }\n`,
    'models/b.yml': `sources:\n  - { name: b, ${more} }\n`,
  }
}

const TABLES = 'tables: [{ name: orders }]'
const SAME = ['b.orders is the same relation as a.orders (models/a.yml:2)']

test.each<Case>([
  ['the schema is written', twins(`schema: raw, ${TABLES}`), SAME],
  ['the schema is the name of the other', twins(`schema: a, ${TABLES}`, 'description: x'), SAME],
  [
    'the identifier is that of the other',
    twins('schema: raw, tables: [{ name: old, identifier: orders }]'),
    ['b.old is the same relation as a.orders (models/a.yml:2)'],
  ],
  [
    'both name the database',
    twins(`schema: raw, database: eu, ${TABLES}`, 'schema: raw, database: eu'),
    SAME,
  ],
  ['one is enabled, which it is anyway', twins(`schema: raw, config: { enabled: true }, ${TABLES}`), SAME],
  ['the databases differ', twins(`schema: raw, database: us, ${TABLES}`, 'schema: raw, database: eu'), []],
  ['the source is disabled', twins(`schema: raw, config: { enabled: false }, ${TABLES}`), []],
  ['the table is disabled', twins('schema: raw, tables: [{ name: orders, config: { enabled: false } }]'), []],
  [
    'a variable decides which is there',
    twins(`schema: raw, config: { enabled: "{{ var('old') }}" }, ${TABLES}`),
    [],
  ],
  [
    'the project disables it',
    twins(`schema: raw, ${TABLES}`, 'schema: raw', 'sources: { shop: { b: { +enabled: false } } }\n'),
    [],
  ],
  [
    'files of other places',
    twins(
      `schema: raw, meta: { external_location: b.parquet }, ${TABLES}`,
      'schema: raw, meta: { external_location: a.parquet }',
    ),
    [],
  ],
])('the same relation: %s', async (_, files, found) => {
  expect(await messages('SC408', files)).toEqual(found)
})

test('a disabled source is not unused, and its tables need not be there', async () => {
  const files = {
    ...twins(`schema: raw, config: { enabled: false }, ${TABLES}`),
    'raw-tables.json': rawTables(),
  }
  expect(await messages('SC401', files)).toEqual(['nothing reads source a (orders)'])
})
