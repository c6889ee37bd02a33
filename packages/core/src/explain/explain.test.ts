import type { ColumnExplanation, Config, Decision, GenerationOptions, Table } from '@stagecraft/spec'
import { explanationSchema } from '@stagecraft/spec'
import { describe, expect, test } from 'vitest'
import { explain, generate } from '../generate.ts'

const TABLE: Table = {
  name: 'payments',
  schema: 'stripe',
  primaryKey: ['id'],
  foreignKeys: [{ columns: ['order_id'], references: { table: { name: 'orders' }, columns: ['id'] } }],
  columns: [
    { name: 'id', type: 'integer', nullable: false },
    { name: 'order_id', type: 'integer' },
    { name: 'custNo', type: 'text', comment: 'One of: a, b' },
    { name: 'active', type: 'boolean' },
    { name: 'created', type: 'timestamptz' },
    { name: 'paid', type: 'text', values: ['Y', 'N'] },
    { name: 'amount', type: 'integer' },
    { name: 'user', type: 'text' },
    { name: '_fivetran_synced', type: 'timestamptz' },
    { name: '_fivetran_deleted', type: 'boolean' },
  ],
}

function explainTable(config: Config = {}, options: GenerationOptions = {}, table: Table = TABLE) {
  const request = {
    type: 'staging' as const,
    source: 'raw.stripe.payments',
    options: { addTests: true, addDocs: true, ...options },
  }
  const context = { dialect: 'postgres' as const, config }
  const explanation = explain(request, table, context)
  expect(explanationSchema.parse(explanation)).toEqual(explanation)
  return { explanation, generation: generate(request, table, context) }
}

function columnOf(column: string, config: Config = {}, options: GenerationOptions = {}): ColumnExplanation {
  const { explanation } = explainTable(config, options)
  const found = explanation.columns.find((one) => one.column === column)
  if (!found) throw new RangeError(`no column ${column}`)
  return found
}

function decided(
  { decisions }: { readonly decisions: readonly Decision[] },
  about: Decision['about'],
): Decision | undefined {
  return decisions.find((decision) => decision.about === about)
}

function rulesOf(decision: Decision | undefined): readonly string[] {
  return decision?.reasons.map(({ evidence, rule }) => `${rule} (${evidence})`) ?? []
}

describe('names', () => {
  test.each<[string, string, readonly string[]]>([
    ['id', 'payment_id', ['name.stored (name)', 'name.ids (name)']],
    ['custNo', 'cust_no', ['name.snake (name)']],
    ['active', 'is_active', ['name.stored (name)', 'name.booleans (type)']],
    ['created', 'created_at', ['name.stored (name)', 'name.timestamps (type)']],
    ['user', 'payment_user', ['name.stored (name)', 'name.reserved (convention)']],
    ['_fivetran_synced', '_fivetran_synced', ['name.stored (name)', 'name.metadata (loader)']],
  ])('of %s is %s by its rules', (column, name, rules) => {
    const decision = decided(columnOf(column), 'name')
    expect(decision?.value).toBe(name)
    expect(rulesOf(decision)).toEqual(rules)
    expect(decision?.keys[0]).toBe(`sources.stripe.tables.payments.columns.${column}.name`)
  })

  test('lose the unit that a conversion removes, with the key of the conversion', () => {
    const columns = [{ name: 'created_epoch', type: 'bigint' }]
    const config = {
      sources: {
        stripe: { tables: { payments: { columns: { created_epoch: { as: 'epoch_seconds' as const } } } } },
      },
    }
    const { explanation } = explainTable(config, {}, { name: 'payments', schema: 'stripe', columns })
    const decision = explanation.columns.map((column) => decided(column, 'name'))[0]
    expect(decision?.value).toBe('created_at')
    expect(rulesOf(decision)).toEqual(['name.stored (name)', 'name.conversion (configuration)'])
    expect(decision?.keys).toContain('sources.stripe.tables.payments.columns.created_epoch.as')
  })

  test('state the setting that decides, and where it is set', () => {
    expect(decided(columnOf('id'), 'name')).toMatchObject({
      reasons: [
        expect.anything(),
        {
          text: "the table's own id is named after its entity, payment; naming.ids is true, by the preset dbt-labs",
        },
      ],
      keys: [
        'sources.stripe.tables.payments.columns.id.name',
        'naming.columns',
        'sources.stripe.tables.payments.entity',
        'naming.ids',
      ],
    })
    const config: Config = { sources: { Stripe: { naming: { booleans: true } } } }
    const decision = decided(columnOf('active', config), 'name')
    expect(decision?.keys).toContain('sources.Stripe.naming.booleans')
    expect(decision?.reasons[1]?.text).toContain('by sources.Stripe.naming.booleans in stagecraft.yml')
  })

  test('from the user are explained as such', () => {
    const configured: Config = {
      sources: { stripe: { tables: { PAYMENTS: { columns: { ID: { name: 'pid' } } } } } },
    }
    expect(decided(columnOf('id', configured), 'name')).toMatchObject({
      value: 'pid',
      reasons: [{ rule: 'name.configured', evidence: 'configuration' }],
      keys: ['sources.stripe.tables.PAYMENTS.columns.ID.name'],
    })
    const renamed = decided(
      columnOf('custNo', { naming: { renames: { CUSTNO: 'customer_number' } } }),
      'name',
    )
    expect(rulesOf(renamed)).toEqual(['name.renames (configuration)'])
    expect(renamed?.keys).toContain('naming.renames.CUSTNO')
  })

  test('that need splitting and the glossary name both', () => {
    const table = {
      columns: [
        { name: 'custid', type: 'text' },
        { name: 'createdbyid', type: 'text' },
      ],
    }
    const config: Config = { naming: { glossary: { by: 'per' } } }
    const { explanation } = explainTable(config, {}, table)
    const found = explanation.columns.find(({ column }) => column === 'createdbyid')
    expect(found?.name).toBe('created_per_id')
    expect(rulesOf(found && decided(found, 'name'))).toEqual([
      'name.stored (name)',
      'name.splitting (name)',
      'name.glossary (configuration)',
    ])
  })

  test('of left-out columns are missing', () => {
    const dropped = columnOf('_fivetran_synced', {}, { metadataColumns: 'drop' })
    expect(dropped.name).toBeUndefined()
    expect(dropped.decisions).toMatchObject([
      { about: 'name', reasons: [{ rule: 'name.metadataColumns', evidence: 'loader' }] },
    ])
  })
})

