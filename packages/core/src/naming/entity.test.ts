import { expect, test } from 'vitest'
import { inNumber, nameEntity, sharedPrefix } from './entity.ts'
import { createVocabulary } from './tokens.ts'

const options = {
  source: 'stripe',
  number: 'plural',
  prefixes: ['raw_', 'src_'],
  vocabulary: createVocabulary([]),
} as const

test.each([
  ['payments', 'payment', 'payments'],
  ['Payment', 'payment', 'payments'],
  ['raw_customers', 'customer', 'customers'],
  ['stripe_charges', 'charge', 'charges'],
  ['raw_stripe_charges', 'charge', 'charges'],
  ['orderlines', 'order_line', 'order_lines'],
  ['OrderLines', 'order_line', 'order_lines'],
  ['campaigns__ads', 'campaigns_ad', 'campaigns_ads'],
  ['order_history', 'order_history', 'order_history'],
  ['inventory', 'inventory', 'inventory'],
  ['ad_spend', 'ad_spend', 'ad_spend'],
  ['order_completed', 'order_completed', 'order_completed'],
  ['invoice_sent', 'invoice_sent', 'invoice_sent'],
  ['feed', 'feed', 'feeds'],
  ['status', 'status', 'statuses'],
  ['addresses', 'address', 'addresses'],
  ['people', 'person', 'people'],
  ['barns', 'barn', 'barns'],
  ['horses', 'horse', 'horses'],
  ['axles', 'axle', 'axles'],
  ['caves', 'cave', 'caves'],
  ['calories', 'calorie', 'calories'],
  ['wolves', 'wolf', 'wolves'],
  ['knives', 'knife', 'knives'],
  ['geese', 'goose', 'geese'],
  ['mice', 'mouse', 'mice'],
  ['feet', 'foot', 'feet'],
  ['women', 'woman', 'women'],
  ['potatoes', 'potato', 'potatoes'],
  ['leaves', 'leave', 'leaves'],
  ['bases', 'base', 'bases'],
  ['sales_people', 'sales_person', 'sales_people'],
  ['raw_', 'raw', 'raw'],
  ['🚀', 'table', 'tables'],
])('%s is about a %s, and modelled as %s', (table, singular, model) => {
  expect(nameEntity(table, options)).toEqual({ singular, model })
})

test.each([
  ['tap_gitlab', 'gitlab_issues', 'issue', 'gitlab_issues'],
  ['yuman_api', 'yuman_clients', 'client', 'yuman_clients'],
  ['tap_gitlab', 'merge_requests', 'merge_request', 'merge_requests'],
  // `order` is an ordinary word
  ['order_data', 'order_items', 'order_item', 'order_items'],
])('in %s, %s is about a %s without the name of the product', (source, table, singular, model) => {
  expect(nameEntity(table, { ...options, source })).toEqual({ singular, model })
})

test.each([
  ['orderlines', 'orderline', 'order_lines'],
  ['OrderLines', 'order_line', 'order_lines'],
  ['shop_programcertificates', 'shop_programcertificate', 'shop_program_certificates'],
  ['addresses', 'address', 'addresses'],
])('%s is about a %s where run-together names stay so, and modelled as %s', (table, singular, model) => {
  expect(nameEntity(table, { ...options, splits: false })).toEqual({ singular, model })
})

test('keeps the name of the table where it is asked to, but for prefixes to drop', () => {
  const kept = { ...options, number: 'keep' } as const
  expect(nameEntity('raw_Customer', kept).model).toBe('customer')
  expect(nameEntity('Stripe_Customer', kept).model).toBe('stripe_customer')
  expect(nameEntity('tbl_orders', { ...kept, prefixes: ['tbl'] }).model).toBe('orders')
  expect(nameEntity('raw__orders', kept).model).toBe('orders')
  expect(nameEntity('tbl_', { ...kept, prefixes: ['tbl'] }).model).toBe('tbl_')
  expect(nameEntity('orderlines__x', { ...kept, prefixes: [] }).model).toBe('orderlines__x')
})

test.each([
  ['voms', 'voms', 'voms'],
  ['marketing', 'marketing', 'marketing'],
  ['oauth', 'oauth', 'oauth'],
  ['wis', 'wis', 'wis'],
  ['contributions_news', 'contributions_news', 'contributions_news'],
  ['ai_usage_events_daily', 'ai_usage_events_daily', 'ai_usage_events_daily'],
  ['changesets', 'changeset', 'changesets'],
  ['player_stats', 'player_stats', 'player_stats'],
  ['gas', 'gas', 'gas'],
  ['earnings', 'earnings', 'earnings'],
  ['savings', 'savings', 'savings'],
  ['headquarters', 'headquarters', 'headquarters'],
])('leaves %s alone unless it knows the word', (table, singular, model) => {
  expect(nameEntity(table, options)).toEqual({ singular, model })
})

test('calls a row by what is its own where all tables of a source share the rest', () => {
  const tables = ['raw__app__pg__users_user', 'raw__app__pg__orders_order', 'raw__app__pg__orders_line']
  const shared = sharedPrefix(tables)
  expect(shared).toBe('raw_app_pg_')
  const singulars = tables.map((table) => nameEntity(table, { ...options, shared }).singular)
  expect(singulars).toEqual(['user', 'order', 'orders_line'])
})

test('takes no prefix for shared that is one word, or that few tables share', () => {
  expect(sharedPrefix(['sales_orders', 'sales_people', 'sales_tax'])).toBe('')
  expect(sharedPrefix(['a_b_orders', 'a_b_people'])).toBe('')
  expect(sharedPrefix(['a_b_orders', 'a_b_people', 'a_b'])).toBe('')
})

test('turns the last word only', () => {
  expect(inNumber('orders_item', 'plural')).toBe('orders_items')
  expect(inNumber('line_2', 'plural')).toBe('line_2')
})

test.each([
  ['recruitments', 'recruitment'],
  ['billing_remits', 'billing_remit'],
  ['write_offs', 'write_off'],
  ['brand_ambassadors', 'brand_ambassador'],
])('the ending of %s shows a plural: %s', (table, singular) => {
  expect(nameEntity(table, options)).toEqual({ singular, model: table })
})
