import { DIALECTS, type Dialect, type Family } from '@stagecraft/dialects'
import { expect, test } from 'vitest'
import { dbtLabs } from '../presets/dbt-labs.ts'
import { WIDELY_RESERVED, nameColumn } from './column-name.ts'
import { createVocabulary } from './tokens.ts'

const naming = {
  entity: 'payment',
  dialect: DIALECTS.postgres as Dialect,
  rules: dbtLabs.naming,
  vocabulary: createVocabulary([]),
  splits: true,
}

function nameOf(name: string, family: Family, changes: Partial<typeof naming> = {}): readonly string[] {
  return nameColumn(
    { name, family, ordinal: 7, isMetadata: false },
    { ...naming, ...changes },
  ).candidates.map((candidate) => candidate.name)
}

test.each<[string, Family, string]>([
  ['id', 'integer', 'payment_id'],
  ['_id', 'string', 'payment_id'],
  ['customerID', 'integer', 'customer_id'],
  ['createdbyid', 'string', 'created_by_id'],
  // a state, or a kind of thing
  ['active', 'boolean', 'is_active'],
  ['active_flag', 'boolean', 'is_active'],
  ['is_active', 'boolean', 'is_active'],
  ['isdeleted', 'boolean', 'is_deleted'],
  ['issplit', 'boolean', 'is_split'],
  ['serializedflag', 'boolean', 'is_serialized'],
  ['to_be_emailed', 'boolean', 'to_be_emailed'],
  ['delinquent', 'boolean', 'is_delinquent'],
  ['hasoptedout', 'boolean', 'has_opted_out'],
  ['discussion_locked', 'boolean', 'is_discussion_locked'],
  ['trial', 'boolean', 'is_trial'],
  ['on_sale', 'boolean', 'is_on_sale'],
  ['email_verified_flag', 'boolean', 'is_email_verified'],
  ['email_verified', 'boolean', 'is_email_verified'],
  // never before a verb, a plural or a statement
  ['attachments', 'boolean', 'attachments'],
  ['skip_charges', 'boolean', 'skip_charges'],
  ['eligible_for_payments', 'boolean', 'eligible_for_payments'],
  ['merge_when_pipeline_succeeds', 'boolean', 'merge_when_pipeline_succeeds'],
  ['applies_once_per_customer', 'boolean', 'applies_once_per_customer'],
  ['buyer_accepts_marketing', 'boolean', 'buyer_accepts_marketing'],
  ['note_notify', 'boolean', 'note_notify'],
  ['issue', 'boolean', 'is_issue'],
  ['show_archived', 'boolean', 'show_archived'],
  // never before what describes more than one word
  ['taxable', 'boolean', 'taxable'],
  ['verified_email', 'boolean', 'verified_email'],
  ['tax_exempt', 'boolean', 'tax_exempt'],
  ['editable_in_portal', 'boolean', 'editable_in_portal'],
  ['online_order_flag', 'boolean', 'online_order_flag'],
  // what happened
  ['created', 'timestamp_tz', 'created_at'],
  ['createdAt', 'timestamp_ntz', 'created_at'],
  ['expires', 'timestamp_ntz', 'expires_at'],
  // what tells a time in its own words
  ['created_at_pt', 'timestamp_ntz', 'created_at_pt'],
  ['created_utc', 'timestamp_ntz', 'created_utc'],
  ['event_ts', 'timestamp_ntz', 'event_ts'],
  ['event_timestamp', 'timestamp_ntz', 'event_timestamp'],
  ['post_date_gmt', 'timestamp_ntz', 'post_date_gmt'],
  ['close_date', 'timestamp_ntz', 'close_date'],
  ['create_date', 'timestamp_ntz', 'create_date'],
  ['date_created', 'timestamp_ntz', 'date_created'],
  ['DATE_CREATED_GMT', 'timestamp_ntz', 'date_created_gmt'],
  ['datelastmodified', 'timestamp_ntz', 'date_last_modified'],
  ['create_time', 'timestamp_ntz', 'create_time'],
  ['created_date', 'timestamp_ntz', 'created_date'],
  ['createdTime', 'timestamp_ntz', 'created_time'],
  ['current_period_end', 'timestamp_ntz', 'current_period_end'],
  ['ship_time', 'timestamp_ntz', 'ship_time'],
  ['admittime', 'timestamp_ntz', 'admittime'],
  ['member_since', 'timestamp_ntz', 'member_since'],
  ['upd', 'timestamp_ntz', 'upd'],
  ['timestamp', 'timestamp_ntz', 'timestamp'],
  ['ts', 'timestamp_ntz', 'ts'],
  ['dt', 'date', 'dt'],
  ['date_ordered', 'date', 'date_ordered'],
  ['date_of_birth', 'date', 'date_of_birth'],
  ['ordered', 'date', 'ordered_date'],
  ['ordered_on', 'date', 'ordered_on'],
  ['order_date', 'date', 'order_date'],
  ['order_dt', 'date', 'order_dt'],
  ['dod', 'date', 'dod'],
  ['birthday', 'date', 'birthday'],
  // generic words stay, reserved ones do not
  ['date', 'date', 'date'],
  ['type', 'string', 'type'],
  ['index', 'integer', 'index'],
  ['order', 'string', 'payment_order'],
  ['user', 'string', 'payment_user'],
  ['status', 'string', 'status'],
  ['2fa', 'string', 'payment_2fa'],
  ['🚀', 'string', 'column_7'],
  // custom fields of Salesforce
  ['My_Field__c', 'string', 'my_field'],
  ['Renewed__c', 'boolean', 'is_renewed'],
  ['Start_Date__c', 'date', 'start_date'],
  ['sbqq__Net_Amount__c', 'decimal', 'net_amount'],
  ['exclude_from_report__c__c', 'string', 'exclude_from_report'],
  ['sbqq__Net_Amount__c__c', 'decimal', 'net_amount'],
  ['Region__pc__c', 'string', 'region'],
  // columns of a pipeline
  ['_batched', 'timestamp_ntz', '_batched'],
  ['_fivetran_synced', 'timestamp_ntz', '_fivetran_synced'],
])('%s of family %s is %s', (name, family, expected) => {
  expect(nameOf(name, family)[0]).toBe(expected)
})

