// The tables of a company that loads ten systems into one warehouse: a columns file of more than 300.
import type { Table } from '@stagecraft/spec'

/** The things that each system keeps. */
const SYSTEMS: Readonly<Record<string, string>> = {
  stripe:
    'payment charge customer invoice invoice_line_item subscription plan product price refund dispute payout balance_transaction coupon tax_rate',
  shopify:
    'order order_line customer product product_variant collection discount_code fulfillment inventory_item location abandoned_checkout gift_card',
  salesforce:
    'account contact lead opportunity campaign campaign_member case task event product price_book quote contract user',
  hubspot: 'company contact deal engagement email_event form_submission list owner pipeline ticket workflow',
  zendesk: 'ticket ticket_comment user organization group brand macro satisfaction_rating view trigger',
  netsuite:
    'account transaction transaction_line vendor customer department item subsidiary currency location',
  google_ads: 'campaign ad_group ad keyword search_term geo_target conversion_action budget',
  facebook_ads: 'campaign ad_set ad creative audience insight pixel_event',
  jira: 'issue project sprint component version worklog comment board',
  workday: 'worker position organization job_profile pay_group absence cost_center location',
}

/** What a loader makes of each thing, besides itself. */
const FORMS = ['', '_history', '_tag'] as const

const plural = (name: string): string =>
  name.endsWith('y') ? `${name.slice(0, -1)}ies` : name.endsWith('s') ? name : `${name}s`

type Columns = Table['columns'][number][]

/** Returns the tables as they are first, or as they are a day later: with columns that came, went and changed. */
export function rawTables({ isLater = false }: { readonly isLater?: boolean } = {}): readonly Table[] {
  const tables = Object.entries(SYSTEMS).flatMap(([system, words]) =>
    words.split(' ').flatMap((thing, index, things) =>
      FORMS.map((form) => ({
        database: 'RAW',
        schema: system.toUpperCase(),
        name: (form === '' ? plural(thing) : `${thing}${form}`).toUpperCase(),
        comment: form === '' ? `One row per ${thing.replaceAll('_', ' ')}` : undefined,
        columns: columnsOf({ thing, form, other: things[index - 1], isLater }),
        primaryKey: form === '' ? ['ID'] : undefined,
      })),
    ),
  )
  return isLater ? tables.filter(({ name }) => !/^(?:GIFT_CARD|PIXEL_EVENT)/.test(name)) : tables
}

interface Shape {
  readonly thing: string
  readonly form: (typeof FORMS)[number]
  readonly other: string | undefined
  readonly isLater: boolean
}

function columnsOf({ form, isLater, other, thing }: Shape): Columns {
  const timestamp = isLater && /^(?:payment|order)$/.test(thing) ? 'TIMESTAMP_TZ' : 'TIMESTAMP_NTZ'
  const columns: Columns = [
    { name: 'ID', type: 'VARCHAR', nullable: false },
    ...(form === '' ? [] : [{ name: `${thing}_ID`.toUpperCase(), type: 'VARCHAR' }]),
    ...(other === undefined ? [] : [{ name: `${other}_ID`.toUpperCase(), type: 'VARCHAR' }]),
    { name: 'STATUS', type: 'VARCHAR', values: ['open', 'paid', 'failed'], comment: 'Where it stands.' },
    { name: 'AMOUNT_CENTS', type: 'NUMBER(38,0)', comment: 'In the currency of the row.' },
    { name: 'CURRENCY', type: 'VARCHAR(3)' },
    { name: 'IS_TEST', type: 'BOOLEAN' },
    { name: 'CREATED', type: timestamp, comment: `When the ${thing.replaceAll('_', ' ')} was made.` },
    { name: 'UPDATED', type: 'TIMESTAMP_NTZ' },
    ...(isLater && thing === 'customer' ? [{ name: 'MARKETING_CONSENT', type: 'BOOLEAN' }] : []),
    { name: '_FIVETRAN_DELETED', type: 'BOOLEAN' },
    { name: '_FIVETRAN_SYNCED', type: 'TIMESTAMP_TZ' },
  ]
  return isLater && thing === 'subscription' ? columns.filter(({ name }) => name !== 'IS_TEST') : columns
}
