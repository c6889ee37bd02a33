import { expect, test } from 'vitest'
import type { Family } from '../dialects/dialect.ts'
import { DIALECTS } from '../dialects/index.ts'
import { dbtLabs } from '../presets/dbt-labs.ts'
import { nameColumn } from './column-name.ts'
import { createVocabulary } from './tokens.ts'

const naming = {
  entity: 'payment',
  dialect: DIALECTS.postgres,
  rules: dbtLabs.naming,
  vocabulary: createVocabulary([]),
}

function nameOf(name: string, family: Family, changes: Partial<typeof naming> = {}): readonly string[] {
  return nameColumn({ name, family, ordinal: 7, isMetadata: false }, { ...naming, ...changes }).candidates
}

test.each<[string, Family, string]>([
  ['id', 'integer', 'payment_id'],
  ['_id', 'string', 'payment_id'],
  ['customerID', 'integer', 'customer_id'],
  ['createdbyid', 'string', 'created_by_id'],
  ['active', 'boolean', 'is_active'],
  ['active_flag', 'boolean', 'is_active'],
  ['is_active', 'boolean', 'is_active'],
  ['isdeleted', 'boolean', 'is_deleted'],
  ['attachments', 'boolean', 'has_attachments'],
  ['status', 'boolean', 'is_status'],
  ['flag', 'boolean', 'is_flag'],
  ['buyer_accepts_marketing', 'boolean', 'buyer_accepts_marketing'],
  ['created', 'timestamp_tz', 'created_at'],
  ['createdate', 'timestamp_ntz', 'created_at'],
  ['lastmodifieddate', 'timestamp_ntz', 'updated_at'],
  ['date_created', 'timestamp_ntz', 'created_at'],
  ['created_utc', 'timestamp_ntz', 'created_at'],
  ['createdAt', 'timestamp_ntz', 'created_at'],
  ['created_at_pt', 'timestamp_ntz', 'created_at_pt'],
  ['ship_time', 'timestamp_ntz', 'shipped_at'],
  ['timestamp', 'timestamp_ntz', 'payment_at'],
  ['ordered_on', 'date', 'ordered_date'],
  ['order_date', 'date', 'order_date'],
  ['order_dt', 'date', 'order_date'],
  ['birthday', 'date', 'birthday'],
  ['date', 'date', 'payment_date'],
  ['order', 'string', 'payment_order'],
  ['user', 'string', 'payment_user'],
  ['type', 'string', 'payment_type'],
  ['status', 'string', 'status'],
  ['2fa', 'string', 'payment_2fa'],
  ['🚀', 'string', 'column_7'],
  ['My_Field__c', 'string', 'my_field__c'],
])('%s of family %s is %s', (name, family, expected) => {
  expect(nameOf(name, family)[0]).toBe(expected)
})

test('offers the direct name too where the best one stands for another word', () => {
  expect(nameOf('last_modified', 'timestamp_ntz')).toEqual(['updated_at', 'last_modified_at'])
  expect(nameOf('id', 'integer')).toEqual(['payment_id', 'id'])
})

test('expands only what the glossary knows', () => {
  const rules = { ...naming.rules, glossary: { cust: 'customer', no: 'number' } }
  expect(nameOf('cust_acct_no', 'string', { rules })[0]).toBe('customer_acct_number')
})

test('takes the user’s name for a whole column, whatever the case', () => {
  const rules = { ...naming.rules, renames: { Cust_No: 'customer_number' } }
  expect(nameOf('CUST_NO', 'string', { rules })).toEqual(['customer_number'])
})

test('leaves a loader’s column as it is, but for what SQL cannot read', () => {
  const metadata = (name: string) =>
    nameColumn({ name, family: 'timestamp_tz', ordinal: 1, isMetadata: true }, naming)
  expect(metadata('_fivetran_synced').candidates).toEqual(['_fivetran_synced'])
  expect(metadata('_meta/op').candidates).toEqual(['_meta_op'])
  expect(metadata('Op').candidates).toEqual(['op'])
})

test('shortens a name that the warehouse would cut', () => {
  const names = nameColumn({ name: 'x'.repeat(63), family: 'boolean', ordinal: 1, isMetadata: false }, naming)
  expect(names.candidates[0]).toHaveLength(63)
  expect(names.wasShortened).toBe(true)
})

test.each(['__proto__', 'constructor', 'toString'])('knows nothing of %s beyond its letters', (name) => {
  expect(nameOf(name, 'string')[0]).toMatch(/^[a-z_]+$/)
})
