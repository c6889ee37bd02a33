import { expect, test } from 'vitest'
import { inNumber, nameEntity } from './entity.ts'
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
  ['raw_', 'raw', 'raw'],
  ['🚀', 'table', 'tables'],
])('%s is about a %s, and modelled as %s', (table, singular, model) => {
  expect(nameEntity(table, options)).toEqual({ singular, model })
})

test('keeps the name of the table where it is asked to', () => {
  expect(nameEntity('raw_Customer', { ...options, number: 'keep' }).model).toBe('raw_customer')
})

test('turns the last word only', () => {
  expect(inNumber('orders_item', 'plural')).toBe('orders_items')
  expect(inNumber('line_2', 'plural')).toBe('line_2')
})
