// Models that a person wrote or changed: what they select counts, and nothing is said of them that is only true of generated SQL.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Explanation } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { runWarm, temporaryFolder } from './run-cli.ts'

const STAGING = 'models/staging/shop'

/** A project with one staging model of a person, and a catalog of two tables. */
function projectWith(customers: string): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, STAGING), { recursive: true })
  const files = {
    'dbt_project.yml': "name: acme\nversion: '1.0'\nprofile: acme\n",
    'stagecraft.yml': 'catalog: schema.sql?dialect=postgres\n',
    'schema.sql':
      'create table shop.customers (id bigint primary key, email text);\ncreate table shop.orders (id bigint primary key, customer_id bigint references shop.customers (id), ord_dt timestamptz not null);\n',
    [`${STAGING}/_shop__sources.yml`]:
      'version: 2\nsources:\n  - name: shop\n    tables:\n      - name: customers\n',
    [`${STAGING}/stg_shop__customers.sql`]: `${customers}\n`,
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  return folder
}

const reading = (columns: string): string => `select ${columns} from {{ source('shop', 'customers') }}`

test('a foreign key is tested on the column that a model of a person selects, though nothing documents it', async () => {
  const folder = projectWith(reading('id as customer_id, email'))
  const { code, stderr } = await runWarm(['apply', 'shop.orders'], { folder })
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('warning') as string })
  const yaml = readFileSync(join(folder, STAGING, '_shop__models.yml'), 'utf8')
  expect(yaml).toContain("to: ref('stg_shop__customers')\n                field: customer_id\n")
  expect(await runWarm(['check'], { folder })).toMatchObject({ code: 0 })
})

const TEST = '      - name: customer_id\n'

/** The entry of the column that refers to customers, after all tables of the schema were applied. */
async function appliedWith(customers: string): Promise<string> {
  const folder = projectWith(customers)
  expect(await runWarm(['apply', 'shop.*'], { folder })).toMatchObject({ code: 0 })
  expect(await runWarm(['check'], { folder })).toMatchObject({ code: 0 })
  const yaml = readFileSync(join(folder, STAGING, '_shop__models.yml'), 'utf8')
  return yaml.slice(yaml.indexOf(TEST))
}

test('a key to a model of a person is tested on its own column when both tables are in the run', async () => {
  const column = await appliedWith(reading('id as customer_number, email'))
  expect(column).toContain("to: ref('stg_shop__customers')\n                field: customer_number\n")
  expect(column).not.toContain('severity')
})

test.each([
  ['leaves out rows', `${reading('id as customer_key')} where email is not null`, 'customer_key', true],
  ['joins', `${reading('id as customer_id')} join {{ ref('x') }} using (id)`, 'customer_id', true],
  [
    'keeps rows in a left join',
    `${reading('id as customer_id')} left join {{ ref('x') }} using (id)`,
    'customer_id',
    false,
  ],
  ['has two columns that may be the key', reading('id as a, id as customer_id'), 'customer_id', false],
])(
  'where such a model %s, the test is a warning if rows may be missing',
  async (_, sql, field, isWarning) => {
    const column = await appliedWith(sql)
    expect(column).toContain(`field: ${field}\n`)
    expect(/config:\n +severity: warn\n/.test(column)).toBe(isWarning)
  },
)

test.each(['email', '*'])('a key is not tested on a model that selects %s', async (columns) => {
  expect(await appliedWith(reading(columns))).not.toContain('relationships')
})

test('a generated model that a person filters makes tests of its rows warnings', async () => {
  const folder = projectWith(reading('id'))
  const [customers, yaml] = ['stg_shop__customers.sql', '_shop__models.yml'].map((name) =>
    join(folder, STAGING, name),
  ) as [string, string]
  rmSync(customers)
  await runWarm(['apply', 'shop.*'], { folder })
  const generated = readFileSync(customers, 'utf8')
  const severity = async (sql: string): Promise<boolean> => {
    writeFileSync(customers, sql)
    expect(await runWarm(['apply', 'shop.*'], { folder })).toMatchObject({ code: 0 })
    expect(await runWarm(['check'], { folder })).toMatchObject({
      stdout: expect.not.stringContaining('outdated'),
    })
    return /relationships:[^-]*severity: warn/.test(readFileSync(yaml, 'utf8'))
  }
  expect(await severity(generated)).toBe(false)
  expect(
    await severity(
      generated.replace('select * from renamed', 'select * from renamed where email is not null'),
    ),
  ).toBe(true)
})

