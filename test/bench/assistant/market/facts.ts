/** What a model of the market is. Its files are written from this, and the answers about it are computed from this. */
export interface Fact {
  readonly name: string
  readonly folder: string
  /** What it reads: names of models and seeds, `source.table` for sources. */
  readonly reads: readonly string[]
  /** Columns, each as the expression that makes it, which is its own name by default. */
  readonly columns: Readonly<Record<string, string>>
  /** Data tests by column. */
  readonly tests?: Readonly<Record<string, readonly (string | object)[]>>
  readonly description?: string
  /** Descriptions of columns. */
  readonly described?: Readonly<Record<string, string>>
  /** The owner in `meta`. */
  readonly owner?: string
  /** @default that of the folder, in dbt_project.yml */
  readonly materialized?: string
  readonly tags?: readonly string[]
  readonly group?: string
  readonly hasContract?: true
  readonly access?: string
  readonly isDisabled?: true
  readonly macro?: string
  readonly uniqueKey?: string
}

export interface SourceFact {
  readonly source: string
  readonly table: string
  readonly description?: string
  readonly hasFreshness?: true
  readonly tests?: Readonly<Record<string, readonly string[]>>
}

/** Materializations, tags and schemas that dbt_project.yml sets by folder. */
export const FOLDERS: Readonly<
  Record<string, { readonly materialized: string; readonly tags?: string[]; readonly schema?: string }>
> = {
  staging: { materialized: 'view' },
  intermediate: { materialized: 'ephemeral' },
  marts: { materialized: 'table' },
  'marts/finance': { materialized: 'table', tags: ['finance'], schema: 'finance' },
}

const KEY = ['unique', 'not_null']

export const MODELS: readonly Fact[] = [
  {
    name: 'stg_app__users',
    folder: 'staging/app',
    reads: ['app.users'],
    columns: { user_id: 'id', email: 'email', country: 'country' },
    tests: { user_id: KEY, email: ['not_null'] },
    description: 'One row per person who signed up.',
    described: { user_id: 'The key.', email: 'As typed.' },
    tags: ['pii'],
  },
  {
    name: 'stg_app__listings',
    folder: 'staging/app',
    reads: ['app.listings'],
    columns: { listing_id: 'id', seller_id: 'seller_id', status: 'status' },
    tests: {
      listing_id: KEY,
      status: [{ accepted_values: { arguments: { values: ['open', 'sold'] } } }],
      seller_id: [{ relationships: { arguments: { to: "ref('stg_app__users')", field: 'user_id' } } }],
    },
    description: 'Things for sale.',
  },
  {
    name: 'stg_app__bids',
    folder: 'staging/app',
    reads: ['app.bids'],
    columns: { bid_id: 'id', listing_id: 'listing_id', bidder_id: 'user_id', amount: 'amount' },
  },
  {
    name: 'stg_app__payouts',
    folder: 'staging/app',
    reads: ['app.payouts'],
    columns: { payout_id: 'id', user_id: 'user_id', paid_amount: 'amount' },
    tests: { payout_id: ['unique'] },
    materialized: 'incremental',
    macro: 'cents_to_units',
  },
  {
    name: 'stg_crm__accounts',
    folder: 'staging/crm',
    reads: ['crm.accounts'],
    columns: { account_id: 'id', user_id: 'user_id', plan: 'plan' },
    description: 'Accounts as sales sees them.',
    owner: 'Dana',
    tags: ['pii'],
  },
  {
    name: 'stg_crm__contacts',
    folder: 'staging/crm',
    reads: ['crm.contacts'],
    columns: { contact_id: 'id', phone: 'phone' },
    tags: ['pii', 'crm'],
  },
  {
    name: 'int_bids_ranked',
    folder: 'intermediate',
    reads: ['stg_app__bids', 'stg_app__listings'],
    columns: {
      bid_id: 't1.bid_id',
      bidder_id: 't1.bidder_id',
      bid_amount: 't1.amount',
      seller_id: 't2.seller_id',
    },
    description: 'Bids with the seller they went to.',
  },
  {
    name: 'int_users_with_accounts',
    folder: 'intermediate',
    reads: ['stg_app__users', 'stg_crm__accounts'],
    columns: { user_id: 't1.user_id', email: 't1.email', country: 't1.country', plan: 't2.plan' },
  },
  {
    name: 'int_scores',
    folder: 'intermediate',
    reads: ['stg_app__users'],
    columns: { user_id: 'user_id' },
    materialized: 'view',
  },
  {
    name: 'dim_users',
    folder: 'marts/core',
    reads: ['int_users_with_accounts', 'country_codes'],
    columns: { user_id: 't1.user_id', email: 't1.email', country_name: 't2.name', plan: 't1.plan' },
    tests: { user_id: KEY },
    description: 'Every user, once.',
    described: {
      user_id: 'The key.',
      email: 'As typed.',
      country_name: 'In English.',
      plan: 'Of the account.',
    },
    group: 'core',
    hasContract: true,
    access: 'public',
  },
  {
    name: 'fct_bids',
    folder: 'marts/core',
    reads: ['int_bids_ranked', 'dim_users'],
    columns: {
      bid_id: 't1.bid_id',
      bidder_id: 't1.bidder_id',
      bid_amount: 't1.bid_amount',
      email: 't2.email',
    },
    tests: {
      bid_id: KEY,
      bidder_id: ['not_null', { relationships: { arguments: { to: "ref('dim_users')", field: 'user_id' } } }],
      bid_amount: [{ not_null: { config: { severity: 'warn' } } }],
    },
    description: 'Every bid.',
    described: { bid_id: 'The key.' },
    materialized: 'incremental',
    uniqueKey: 'bid_id',
    tags: ['nightly'],
    group: 'core',
    access: 'public',
  },
  {
    name: 'dim_accounts',
    folder: 'marts/core',
    reads: ['stg_crm__accounts'],
    columns: { account_id: 'account_id', plan: 'plan' },
    tests: { account_id: ['unique'] },
  },
  {
    name: 'fct_payouts',
    folder: 'marts/finance',
    reads: ['stg_app__payouts', 'dim_users'],
    columns: { payout_id: 't1.payout_id', user_id: 't1.user_id', paid_amount: 't1.paid_amount' },
    description: 'Money that left.',
    tags: ['nightly'],
    group: 'finance',
  },
  {
    name: 'fct_revenue',
    folder: 'marts/finance',
    reads: ['fct_payouts', 'fct_bids'],
    columns: { payout_id: 't1.payout_id', net_revenue: 't2.bid_amount - t1.paid_amount' },
    tests: { payout_id: ['not_null'] },
    group: 'finance',
  },
  {
    name: 'old_revenue',
    folder: 'marts/finance',
    reads: ['fct_bids'],
    columns: { bid_id: 'bid_id' },
    tests: { bid_id: ['not_null'] },
    description: 'As it was.',
    isDisabled: true,
  },
]

