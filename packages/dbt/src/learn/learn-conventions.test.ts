import { parseConfig } from '@stagecraft/core'
import type { Config, Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { readProject } from '../project/read-project.ts'
import { memoryTree } from '../tree/memory-tree.ts'
import { type Conventions, learnConventions } from './learn-conventions.ts'

const TYPES: Readonly<Record<string, string>> = { b: 'boolean', d: 'date', t: 'timestamp_ntz', i: 'number' }

/** A project from lines `table: raw=name:type …`, of the source `app` or another. A table with `+` has no model yet. */
async function learn(
  lines: string,
  changes: Readonly<Record<string, string>> = {},
  config: Config = {},
): Promise<Conventions> {
  const tables = lines
    .trim()
    .split('\n')
    .map((line) => {
      const [place = '', rest = ''] = line.trim().split(': ')
      const [name = '', source = 'app'] = place.split('.').toReversed()
      const columns = rest.split(' ').map((column) => {
        const [names = '', type = ''] = column.split(':')
        const [raw = '', staged = raw] = names.split('=')
        return { raw, staged, type: TYPES[type] ?? 'varchar' }
      })
      return { name, source, columns }
    })
  const models = tables
    .filter(({ name }) => !name.startsWith('+'))
    .map(({ columns, name, source }) => [
      `models/staging/${source}/stg_${source}__${name}.sql`,
      `with source as (select * from {{ source('${source}', '${name}') }}),\nrenamed as (\n  select\n    ${columns
        .map(({ raw, staged }) => (raw === staged ? raw : `${raw} as ${staged}`))
        .join(',\n    ')}\n  from source\n)\nselect * from renamed\n`,
    ])
  const files = { 'dbt_project.yml': 'name: app\n', ...Object.fromEntries(models), ...changes }
  const tree = memoryTree(files)
  const stored = tables.map(({ columns, name, source }): Table => ({
    schema: source,
    name: name.replace('+', ''),
    columns: columns.map(({ raw, type }) => ({ name: raw, type })),
  }))
  return learnConventions({ tree, index: await readProject(tree) }, stored, { config, dialect: 'snowflake' })
}

test('a project that names as the preset does needs no rule', async () => {
  const { columns, config, named, rules } = await learn(`
    users: id=user_id:i name created_at:t active=is_active:b
    orders: id=order_id:i user_id:i total paid=is_paid:b
    items: id=item_id:i order_id:i quantity:i
  `)
  expect({ config, columns, named, fresh: rules.filter(({ isNew }) => isNew) }).toEqual({
    config: {},
    fresh: [],
    columns: 11,
    named: { before: 11, after: 11 },
  })
})

test('patterns of kinds are learned from several models', async () => {
  const { config } = await learn(`
    users: id=user_key:i name created=created_ts:t active=active_flag:b
    orders: id=order_key:i user_id=user_key:i paid_at=paid_ts:t gift=gift_flag:b
    items: id=item_key:i order_id=order_key:i updated=updated_ts:t
  `)
  expect(config.naming?.patterns).toMatchObject({
    id: '{entity}_key',
    timestamp: '{name}_ts',
    boolean: '{name}_flag',
  })
})

test('the entity goes in front of all columns, told by the last word of the table', async () => {
  const { config, named } = await learn(`
    raw__crm__app_user: id=user_id:i name=user_name email=user_email
    raw__crm__sales_order: id=order_id:i total=order_total note=order_note user_id:i
    raw__crm__order_item: id=item_id:i amount=item_amount sku=item_sku
  `)
  expect(config.naming).toMatchObject({
    entityFrom: ['*_{entity}'],
    patterns: { default: '{entity}_{name}' },
  })
  expect(named.after).toBe(10)
})

test('an entity that people write as one word stays one, also in tables to come', async () => {
  const { config, named } = await learn(`
    crm__app_user: id=user_id:i email=user_email
    crm__app_coupon: id=coupon_id:i price=coupon_price
    crm__web_domain: id=domain_id:i host=domain_host
    crm__app_orderline: id=orderline_id:i price=orderline_price sku=orderline_sku
    crm__app_usergroup: id=usergroup_id:i label=usergroup_label
    crm__web_landingpage: id=landingpage_id:i url=landingpage_url
  `)
  expect(config.naming).toMatchObject({ splitting: 'never', patterns: { default: '{entity}_{name}' } })
  expect(named.after).toBe(13)
})

test.each([
  ['agree', 'item', '+parts', 'parcel'],
  ['differ', 'stock', '+parts', undefined],
  ['agree, but no other table has the column', 'item', 'parts', undefined],
])(
  'where tables %s on the names that they share, one teaches others of its source so',
  async (_, item, other, one) => {
    const { config } = await learn(`
    users: id=user_id:i zref=user_partner zkind=user_grade zcode=user_tariff email
    orders: id=order_id:i zref=order_partner zkind=order_grade zcode=order_tariff zonly=parcel
    items: id=item_id:i zref=${item}_partner zkind=${item}_grade zcode=${item}_tariff sku
    ${other}: id=part_id:i ${other.startsWith('+') ? 'zonly' : 'zother'}
  `)
    expect(config.naming?.renames?.['zonly']).toBe(one)
  },
)

test('keys with prefixes are learned, whatever the raw table calls its own key', async () => {
  const { config, named } = await learn(`
    customers: customer_id=pk_customer:i region_id=fk_region:i name
    orders: order_id=pk_order:i customer_id=fk_customer:i total
    items: item_id=pk_item:i order_id=fk_order:i sku
  `)
  expect(config.naming?.patterns).toEqual({ id: 'pk_{entity}', reference: 'fk_{name}' })
  expect(named).toEqual({ before: 3, after: 9 })
})

test('a word that moves to the other end of names is learned once', async () => {
  const { config, named } = await learn(`
    customers: id_customer=customer_id:i id_region=region_id:i name
    orders: id_order=order_id:i id_customer=customer_id:i total
    items: id_item=item_id:i id_order=order_id:i sku
  `)
  expect(config.naming).toEqual({ renames: { 'id_*': '*_id' } })
  expect(named).toEqual({ before: 3, after: 9 })
})

test('a prefix of each table is dropped, and the rest is split', async () => {
  const { config, named } = await learn(`
    customers: c_custkey=customer_key:i c_firstname=first_name c_phonenumber=phone_number
    orders: o_orderdate=order_date:d o_totalprice=total_price o_shipmode=ship_mode
    parts: p_retailprice=retail_price p_partname=part_name p_brandname=brand_name
  `)
  expect(config.naming).toEqual({ columnPrefixes: ['{shared}_'] })
  expect(named).toEqual({ before: 0, after: 8 })
})

test('the entity is found in keys that are called after their table, and at the end of names', async () => {
  const { config, named } = await learn(`
    shop_product: product_id:i active=is_active_product:b deleted=is_deleted_product:b
    shop_store: store_id:i active=is_active_store:b
    shop_employee: employee_id:i store_id:i deleted=is_deleted_employee:b
    shop_supplier: supplier_id:i preferred=is_preferred_supplier:b
  `)
  expect(config.naming).toMatchObject({
    tablePrefixes: ['shop_'],
    patterns: { boolean: 'is_{name}_{entity}' },
  })
  expect(named).toEqual({ before: 5, after: 10 })
})

test.each(['d', 't', 'text'])(
  'days go by the entity, with an ending of their own, whatever they are stored as: %s',
  async (type) => {
    const { config, named, rules } = await learn(`
    users: id=user_id:i birth_date=user_birth_on:${type} name
    orders: id=order_id:i shipped_date=order_shipped_on:${type} due_date=order_due_on:${type} total
    items: id=item_id:i due_date=item_due_on:${type} sold_date=item_sold_on:${type} sku
  `)
    const { patterns, renames } = config.naming ?? {}
    expect({ named, pattern: patterns?.date ?? patterns?.timestamp ?? renames?.['*_date'] }).toEqual({
      named: { before: 6, after: 11 },
      pattern: type === 'text' ? '{entity}_*_on' : '{entity}_{name}_on',
    })
    expect(rules.find(({ isNew }) => isNew)?.support).toEqual({ holds: 5, of: 5, unit: 'columns' })
  },
)

test('words are learned where columns agree, and whole names where two models do', async () => {
  const { config, named } = await learn(`
    users: cust_nm=customer_name cust_no=customer_number z1=region
    orders: ord_no=order_number cust_no=customer_number z1=region
  `)
  expect(config.naming?.glossary).toMatchObject({ cust: 'customer', no: 'number' })
  expect(named.after).toBe(6)
})

test('an abbreviation is learned from one column, and another word is not', async () => {
  const { config } = await learn(`
    users: id=user_id:i prov_code=provider_code shop_code=store_code pay=payer
    orders: id=order_id:i total tp_state=treatment_plan_state pay
  `)
  expect(config.naming?.glossary).toEqual({ prov: 'provider', tp: 'treatment_plan' })
})

test('an abbreviation that another name keeps is not learned from one column', async () => {
  const { config } = await learn(`
    users: id=user_id:i prov_code=provider_code
    orders: id=order_id:i prov_state
  `)
  expect(config).toEqual({})
})

test('a word that people cut out of a run-together name is a word of others', async () => {
  const { config } = await learn(`
    users: id=user_id:i cogstoname=cogs_to_name firstname=first_name lastname=last_name
    orders: id=order_id:i createdbyid=created_by_id unitprice=unit_price
  `)
  expect(config.naming?.words).toEqual(['cogs'])
})

test('words of several models are learned side by side', async () => {
  const { config, named } = await learn(`
    users: id=user_id:i zqname=zq_name zqcode=zq_code vubname=vub_name
    orders: id=order_id:i zqtotal=zq_total vubcode=vub_code
    items: id=item_id:i zqprice=zq_price vubtotal=vub_total
  `)
  expect(config.naming?.words).toEqual(expect.arrayContaining(['zq', 'vub']))
  expect(named.after).toBe(10)
})

test.each([
  ['camel', ['createdDate', 'customerName', 'orderId', 'isPaid']],
  ['pascal', ['CreatedDate', 'CustomerName', 'OrderId', 'IsPaid']],
])(
  'names in %s case are learned, and so are the rules for their words',
  async (columns, [date, name, id, paid]) => {
    const lines = `
    customers: id=${id?.replace(/order/i, columns === 'camel' ? 'customer' : 'Customer') ?? ''}:i created_at=${date ?? ''}:t name=${name ?? ''} active=${columns === 'camel' ? 'isActive' : 'IsActive'}:b
    orders: id=${id ?? ''}:i created_at=${date ?? ''}:t paid=${paid ?? ''}:b total
    +items: id:i created_at:t total
  `
    const { config, named, rules } = await learn(lines)
    expect(config.naming).toMatchObject({ columns, patterns: { timestamp: '{name}_date' } })
    expect(named).toEqual({ before: 1, after: 7 })
    expect(rules.map(({ keys }) => keys)).toEqual(
      expect.arrayContaining([['naming.columns'], ['naming.timestamps', 'naming.patterns.timestamp']]),
    )
    const again = await learn(lines, {}, config)
    expect({ config: again.config, named: again.named.before }).toEqual({ config: {}, named: 7 })
  },
)

test('words are learned beside those of the configuration', async () => {
  const lines = `
    users: id=user_id:i zqname=zq_name zqcode=zq_code
    orders: id=order_id:i zqtotal=zq_total vubcode=vub_code
    items: id=item_id:i vubprice=vub_price vubtotal=vub_total
  `
  const { config, named } = await learn(lines, {}, { naming: { words: ['vub'] } })
  expect({ config, named }).toEqual({ config: { naming: { words: ['zq'] } }, named: { before: 6, after: 9 } })
})

test('a column that gets several words is a rename, and its word keeps its meaning elsewhere', async () => {
  const { config } = await learn(`
    users: id=user_id:i org=organization_name email
    orders: id=order_id:i org=organization_name total
    items: id=item_id:i org_size sku
  `)
  expect(config.naming).toEqual({ renames: { org: 'organization_name' } })
})

test('the name that most sources give a column is that of the project, and the others are exceptions', async () => {
  const { config } = await learn(`
    shop.users: id=user_id:i name=user_name email zone
    erp.orders: id=order_id:i name=order_name total status
    web.pages: id=page_id:i name=page_name color title
    crm.deals: id=deal_id:i name=label price
    crm.leads: id=lead_id:i name=label grade
  `)
  expect(config).toMatchObject({
    naming: { renames: { name: '{entity}_name' } },
    sources: { crm: { naming: { renames: { name: 'label' } } } },
  })
})

test('one source keeps its custom fields, and another has the entity before short names', async () => {
  const { config } = await learn(`
    crm.account: id=account_id:i accountsource=account_source Region__c=region__c Level__c=level__c
    crm.lead: id=lead_id:i leadsource=lead_source Rating__c=rating__c Area__c=area__c
    shop.products: id=product_id:i name=product_name code=product_code color=product_color net_price
    shop.stores: id=store_id:i name=store_name zone=store_zone size=store_size street_name
  `)
  expect(config.sources).toMatchObject({
    crm: { naming: { customFields: 'keep' } },
    shop: { naming: { prefixWords: ['*'] } },
  })
})

test('a source with a single model has its own style if many columns show it', async () => {
  const { config } = await learn(`
    web.events: id=event_id:i pageurl pagetitle useragent sessionid visitorid devicetype
    shop.users: id=user_id:i firstname=first_name lastname=last_name
    shop.orders: id=order_id:i customerid=customer_id orderdate=order_date
  `)
  expect(config).toMatchObject({ sources: { web: { naming: { splitting: 'never' } } } })
})

test('a long name of one table names other tables of its source, though tables differ in short names', async () => {
  const { config } = await learn(`
    users: id=user_id:i note=remark code=label state=place datefirstship=first_shipping
    orders: id=order_id:i note=text code=key state=condition
    +items: id:i datefirstship note
  `)
  expect(config.naming?.renames).toEqual({ datefirstship: 'first_shipping' })
})

const SOURCES = `
    app.users: id=user_id:i name
    app.orders: id=order_id:i total
    app.items: id=item_id:i sku
`

test('a whole name of one source is that of the column in every source', async () => {
  const { config } = await learn(`${SOURCES}
    crm.leads: id=lead_id:i row_version_no_of_day=revision
    crm.deals: id=deal_id:i row_version_no_of_day=revision stage
  `)
  expect(config).toEqual({ naming: { renames: { row_version_no_of_day: 'revision' } } })
})

test('a name of one table names the column of another source where tables agree', async () => {
  const { config } = await learn(`${SOURCES}
    crm.leads: id=lead_id:i row_version_no=revision stage=phase
    shop.+parts: id:i row_version_no stage
  `)
  expect(config).toEqual({ naming: { renames: { row_version_no: 'revision', stage: 'phase' } } })
})

test('names go by the entity that people wrote, whatever the table is called', async () => {
  const { config } = await learn(`
    so: id=sales_order_id:i num=sales_order_number
    po: id=purchase_order_id:i num=purchase_order_number
    part: id=part_id:i num=part_number
    product: id=product_id:i num=product_number
  `)
  expect(config.naming?.renames).toEqual({ num: '{entity}_number' })
})

test('a source that keeps its names is an exception from what the others do', async () => {
  const { config, named } = await learn(`
    crm.leads: id=lead_id:i won_at=won_ts:t lost_at=lost_ts:t
    crm.deals: id=deal_id:i made_at=made_ts:t won_at=won_ts:t
    app.users: id=user_id:i seen_at=seen_ts:t left_at=left_ts:t
    app.orders: id=order_id:i paid_at=paid_ts:t sent_at=sent_ts:t
    app.items: id=item_id:i sold_at=sold_ts:t made_at=made_ts:t
    bank.accounts: id:i opened_at:t closed_at:t
  `)
  expect(config.naming?.patterns?.timestamp).toBe('{name}_ts')
  expect(config.sources?.['bank']?.naming).toEqual({
    ids: false,
    booleans: false,
    timestamps: false,
    dates: false,
  })
  expect(named.after).toBe(18)
})

test('what one source of several does applies to that source', async () => {
  const { config, named } = await learn(`
    crm.leads: id=lead_id:i won_at=won_ts:t lost_at=lost_ts:t
    crm.deals: id=deal_id:i made_at=made_ts:t won_at=won_ts:t
    app.users: id=user_id:i seen_at:t left_at:t
    app.orders: id=order_id:i paid_at:t sent_at:t
    app.items: id=item_id:i sold_at:t made_at:t
  `)
  expect(config).toMatchObject({ sources: { crm: { naming: { patterns: { timestamp: '{name}_ts' } } } } })
  expect(config.naming?.patterns).toBeUndefined()
  expect(named).toEqual({ before: 11, after: 15 })
})

test('what one model does otherwise teaches nothing', async () => {
  const { config } = await learn(`
    users: id=user_id:i name=full_name city
    orders: id=order_id:i name city
    items: id=item_id:i name city
  `)
  expect(config).toEqual({})
})

test('words that stand together in one name only say nothing of other names', async () => {
  const { config, named } = await learn(`
    users: id=user_id:i last_update=refreshed_at:t first_name
    orders: id=order_id:i last_update=refreshed_at:t total
    items: id=item_id:i last_update=refreshed_at:t last_name
  `)
  expect(Object.keys(config.naming?.glossary ?? {})).not.toContain('last')
  expect(named.after).toBe(9)
})

test('what the configuration says is not learned, and what is learned is valid configuration', async () => {
  const { config } = await learn(`
    users: id=user_key:i a_dt=a_date:t
    orders: id=order_key:i b_dt=b_date:t
    items: id=item_key:i c_dt=c_date:t
  `)
  expect(parseConfig(JSON.stringify(config), 'stagecraft.yml')).toEqual(config)
})

test('a model that selects all columns keeps their names', async () => {
  const star = (name: string): string =>
    `with source as (select * from {{ source('app', '${name}') }})\nselect * from source\n`
  const names = ['users', 'orders', 'items']
  const { columns, config, named } = await learn(
    '+users: id:i firstName\n+orders: id:i shipTo\n+items: id:i unitPrice',
    Object.fromEntries(names.map((name) => [`models/staging/app/stg_app__${name}.sql`, star(name)])),
  )
  expect(config.naming).toMatchObject({ columns: 'lower' })
  expect({ columns, named }).toEqual({ columns: 6, named: { before: 0, after: 6 } })
})

test('models that tell nothing are skipped, and said so', async () => {
  const { models, skipped } = await learn('users: id=user_id:i name', {
    'models/staging/app/stg_app__stars.sql': "select * from {{ source('app', 'stars') }}\n",
    'models/marts/both.sql':
      "select a.id from {{ ref('stg_app__users') }} a, {{ source('app', 'users') }} b\n",
  })
  expect(models).toBe(1)
  expect(skipped).toEqual([
    { path: 'models/staging/app/stg_app__stars.sql', reason: 'its list of columns cannot be read' },
  ])
})

test.each([
  ['source', 'id:i name user_id:i paid:b at:t note size color', 'source'],
  ['by kind', 'id:i user_id:i name note size color paid:b at:t', 'groups'],
  ['of its own', 'note size color name paid:b at:t id:i user_id:i', undefined],
])('the order of columns is learned where it is told: %s', async (_, order, expected) => {
  const columns = 'id:i name user_id:i paid:b at:t note size color'
  const stored = (name: string): string => `+${name}: ${columns}`
  const model = (name: string): string =>
    `select ${order.replaceAll(/:\w/g, '').split(' ').join(', ')} from {{ source('app', '${name}') }}\n`
  const names = ['users', 'orders', 'items']
  const { config, rules } = await learn(
    names.map(stored).join('\n'),
    Object.fromEntries(names.map((name) => [`models/staging/app/stg_app__${name}.sql`, model(name)])),
  )
  const learned = rules.find(({ text }) => text.startsWith('columns are '))
  expect(learned?.support).toEqual({ holds: 3, of: 3, unit: 'models' })
  // groups are the default
  expect(config.options?.columnOrder).toBe(expected === 'groups' ? undefined : expected)
  expect(learned?.keys).toEqual(expected === undefined ? [] : ['options.columnOrder'])
})

test('folders are learned that are called after the source, the entity or the table', async () => {
  const names = ['users', 'orders', 'items']
  const folderOf = async (place: (name: string) => string): Promise<string | undefined> => {
    const { config } = await learn(
      names.map((name) => `+${name}: id:i`).join('\n'),
      Object.fromEntries(
        names.map((name) => [place(name), `select id from {{ source('app', '${name}') }}\n`]),
      ),
    )
    return config.naming?.types?.staging?.folder
  }
  expect(await folderOf((name) => `models/in/app/${name}/stg_${name}.sql`)).toBe(
    'models/in/{source}/{entity}',
  )
  expect(await folderOf((name) => `models/in/${name.slice(0, -1)}/raw/${name.slice(0, -1)}.sql`)).toBe(
    'models/in/{entity}/raw',
  )
  expect(await folderOf((name) => `models/in/${name}.sql`)).toBe('models/in')
})

test('layout and shape are learned, with what holds against each rule', async () => {
  const sql = (table: string, columns: string): string =>
    `{{ config(materialized='table') }}\nWITH src AS (\n  SELECT * FROM {{ source('app', '${table}') }}\n)\n, cleaned AS (\n  SELECT\n    ${columns.split(' ').join('\n    , ')}\n  FROM src\n)\nSELECT * FROM cleaned\n`
  const file = (name: string): string => `models/raw/app/app_${name}.sql`
  const { config, rules } = await learn('pads: id=pad_id:i', {
    [file('cats')]: sql('cats', 'a b c d'),
    [file('cats').replace('.sql', '.yml')]:
      'models:\n  - name: app_cats\n    columns: [{ name: a, data_tests: [unique, not_null] }]\n',
    [file('dogs')]: sql('dogs', 'a b c d'),
    [file('dogs').replace('.sql', '.yml')]:
      'models:\n  - name: app_dogs\n    columns: [{ name: a, data_tests: [not_null, unique] }]\n',
    [file('birds')]: sql('birds', 'a b c d'),
    [file('birds').replace('.sql', '.yml')]:
      'models:\n  - name: app_birds\n    columns: [{ name: a, data_tests: [unique, not_null] }]\n',
    [file('fishes')]: sql('fishes', 'a b c d'),
    [file('fishes').replace('.sql', '.yml')]:
      'models:\n  - name: app_fishes\n    columns: [{ name: a, data_tests: [unique, not_null] }]\n',
    'models/raw/app/sources.yml': 'sources:\n  - name: app\n    tables: [{ name: cats }]\n',
  })
  expect(config).toEqual({
    options: {
      leadingCommas: true,
      materialized: 'table',
      yamlLayout: 'model',
      addTests: true,
      addDocs: false,
    },
    naming: {
      types: { staging: { model: '{source}_{entity}', folder: 'models/raw/{source}' } },
      sourcesFile: 'sources.yml',
      sourcesFolder: 'models/raw/{source}',
    },
  })
  expect(rules.find(({ keys }) => keys.includes('options.materialized'))).toMatchObject({
    support: { holds: 4, of: 5, unit: 'models' },
    exceptions: ['models/staging/app/stg_app__pads.sql'],
  })
  expect(rules.map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      'common table expressions are called `src` and `cleaned`',
      'keywords are in upper case',
      'keys are tested by not_null and unique',
    ]),
  )
})