test.each<[string, Family, string]>([
  ['event_ts', 'timestamp_ntz', 'event_at'],
  ['created_utc', 'timestamp_ntz', 'created_at'],
  ['date_created', 'timestamp_ntz', 'created_at'],
  ['createdate', 'timestamp_ntz', 'created_at'],
  ['ship_time', 'timestamp_ntz', 'shipped_at'],
  ['current_period_end', 'timestamp_ntz', 'current_period_end_at'],
  ['ts', 'timestamp_ntz', 'ts_at'],
  ['order_dt', 'date', 'order_date'],
  ['ordered_on', 'date', 'ordered_date'],
  ['order_date', 'date', 'order_date'],
  ['dt', 'date', 'dt'],
  ['date_ordered', 'date', 'ordered_date'],
])('%s of family %s is %s where all are to have a suffix', (name, family, expected) => {
  const rules = { ...naming.rules, timestamps: 'suffix', dates: 'suffix' } as const
  expect(nameOf(name, family, { rules })[0]).toBe(expected)
})

test('gives custom fields plain names, and longer ones where those are taken or where they are to keep them', () => {
  expect(nameOf('Renewed__c', 'boolean')).toEqual(['is_renewed', 'renewed__c'])
  expect(nameOf('Name__pc', 'string')).toEqual(['name', 'name__pc'])
  expect(nameOf('Gong__Call_Id__c', 'string')).toEqual(['call_id', 'gong__call_id', 'gong__call_id__c'])
  const rules = { ...naming.rules, customFields: 'keep' } as const
  expect(nameOf('Renewed__c', 'boolean', { rules })).toEqual(['renewed__c'])
  expect(nameOf('Gong__Call_Id__c', 'string', { rules })).toEqual(['gong__call_id__c'])
})