test.each<[string, Config, string, string]>([
  ['created', {}, 'value.toUtc', 'type'],
  ['paid', {}, 'value.values', 'values'],
  ['order_id', {}, 'value.asIs', 'type'],
  ['created', { options: { casts: 'none' } }, 'value.castsNone', 'configuration'],
  [
    'amount',
    { sources: { stripe: { tables: { payments: { columns: { amount: { as: 'cents' } } } } } } },
    'value.as',
    'configuration',
  ],
  ['order_id', { options: { keysAsText: true } }, 'value.keysAsText', 'configuration'],
  ['amount', { options: { casts: 'full' } }, 'value.castsFull', 'type'],
])('the value of %s with %j is by %s', (column, config, rule, evidence) => {
  const decision = decided(columnOf(column, config), 'value')
  expect(decision?.reasons).toMatchObject([{ rule, evidence }])
  expect(decision?.keys[0]).toBe(`sources.stripe.tables.payments.columns.${column}.as`)
})

test.each([
  ['id', 'ids', 'group.key (constraint)'],
  ['custNo', 'strings', 'group.family (type)'],
  ['_fivetran_synced', 'metadata', 'group.metadata (loader)'],
])('the group of %s is %s by %s', (column, group, rule) => {
  const decision = decided(columnOf(column), 'group')
  expect(decision?.value).toBe(group)
  expect(rulesOf(decision)).toEqual([rule])
})

test('a configured reference makes a foreign key, and is named as the evidence', () => {
  const columns = { amount: { references: 'charges.id' } }
  const column = columnOf('amount', { sources: { stripe: { tables: { payments: { columns } } } } })
  expect(decided(column, 'group')).toMatchObject({
    value: 'ids',
    reasons: [{ evidence: 'configuration' }],
    keys: ['sources.stripe.tables.payments.columns.amount.references', 'options.columnOrder'],
  })
  expect(decided(column, 'description')).toMatchObject({
    value: 'Foreign key to `id` of the source table `charges`.',
    reasons: [{ rule: 'description.reference', evidence: 'configuration' }],
  })
})

test('tests name their evidence, and the keys that change them', () => {
  const tests = ({ decisions }: ColumnExplanation) =>
    decisions
      .filter(({ about }) => about === 'test')
      .map(({ keys, reasons, value }) => [value, reasons[0]?.evidence, keys[0]])
  const table = 'sources.stripe.tables.payments'
  expect(tests(columnOf('id'))).toEqual([
    ['unique', 'constraint', `${table}.key`],
    ['not_null', 'constraint', `${table}.key`],
  ])
  expect(tests(columnOf('custNo'))).toEqual([
    ['accepted_values values a, b', 'comment', `${table}.columns.custNo.values`],
  ])
  expect(columnOf('custNo').decisions.at(-1)?.reasons[0]?.text).toBe(
    'its comment is "One of: a, b"; it only warns',
  )
  expect(columnOf('amount').decisions.at(-1)).toMatchObject({ reasons: [{ rule: 'test.none' }] })
  expect(columnOf('amount', {}, { addTests: false }).decisions.at(-1)).toMatchObject({
    reasons: [{ rule: 'test.off', text: 'options.addTests is false, as requested' }],
    keys: ['options.addTests'],
  })
})

