import type { Conversion, Generation } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { generate, generateProject } from '../index.ts'

function stage(type: string, as?: Conversion): string {
  return generateColumn(type, as).code
}

function generateColumn(type: string, as?: Conversion): Generation {
  const columns = { created: { ...(as !== undefined && { as }) } }
  return generate(
    { type: 'staging', source: 'shop.orders' },
    { schema: 'shop', name: 'orders', columns: [{ name: 'created', type }] },
    { dialect: 'postgres', config: { sources: { shop: { tables: { orders: { columns } } } } } },
  )
}

test.each(['timestamp', 'epoch_seconds', 'epoch_milliseconds', 'epoch_microseconds'] as const)(
  'a column that has become a timestamp is staged as one, although it was configured as %s',
  (as) => {
    for (const type of ['timestamp', 'timestamptz']) expect(stage(type, as)).toBe(stage(type))
    expect(stage('timestamptz', as)).toContain("at time zone 'UTC'")
  },
)

test.each(['date_day_first', 'date_month_first', 'date_yyyymmdd'] as const)(
  'a column that has become a date is staged as one, although it was configured as %s',
  (as) => {
    expect(generateColumn('date', as)).toEqual(generateColumn('date'))
    expect(stage('text', as)).toContain("to_date(nullif(created, ''), '")
  },
)

test('an impossible conversion leaves the column unchanged, and a warning lists the possible ones', () => {
  const { code, warnings } = generateColumn('jsonb', 'timestamp')
  expect(code).toBe(stage('jsonb'))
  expect(warnings).toEqual([
    {
      code: 'CONVERSION_NOT_POSSIBLE',
      message:
        'sources.shop.tables.orders.columns.created.as: a postgres column of type jsonb cannot be converted to "timestamp", so created is selected unchanged; possible here: text, keep',
      column: 'created',
    },
  ])
})

test('a column of an unknown type is converted as configured', () => {
  expect(stage('order_state', 'text')).toContain('cast(created as text) as created')
  expect(stage('order_state', 'cents')).toContain('created / 100.0')
  expect(generateColumn('order_state', 'text').warnings).toEqual([])
  expect(generateColumn('order_state').warnings.map(({ code }) => code)).toEqual(['TYPE_UNKNOWN'])
})

test('warns about cents of decimals, but not of whole numbers', () => {
  expect(generateColumn('numeric(14, 2)', 'cents').warnings).toEqual([
    {
      code: 'CONVERSION_NOT_NEEDED',
      message:
        'sources.shop.tables.orders.columns.created.as: created is a numeric(14, 2), and decimals usually are whole units already, so "cents" makes them 100 times too small; remove the setting, or keep it if the column really contains cents',
      column: 'created',
    },
  ])
  for (const type of ['bigint', 'numeric', 'numeric(14, 0)'])
    expect(generateColumn(type, 'cents').warnings).toEqual([])
})

test('a configured boolean is described by its observed values', () => {
  const { schema } = generate(
    { type: 'staging', source: 'shop.orders', options: { addDocs: true } },
    {
      schema: 'shop',
      name: 'orders',
      columns: [{ name: 'paid', type: 'char(1)' }],
      observed: { rows: 9, values: [{ column: 'paid', values: ['N', 'Y'], confidence: 0.95 }] },
    },
    {
      dialect: 'postgres',
      config: { sources: { shop: { tables: { orders: { columns: { paid: { as: 'boolean' } } } } } } },
    },
  )
  expect(schema).toContain('- name: is_paid\n        description: From `N` or `Y` in the source.')
})

test.each([
  ['opt', [0, 1], 'booleans'],
  ['opt', undefined, 'numerics'],
  ['active', undefined, 'booleans'],
  ['active', [0, 1, 2], 'numerics'],
])(
  'the observed values of a tinyint(1) outweigh its name: %s with %j is in the group of %s',
  (name, values, group) => {
    const { code } = generate(
      { type: 'staging', source: 'shop.orders' },
      {
        schema: 'shop',
        name: 'orders',
        columns: [{ name, type: 'tinyint(1)' }],
        observed: { rows: 900, ...(values && { values: [{ column: name, values, confidence: 0.95 }] }) },
      },
      { dialect: 'mysql' },
    )
    expect(code).toContain(`-- -------- ${group}`)
  },
)