test('leaves run-together names where the table separates its words', () => {
  expect(nameOf('createdbyid', 'string', { splits: false })[0]).toBe('createdbyid')
  expect(nameOf('issplit', 'boolean', { splits: false })[0]).toBe('is_split')
})

test('puts no entity in front that makes a name too long, nor one that says the same', () => {
  const entity = `${'very_'.repeat(11)}long_shipment`
  expect(nameOf('id', 'integer', { entity })[0]).toHaveLength(61)
  expect(nameOf('id', 'integer', { entity: 'x'.repeat(70) })[0]).toBe('id')
  expect(nameOf('order', 'string', { entity: 'order' })[0]).toBe('order_value')
})

test('gives a column one name in every dialect', () => {
  for (const word of ['order', 'user', 'type', 'created', 'active'])
    for (const dialect of Object.values(DIALECTS))
      expect(nameOf(word, 'string', { dialect })).toEqual(nameOf(word, 'string'))
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
  expect(metadata('_fivetran_synced').candidates).toEqual([
    { name: '_fivetran_synced', rules: ['stored', 'metadata'] },
  ])
  expect(metadata('_meta/op').candidates).toEqual([{ name: '_meta_op', rules: ['snake', 'metadata'] }])
  expect(metadata('Op').candidates).toEqual([{ name: 'op', rules: ['snake', 'metadata'] }])
})

test('shortens a name that the warehouse would cut, and makes none that it would', () => {
  const name = (length: number): string => `on_${'x'.repeat(length - 3)}`
  const of = (length: number) =>
    nameColumn({ name: name(length), family: 'boolean', ordinal: 1, isMetadata: false }, naming)
  expect(of(60).candidates).toEqual([{ name: `is_${name(60)}`, rules: ['stored', 'booleans'] }])
  expect(of(61)).toMatchObject({ candidates: [{ name: name(61) }], wasShortened: false })
  expect(of(64).candidates[0]?.name).toHaveLength(63)
  expect(of(64).wasShortened).toBe(true)
})

test.each(['__proto__', 'constructor', 'toString'])('knows nothing of %s beyond its letters', (name) => {
  expect(nameOf(name, 'string')[0]).toMatch(/^[a-z_]+$/)
})

const dialects = Object.values(DIALECTS)
const words = new Set(dialects.flatMap((one) => [...one.words.reserved, ...one.words.evaluated]))
const count = (word: string): number =>
  dialects.filter((one) => one.words.reserved.has(word) || one.words.evaluated.has(word)).length

test('each word is reserved by five warehouses', () => {
  expect([...WIDELY_RESERVED].filter((word) => count(word) < 5)).toEqual([])
})

test('no word that half of the warehouses reserve is missing', () => {
  const missing = [...words].filter(
    (word) => count(word) * 2 >= dialects.length && !WIDELY_RESERVED.has(word),
  )
  expect(missing).toEqual([])
})

test('all names of one word get the entity if they are asked to', () => {
  const rules = { ...dbtLabs.naming, prefixWords: ['*'] }
  expect(
    ['status', 'net_amount', 'payment', 'id'].map((name) => nameOf(name, 'string', { rules })[0]),
  ).toEqual(['payment_status', 'net_amount', 'payment', 'payment_id'])
})

test.each<[string, string, string]>([
  ['customer_id', 'customerId', 'CustomerId'],
  ['CREATED', 'createdAt', 'CreatedAt'],
  ['id', 'paymentId', 'PaymentId'],
  ['status', 'status', 'Status'],
  ['line_2', 'line2', 'Line2'],
  ['bal_0_30', 'bal0_30', 'Bal0_30'],
  ['_etag_hash', '_etagHash', '_EtagHash'],
  ['createdbyid', 'createdById', 'CreatedById'],
])('%s is %s or %s where words are joined', (stored, camel, pascal) => {
  const family = stored === 'CREATED' ? 'timestamp_tz' : 'string'
  const named = (['camel', 'pascal'] as const).map(
    (columns) => nameOf(stored, family, { rules: { ...dbtLabs.naming, columns } })[0],
  )
  expect(named).toEqual([camel, pascal])
})
