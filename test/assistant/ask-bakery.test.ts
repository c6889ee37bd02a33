import { ask, type ComputedAnswer } from '@stagecraft/assistant'
import { expect, test } from 'vitest'
import { BAKERY_FILES } from './bakery.ts'
import { viewOf } from './views.ts'

const view = viewOf(BAKERY_FILES)
const answerTo = async (question: string): Promise<ComputedAnswer> => ask(await view, question)

/** The ids of an answer without their kinds. */
function names({ items }: ComputedAnswer): string {
  const plain = items.map(({ id }) =>
    id.replace(/^(?:test\.)?(?:model|source|seed|snapshot|exposure|macro)\./, ''),
  )
  return [...new Set(plain)].toSorted().join(' ')
}

/** Questions with their answers, read off the files by hand. An empty answer says that nothing was found. */
const QUESTIONS: readonly (readonly [question: string, answer: string])[] = [
  ['which columns have personal data of customers?', ''],
  ['columns called category', 'dim_products:category stg_shop__products:category'],
  ['list all columns named category', 'dim_products:category stg_shop__products:category'],
  ['models with a column called category', 'dim_products stg_shop__products'],
  ['which exposures are notebooks?', 'lead_notebook'],
  ['notebooks', 'lead_notebook'],
  ['which source tables are read by no model?', 'shop.legacy_prices'],
  ['which private models have no description?', 'fct_refunds'],
  ['models without a group in models/marts', 'dim_products fct_leads'],
  ['which marts are not private?', 'dim_people dim_products fct_leads'],
  ['models that nothing reads', 'dim_products fct_refunds'],
  ['staging models without a primary key test', 'stg_shop__order stg_shop__products'],
  ['undocumented columns of fct_revenue', 'fct_revenue:person_id'],
  ['untested columns of dim_people', 'dim_people:country_name dim_people:email dim_people:phone'],
  ['relationships tests to stg_crm__people', 'stg_shop__orders:person_id.relationships'],
  ['which models depend on both shop.orders and shop.order?', 'fct_revenue int_orders__joined'],
  ['what is upstream of fct_refunds?', 'shop.orders stg_shop__orders'],
  [
    'which columns have personal data?',
    'crm.people:email crm.people:phone dim_people:email dim_people:phone people_snapshot:email people_snapshot:phone stg_crm__people:email stg_crm__people:full_label stg_crm__people:note stg_crm__people:phone',
  ],
  [
    'which columns contain PII?',
    'crm.people:email crm.people:phone dim_people:email dim_people:phone people_snapshot:email people_snapshot:phone stg_crm__people:email stg_crm__people:full_label stg_crm__people:note stg_crm__people:phone',
  ],
  [
    'where do we store personal data?',
    'crm.people:email crm.people:phone dim_people:email dim_people:phone people_snapshot:email people_snapshot:phone stg_crm__people:email stg_crm__people:full_label stg_crm__people:note stg_crm__people:phone',
  ],
  [
    'list sensitive columns',
    'crm.people:email crm.people:phone dim_people:email dim_people:phone people_snapshot:email people_snapshot:phone stg_crm__people:email stg_crm__people:full_label stg_crm__people:note stg_crm__people:phone',
  ],
  [
    'which columns hold personally identifiable information',
    'crm.people:email crm.people:phone dim_people:email dim_people:phone people_snapshot:email people_snapshot:phone stg_crm__people:email stg_crm__people:full_label stg_crm__people:note stg_crm__people:phone',
  ],
  [
    'which columns are pii?',
    'crm.people:email crm.people:phone dim_people:email dim_people:phone people_snapshot:email people_snapshot:phone stg_crm__people:email stg_crm__people:full_label stg_crm__people:note stg_crm__people:phone',
  ],
  ['which models have personal data?', 'dim_people stg_crm__people'],
  ['which tables does source crm have?', 'crm.leads crm.people'],
  ['models in the finance group with tests', 'fct_revenue'],
  ['models in the finance group that have no tests', 'fct_refunds'],
  ['finance group models with a description', 'fct_revenue'],
  ['models with pii', 'dim_people stg_crm__people'],
  ['which source tables contain personal data?', 'crm.people'],
  ['pii models', 'dim_people'],
  ['models tagged pii', 'dim_people'],
  ['columns without personal data in dim_people', 'dim_people:country_name dim_people:person_id'],
  [
    'personal columns of stg_crm__people',
    'stg_crm__people:email stg_crm__people:full_label stg_crm__people:note stg_crm__people:phone',
  ],
  ['which columns of stg_crm__leads are personal?', ''],
  ['what does jane@bakery.example own?', 'revenue_board'],
  ['what does Jane Roe own?', 'revenue_board'],
  ['what does bo@bakery.example own', 'lead_notebook'],
  ['which exposures does Bo Li own?', 'lead_notebook'],
  ['what does finance@bakery.example own?', 'fct_refunds fct_revenue'],
  ['which models are owned by Finance Team?', 'fct_refunds fct_revenue'],
  ['what does Ada Byron own', 'stg_crm__people'],
  ['which models does ada@bakery.example own', 'stg_crm__people'],
  [
    'models that are not tables',
    'fct_revenue int_orders__joined stg_crm__leads stg_crm__people stg_shop__order stg_shop__orders stg_shop__products',
  ],
  [
    'which models are not tables?',
    'fct_revenue int_orders__joined stg_crm__leads stg_crm__people stg_shop__order stg_shop__orders stg_shop__products',
  ],
  [
    "models that aren't tables",
    'fct_revenue int_orders__joined stg_crm__leads stg_crm__people stg_shop__order stg_shop__orders stg_shop__products',
  ],
  ['which models are tables?', 'dim_people dim_products fct_leads fct_refunds'],
  ['models that are tables', 'dim_people dim_products fct_leads fct_refunds'],
  [
    "which models aren't views?",
    'dim_people dim_products fct_leads fct_refunds fct_revenue int_orders__joined',
  ],
  ['which models are private?', 'fct_refunds fct_revenue'],
  ['private models', 'fct_refunds fct_revenue'],
  ['list the models that are private', 'fct_refunds fct_revenue'],
  ['which models are public', 'fct_leads'],
  ['which models of group finance', 'fct_refunds fct_revenue'],
  ['which models are in the finance group?', 'fct_refunds fct_revenue'],
  ['which models belong to group growth?', 'dim_people'],
  ['models in group finance that are incremental', 'fct_revenue'],
  ['which sources have no freshness?', 'crm.people shop.order'],
  ['sources without freshness', 'crm.people shop.order'],
  ['source tables without a freshness check', 'crm.people shop.order'],
  ['which sources have freshness', 'crm.leads shop.legacy_prices shop.orders shop.products'],
  ['where is raw_crm.crm_people used?', 'properties.models/staging/sources.yml stg_crm__people'],
  ['what depends on lake.raw_crm.CRM_PEOPLE?', 'dim_people people_snapshot revenue_board stg_crm__people'],
  ['what depends on "Raw Shop"."PRODUCTS"?', 'dim_products stg_shop__products'],
  ['which models depend on "Raw Shop".order?', 'fct_revenue int_orders__joined stg_shop__order'],
  ['which models depend on STG_CRM__PEOPLE', 'dim_people'],
  ['what does DIM_PEOPLE depend on?', 'countries crm.people stg_crm__people'],
  ['which sources feed FCT_REVENUE?', 'shop.order shop.orders'],
  [
    'how many tests does stg_crm__people have?',
    'stg_crm__people:email.not_null stg_crm__people:person_id.not_null stg_crm__people:person_id.unique',
  ],
  [
    'how many tests are on stg_crm__people?',
    'stg_crm__people:email.not_null stg_crm__people:person_id.not_null stg_crm__people:person_id.unique',
  ],
  [
    'which tests are on stg_crm__people',
    'stg_crm__people:email.not_null stg_crm__people:person_id.not_null stg_crm__people:person_id.unique',
  ],
  ['which unused sources are there?', 'shop.legacy_prices'],
  ['unused source tables', 'shop.legacy_prices'],
  ['unused seeds', 'unused_seed'],
  ['which models have no tests?', 'dim_products fct_leads fct_refunds int_orders__joined stg_shop__order'],
  ['which staging models have no tests?', 'stg_shop__order'],
  [
    'undocumented models',
    'dim_products fct_leads fct_refunds int_orders__joined stg_crm__leads stg_shop__order stg_shop__products',
  ],
  ['which models have a contract?', 'fct_leads'],
  ['models without a contract in models/marts', 'dim_people dim_products fct_refunds fct_revenue'],
  ['ephemeral models', 'int_orders__joined'],
  ['incremental models with tests', 'fct_revenue'],
  ['disabled models', 'old_report'],
  ['models tagged nightly', 'dim_people fct_revenue'],
  ['models tagged nightly but not pii', 'fct_revenue'],
  ['which tests have severity warn?', 'stg_crm__leads:lead_id.not_null'],
  ['models in models/marts/growth', 'dim_people dim_products fct_leads'],
  ['which models read countries?', 'dim_people'],
  ['which snapshots read stg_crm__people?', 'people_snapshot'],
  ['which exposures use stg_crm__people?', 'revenue_board'],
  ['models read by more than one model', 'stg_shop__orders'],
  ['dashboards', 'revenue_board'],
  ['macros nobody calls', 'cents never_called'],
  ['which models have a unique_key?', 'fct_revenue'],
  ['which models have at least 4 tests?', ''],
  ['models with more than 2 tests', 'fct_revenue stg_crm__leads stg_crm__people stg_shop__orders'],
  ['sources with tests', 'crm.people shop.orders'],
  ['columns of stg_crm__leads without tests', 'stg_crm__leads:email_hash'],
  [
    'which models do not depend on crm.people',
    'dim_products fct_leads fct_refunds fct_revenue int_orders__joined stg_crm__leads stg_shop__order stg_shop__orders stg_shop__products',
  ],
  [
    'which column holds the email of the customer?',
    'crm.people:email dim_people:email people_snapshot:email stg_crm__people:email',
  ],
  ['where is the email?', 'crm.people:email dim_people:email people_snapshot:email stg_crm__people:email'],
  ['which column has the email address?', 'stg_crm__people:email'],
  [
    'where is the phone number?',
    'crm.people:phone dim_people:phone people_snapshot:phone stg_crm__people:phone',
  ],
  [
    'which column holds the phone of a person?',
    'crm.people:phone dim_people:phone people_snapshot:phone stg_crm__people:phone',
  ],
  [
    'where is the order amount?',
    'fct_revenue:revenue int_orders__joined:order_amount shop.orders:amount stg_shop__orders:order_amount',
  ],
  [
    'which column has the order amount',
    'fct_revenue:revenue int_orders__joined:order_amount shop.orders:amount stg_shop__orders:order_amount',
  ],
  [
    'which column is the amount of the order?',
    'fct_revenue:revenue int_orders__joined:order_amount shop.orders:amount stg_shop__orders:order_amount',
  ],
  ['where is the revenue?', 'fct_revenue:revenue'],
  ['which column holds the refund?', 'fct_refunds:refund'],
  ['where is the currency?', 'stg_shop__orders:currency'],
  ['which column has the currency of the order?', 'stg_shop__orders:currency'],
  ['which column holds the product category?', 'dim_products:category stg_shop__products:category'],
  ['where is the product name?', 'dim_products:product_name stg_shop__products:product_name'],
  ['which column contains the unit price?', 'stg_shop__order:unit_price'],
  ['where is the quantity', 'int_orders__joined:quantity stg_shop__order:quantity'],
  ['which column has the country name?', 'countries:name dim_people:country_name'],
  ['where is the channel of the lead?', 'fct_leads:channel stg_crm__leads:channel'],
  ['which column holds the fax number?', ''],
  ['where is the birthday?', ''],
  ['where is the warehouse location?', ''],
  ['which column holds the discount?', ''],
  ['which column holds the password?', ''],
  ['where is the invoice number?', ''],
  ['which column has the tax rate?', ''],
  ['which column holds the delivery date?', ''],
  ['where is the gross amount?', 'stg_shop__orders:order_amount'],
  ['is there a column for the supplier?', ''],
  ['which column holds the note?', 'people_snapshot:note stg_crm__people:note'],
  ['which column stores the email hash?', 'stg_crm__leads:email_hash'],
  ['where is the weight of the product?', ''],
  ['where do we keep the lead channel?', 'fct_leads:channel stg_crm__leads:channel'],
]