test('descriptions name their origin', () => {
  expect(rulesOf(decided(columnOf('custNo'), 'description'))).toEqual(['description.comment (comment)'])
  expect(rulesOf(decided(columnOf('id'), 'description'))).toEqual(['description.key (constraint)'])
  expect(rulesOf(decided(columnOf('amount'), 'description'))).toEqual(['description.none (convention)'])
  expect(rulesOf(decided(columnOf('_fivetran_synced'), 'description'))).toEqual([
    'description.loader (loader)',
  ])
})

test('the model is explained as a whole', () => {
  const { explanation } = explainTable()
  expect(explanation.decisions.map(({ about, value }) => [about, value])).toEqual([
    ['model', 'stg_stripe__payments'],
    ['path', 'models/staging/stripe/stg_stripe__payments.sql'],
    ['source', 'stripe'],
    ['table', 'payments'],
    ['entity', 'payment'],
    ['loader', 'fivetran'],
    ['key', 'id'],
    ['rows', 'where not coalesce(_fivetran_deleted, false)'],
    ['freshness', '_fivetran_synced'],
    ['description', 'One row per payment. Rows that Fivetran marked as deleted are left out.'],
  ])
  expect(decided(explanation, 'key')?.reasons).toEqual([
    { rule: 'key.primary_key', evidence: 'constraint', text: 'the table declares the primary key (id)' },
  ])
  expect(explanation.warnings).toMatchObject([{ code: 'PARENT_NOT_STAGED', column: 'order_id' }])
})

test('explains the names and expressions that are generated', () => {
  const { explanation, generation } = explainTable()
  for (const { decisions, name = '' } of explanation.columns) {
    const value = decided({ decisions }, 'value')?.value ?? ''
    const expected = value === name ? name : `${value} as ${name}`
    expect(generation.code.replaceAll(/\s+/g, ' ')).toContain(expected)
    expect(generation.schema).toContain(`name: ${name}`)
  }
})

test('a snapshot keeps everything as stored', () => {
  const { columns } = explain({ type: 'snapshot', source: 'stripe.payments' }, TABLE, { dialect: 'postgres' })
  expect(columns.every(({ column, name }) => column === name)).toBe(true)
  expect(columns[0]?.decisions.slice(0, 3)).toMatchObject([
    { reasons: [{ text: 'a snapshot keeps every name as stored' }], keys: [] },
    { reasons: [{ rule: 'value.snapshot' }], keys: [] },
    { reasons: [{ rule: 'group.source' }], keys: [] },
  ])
})

describe('freshness', () => {
  const columns = TABLE.columns.filter(({ name }) => !name.startsWith('_fivetran'))
  const freshnessOf = (table: Partial<Table>, config: Config = {}): Decision | undefined =>
    decided(explainTable(config, {}, { ...TABLE, columns, ...table }).explanation, 'freshness')
  const configured = (loadedAt: string): Config => ({
    sources: { stripe: { tables: { payments: { loadedAt } } } },
  })

  test.each([
    'created',
    'DATE(created)',
    'timestamp_trunc("created", HOUR)',
    'toDate(Created)',
    'days(created)',
  ])('names the column with the day of the partitions, and writes nothing: %s', (partition) => {
    const storage = { partitionedBy: [partition] }
    const decision = freshnessOf({ storage })
    expect(decision?.value).toBeUndefined()
    expect(decision?.reasons[0]?.rule).toBe('freshness.partition')
    expect(decision?.reasons[0]?.text).toContain('by day of created')
    expect(decision?.keys[0]).toBe('sources.stripe.tables.payments.loadedAt')
    const [kept, bare] = [
      { ...TABLE, columns, storage },
      { ...TABLE, columns },
    ]
    expect(explainTable({}, {}, kept).generation).toEqual(explainTable({}, {}, bare).generation)
  })

  test.each([['custNo'], ['toYYYYMM(created)'], ['date_trunc(created, MONTH)'], ['gone']])(
    'reports no partitions by %s',
    (partition) => {
      expect(freshnessOf({ storage: { partitionedBy: [partition] } })).toBeUndefined()
    },
  )

  test('states who named the column', () => {
    const decision = freshnessOf({ storage: { partitionedBy: ['created'] } }, configured('created'))
    expect(decision).toMatchObject({ value: 'created', reasons: [{ rule: 'freshness.configured' }] })
    expect(explainTable().explanation.decisions.find(({ about }) => about === 'freshness')).toMatchObject({
      reasons: [{ rule: 'freshness.loader' }],
    })
  })
})