interface Properties {
  readonly models: readonly { readonly columns: readonly { readonly description?: string }[] }[]
}

/** The description of a column with a comment, after its conversion. */
function described(type: string, as: Conversion, comment: string): string | undefined {
  const columns = { created: { as } }
  const request = { type: 'staging', source: 'shop.orders' } as const
  const table = { schema: 'shop', name: 'orders', columns: [{ name: 'created', type, comment }] }
  const config = { sources: { shop: { tables: { orders: { columns } } } } }
  const { files } = generateProject([{ request, table }], {
    dialect: 'postgres',
    config,
    defaults: { addDocs: true },
  })
  const models = files.find(({ path }) => path.endsWith('__models.yml'))?.content ?? ''
  return (parse(models) as Properties).models[0]?.columns[0]?.description
}

test.each([
  ['integer', 'cents', 'Total in cents', 'Total in cents. Converted to whole units here.'],
  ['integer', 'cents', 'Total (US cents).', 'Total (US cents). Converted to whole units here.'],
  [
    'bigint',
    'cents',
    'Amount in minor currency units',
    'Amount in minor currency units. Converted to whole units here.',
  ],
  [
    'bigint',
    'cents',
    'Fee, in the smallest unit!',
    'Fee, in the smallest unit! Converted to whole units here.',
  ],
  ['bigint', 'cents', 'Total before tax', 'Total before tax'],
  ['bigint', 'cents', 'Percentage of the center', 'Percentage of the center'],
  [
    'bigint',
    'epoch_seconds',
    'Creation time in epoch seconds',
    'Creation time in epoch seconds. Converted to a timestamp here.',
  ],
  ['bigint', 'epoch_milliseconds', 'Unix time, ms', 'Unix time, ms. Converted to a timestamp here.'],
  ['bigint', 'epoch_milliseconds', 'When it was created', 'When it was created'],
  ['text', 'date_day_first', 'Birthday as DD/MM/YYYY', 'Birthday as DD/MM/YYYY. Converted to a date here.'],
  ['text', 'date', 'The day of the order', 'The day of the order'],
  ['text', 'boolean', 'Y/N flag', 'Y/N flag. Converted to a boolean here.'],
  ['integer', 'boolean', '1 = paid, 0 = open', '1 = paid, 0 = open. Converted to a boolean here.'],
  ['text', 'boolean', 'Whether it is paid', 'Whether it is paid'],
  ['text', 'text', 'Total in cents', 'Total in cents'],
  ['timestamp', 'epoch_seconds', 'Creation time in epoch seconds', 'Creation time in epoch seconds'],
  ['jsonb', 'cents', 'Total in cents', 'Total in cents'],
] as const)('a %s converted by %s with the comment "%s" is described as "%s"', (type, as, comment, text) => {
  expect(described(type, as, comment)).toBe(text)
})

test.each([
  [
    ['J', 'N'],
    ["when geprueft = 'J' then true", "when geprueft = 'N' then false"],
  ],
  [
    ['Ja', 'ja', 'Nein'],
    ["when geprueft in ('Ja', 'ja') then true", "when geprueft = 'Nein' then false"],
  ],
  [
    ['sí', 'no'],
    ["when geprueft = 'sí' then true", "when geprueft = 'no' then false"],
  ],
])('yes and no in another language are true and false: %j', (values, branches) => {
  const { code } = generate(
    { type: 'staging', source: 'shop.orders' },
    { schema: 'shop', name: 'orders', columns: [{ name: 'geprueft', type: 'text' }] },
    {
      dialect: 'postgres',
      config: { sources: { shop: { tables: { orders: { columns: { geprueft: { values } } } } } } },
    },
  )
  for (const branch of branches) expect(code).toContain(branch)
})
