// A dbt project that people have worked on: some of it is good, and some is what lint is for.

type Files = Readonly<Record<string, string>>

const MARTS = 'orders customers revenue refunds churn retention campaigns tickets payroll margins'.split(' ')
const RAW = 'payments customers invoices subscriptions refunds disputes'.split(' ')

const SOURCES = `version: 2

sources:
  - name: stripe
    database: raw
    tables:
${RAW.map((name) => `      - name: ${name}`).join('\n')}
`

const staging = (name: string): string => `with

source as (

    select * from {{ source('stripe', '${name}') }}

)

select
    id as ${name.slice(0, -1)}_id,
    customer_id,
    amount_cents / 100 as amount,
    currency,
    created as created_at
from source
`

const mart = (name: string, index: number): string => `select
    customers.customer_id,
    ${index % 2 === 0 ? 'payments.*' : 'payments.payment_id'},
    sum(payments.amount) as ${name}_amount
from {{ ref('stg_stripe__customers') }} as customers
left join ${index % 3 === 0 ? 'raw.stripe.payments' : "{{ ref('stg_stripe__payments') }}"} as payments
    on payments.customer_id = customers.customer_id
group by 1, 2
${index % 4 === 1 ? `having sum(payments.amount) <> NULL\n` : ''}`

const PROPERTIES = `version: 2

models:
${RAW.map(
  (name) => `  - name: stg_stripe__${name}
    description: One row per ${name.slice(0, -1)}.
    columns:
      - name: ${name.slice(0, -1)}_id
        data_tests: [unique, not_null]
`,
).join('')}`

/** The project as it was first. */
export const FIRST_FILES: Files = {
  'dbt_project.yml': 'name: northlight\nversion: 1.0.0\nprofile: northlight\n',
  'models/staging/stripe/_stripe__sources.yml': SOURCES,
  ...Object.fromEntries(
    RAW.map((name) => [`models/staging/stripe/stg_stripe__${name}.sql`, staging(name)] as const),
  ),
  ...Object.fromEntries(
    MARTS.map((name, index) => [`models/marts/fct_${name}.sql`, mart(name, index)] as const),
  ),
}

/** What people mended since, commit by commit. */
export const MENDED: readonly Files[] = [
  { 'models/staging/stripe/_stripe__models.yml': PROPERTIES },
  {
    'models/marts/fct_orders.sql': mart('orders', 5).replace('<> NULL', 'is not null'),
    'models/marts/fct_refunds.sql': mart('refunds', 7),
  },
  {
    'models/marts/_marts__models.yml': `version: 2\n\nmodels:\n${MARTS.slice(0, 5)
      .map((name) => `  - name: fct_${name}\n    description: ${name} by customer.\n`)
      .join('')}`,
    'models/marts/fct_payroll.sql': mart('payroll', 11),
  },
]