test.each(QUESTIONS)('answers %j', async (question, answer) => {
  expect(names(await answerTo(question))).toBe(answer)
})

test.each([
  ['how many tests are there?', 20],
  ['how many tests do we have', 20],
  ['number of tests in the project', 20],
  ['how many tests are there on stg_crm__people?', 3],
  ['how many private models are there?', 2],
  ['how many columns have personal data?', 10],
])('counts %j', async (question, count) => {
  const { head, items } = await answerTo(question)
  expect(head['count'] ?? items.length).toBe(count)
})

test.each([
  ['who owns revenue_board?', { owner: 'Jane Roe, jane@bakery.example' }],
  ['who owns stg_crm__people?', { owner: 'Ada Byron, ada@bakery.example' }],
  ['who is the owner of fct_revenue?', { owner: 'Finance Team, finance@bakery.example' }],
  ['which group contains fct_revenue?', { group: '"finance"' }],
  ['group contains fct_revenue', { group: '"finance"' }],
  ['which group is dim_people in?', { group: '"growth"' }],
  [
    'what is the freshness of crm.leads?',
    {
      freshness: '{"warn_after":{"count":12,"period":"hour"},"error_after":{"count":24,"period":"hour"}}',
    },
  ],
  ['freshness of "Raw Shop".orders', { freshness: '{"warn_after":{"count":1,"period":"day"}}' }],
  ['does shop.order have a freshness check?', { freshness: 'no' }],
])('tells %j', async (question, config) => {
  const { head } = await answerTo(question)
  expect(head['config']).toMatchObject(config)
})