test.each(['stg_shop__customers', 'people'])(
  'a foreign key is tested on a model %s whose source table has an identifier',
  async (model) => {
    const folder = projectWith(reading('id as customer_id, email'))
    const rename = (file: string, from: RegExp, to: string): void =>
      writeFileSync(join(folder, file), readFileSync(join(folder, file), 'utf8').replaceAll(from, to))
    rename('schema.sql', /shop\.customers/g, 'shop.tbl_cust')
    rename(
      `${STAGING}/_shop__sources.yml`,
      /name: customers/g,
      'name: customers\n        identifier: tbl_cust',
    )
    renameSync(join(folder, STAGING, 'stg_shop__customers.sql'), join(folder, STAGING, `${model}.sql`))
    const { code, stderr } = await runWarm(['apply', 'shop.orders'], { folder })
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('warning') as string })
    const yaml = readFileSync(join(folder, STAGING, '_shop__models.yml'), 'utf8')
    expect(yaml).toContain(`to: ref('${model}')\n                field: customer_id\n`)
    expect(await runWarm(['check'], { folder })).toMatchObject({ code: 0 })
  },
)

test('a column that such a model does not show is not tested, and the remedy names adopt', async () => {
  const folder = projectWith(reading('email'))
  const { stderr } = await runWarm(['plan', 'shop.orders'], { folder })
  expect(stderr).toContain('no column of stg_shop__customers is known for id')
  expect(stderr).toContain('stagecraft explain PARENT_NOT_STAGED shows')
  const { stdout } = await runWarm(['explain', 'PARENT_NOT_STAGED'], { folder })
  expect(stdout).toContain('`stagecraft adopt`')
})

test('explain shows the description that the file has of a column that a person selects in another way', async () => {
  const folder = projectWith(reading('id as customer_id'))
  await runWarm(['apply', 'shop.orders'], { folder })
  const [model, yaml] = ['stg_shop__orders.sql', '_shop__models.yml'].map((name) =>
    join(folder, STAGING, name),
  ) as [string, string]
  const sql = readFileSync(model, 'utf8')
  const described = async (): Promise<readonly unknown[]> => {
    const { stdout } = await runWarm(['explain', 'shop.orders.ord_dt', '--json'], { folder })
    const [column] = (JSON.parse(stdout) as Explanation).columns
    return (column?.decisions ?? [])
      .filter(({ about }) => about === 'description')
      .map(({ reasons, value }) => [value, reasons[0]?.rule])
  }
  const inUtc = 'In UTC; the source keeps a time zone.'
  expect(await described()).toEqual([[inUtc, 'description.moment']])
  writeFileSync(model, sql.replace(/ord_dt at time zone 'UTC' as \w+/, 'ord_dt as ordered_on'))
  await runWarm(['apply', 'shop.orders', '--conflict', 'ours'], { folder })
  expect(readFileSync(model, 'utf8')).toContain('ord_dt as ordered_on')
  expect(readFileSync(yaml, 'utf8')).not.toContain('In UTC')
  expect(await described()).toEqual([[undefined, 'description.project']])
  writeFileSync(model, sql.replace(/(at time zone 'UTC' as) \w+/, '$1 created_at'))
  await runWarm(['apply', 'shop.orders', '--conflict', 'ours'], { folder })
  const created = 'When the order was created, in UTC.'
  expect(await described()).toEqual([[created, 'description.project']])
  expect(readFileSync(yaml, 'utf8')).toContain(`description: ${created}`)
})

test('a column that a person computes is not tested for what is only declared of the stored one', async () => {
  const folder = projectWith(reading('id'))
  const path = join(folder, STAGING, 'stg_shop__fees.sql')
  const source = "from {{ source('shop', 'fees') }}"
  writeFileSync(
    join(folder, 'schema.sql'),
    'create table shop.fees (id bigint primary key, amount int not null, kind text not null, state text not null);\n',
  )
  writeFileSync(
    join(folder, STAGING, '_shop__sources.yml'),
    'sources:\n  - name: shop\n    tables:\n      - name: fees\n',
  )
  writeFileSync(
    path,
    `select id as fee_id, cast(amount as text) as amount, nullif(kind, '') as kind, case when state = 'x' then null else state end as state ${source}\n`,
  )
  expect(await runWarm(['adopt', path], { folder })).toMatchObject({ code: 0 })
  expect(await runWarm(['apply', 'shop.fees'], { folder })).toMatchObject({ code: 0 })
  const yaml = readFileSync(join(folder, STAGING, '_shop__models.yml'), 'utf8')
  const tested = [
    ...yaml.matchAll(/- name: (\w+)\n(?: {8}description: .*\n)?(?: {8}data_tests:\n((?: {10}- \w+\n)+))?/g),
  ]
  const tests = tested.map(([, name, list = '']) => [name, list.match(/\w+/g)])
  expect(Object.fromEntries(tests)).toMatchObject({
    fee_id: ['unique', 'not_null'],
    amount: ['not_null'],
    kind: null,
    state: null,
  })
  expect(await runWarm(['check'], { folder })).toMatchObject({ code: 0 })
})