export const SOURCES: readonly SourceFact[] = [
  { source: 'app', table: 'users', description: 'The people.', hasFreshness: true, tests: { id: KEY } },
  { source: 'app', table: 'listings', hasFreshness: true },
  { source: 'app', table: 'bids' },
  { source: 'app', table: 'payouts', description: 'What was paid.' },
  { source: 'app', table: 'sessions' },
  { source: 'crm', table: 'accounts', description: 'From sales.' },
  { source: 'crm', table: 'contacts' },
  { source: 'crm', table: 'notes' },
]

export const SEEDS: readonly string[] = ['country_codes', 'fee_rates']

export interface ReaderFact {
  readonly kind: 'exposure' | 'snapshot' | 'test'
  readonly name: string
  readonly reads: readonly string[]
  readonly owner?: string
  /** Of a test. @default error */
  readonly severity?: 'warn'
}

export const READERS: readonly ReaderFact[] = [
  { kind: 'exposure', name: 'weekly_kpis', reads: ['fct_revenue', 'fct_bids'], owner: 'Finance Team' },
  { kind: 'exposure', name: 'churn_scores', reads: ['dim_users'], owner: 'Dana' },
  { kind: 'snapshot', name: 'users_history', reads: ['stg_app__users'] },
  { kind: 'test', name: 'assert_positive_payouts', reads: ['fct_payouts'], severity: 'warn' },
]

export const GROUPS = { core: 'core@market.example', finance: 'finance@market.example' } as const

export interface MacroFact {
  readonly name: string
  readonly parameters: string
  readonly body: string
  /** The models and macros that call it, and those that hand its name to `adapter.dispatch`. */
  readonly callers: readonly string[]
  readonly isCalledByDbt?: true
}

export const MACROS: readonly MacroFact[] = [
  {
    name: 'cents_to_units',
    parameters: 'column',
    body: '({{ column }} / {{ cents_per_unit() }})',
    callers: ['model.stg_app__payouts'],
  },
  { name: 'cents_per_unit', parameters: '', body: '100', callers: ['macro.cents_to_units'] },
  { name: 'legacy_format', parameters: 'day', body: "to_char({{ day }}, 'YYYY')", callers: [] },
  {
    name: 'day_of',
    parameters: 'time',
    body: "{{ return(adapter.dispatch('day_of')(time)) }}",
    callers: [],
  },
  { name: 'default__day_of', parameters: 'time', body: 'date({{ time }})', callers: ['macro.day_of'] },
  { name: 'postgres__day_of', parameters: 'time', body: '{{ time }}::date', callers: ['macro.day_of'] },
  {
    name: 'generate_schema_name',
    parameters: 'custom_schema_name, node',
    body: '{{ custom_schema_name or target.schema }}',
    callers: [],
    isCalledByDbt: true,
  },
]