test.each([
  'pii columns',
  'is crm.leads fresh?',
  'when was crm.leads last loaded?',
  'which tests are slow?',
  'what does nobody@bakery.example own?',
  'which models of group marketing',
  'where is "No Schema".orders used?',
  'where is nowhere.orders used?',
  'where is otherdb.raw_crm.crm_people used?',
  'how many tests failed?',
  'which models are not important?',
  'why is fct_revenue private?',
  'which private models are slow?',
  'which warehouse has the most tables?',
])('refuses %j', async (question) => {
  await expect(answerTo(question)).rejects.toThrow('expected a question')
})

test('says why a column is personal, and which marked relations name none', async () => {
  const marked = {
    ...BAKERY_FILES,
    'models/marts/growth/dim_codes.sql': "select product_id as a from {{ ref('stg_shop__products') }}\n",
    'models/codes.yml': 'models: [{ name: dim_codes, config: { meta: { contains_pii: true } } }]\n',
  }
  const { items, notes, question } = await ask(await viewOf(marked), 'Which columns have personal data?')
  const said = Object.fromEntries(items.map(({ id, text }) => [id, text]))
  expect(said['model.stg_crm__people:note']).toBe('marked as personal data')
  expect(said['model.stg_crm__people:phone']).toBe('personal data by name')
  expect(said['model.stg_crm__leads:email_hash']).toBeUndefined()
  expect(notes).toContain('dim_codes is marked as having personal data, but none of its columns is')
  expect(question).toBe('Which columns have personal data?')
})
