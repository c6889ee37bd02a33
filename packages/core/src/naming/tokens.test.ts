import { expect, test } from 'vitest'
import { createVocabulary, runsTogether, splitWord, toSnakeCase } from './tokens.ts'

test.each([
  ['createdAt', 'created_at'],
  ['customerID', 'customer_id'],
  ['HTTPServerName', 'http_server_name'],
  ['productIDs', 'product_ids'],
  ['address2Line', 'address2_line'],
  ['CREATED_AT', 'created_at'],
  ['First Name', 'first_name'],
  ['OAuthToken', 'oauth_token'],
  ['netSuiteId', 'netsuite_id'],
  ['NetSuiteId', 'netsuite_id'],
  ['ChangeSetID', 'changeset_id'],
  ['myiOSApp', 'my_ios_app'],
  ['bPMc', 'bpmc'],
  ['mRNACount', 'mrna_count'],
  ['xAxis', 'x_axis'],
  ['isASale', 'is_a_sale'],
  ['imageURLsByID', 'image_urls_by_id'],
  ['myField__c', 'my_field__c'],
  ['_fivetran_synced', '_fivetran_synced'],
  ['__v', '__v'],
  ['_meta/op', '_meta_op'],
  ['a.b-c', 'a_b_c'],
  ['price ($)', 'price'],
  ['größe', 'grosse'],
  ['naïve señor', 'naive_senor'],
  ['名前', ''],
  ['🚀', ''],
  ['🚀 launch', 'launch'],
  ['___', ''],
  ['a_', 'a_'],
])('%s in snake case is %s', (name, expected) => {
  expect(toSnakeCase(name)).toBe(expected)
})

const vocabulary = createVocabulary(['sku'])

test.each([
  ['createdbyid', 'created by id'],
  ['sickleavehours', 'sick leave hours'],
  ['overageunusedunitscreditoption', 'overage unused units credit option'],
  ['lastmodifieddate', 'last modified date'],
  ['quantityperunit', 'quantity per unit'],
  ['numberofemployees', 'number of employees'],
  ['isactive', 'is active'],
  ['mediatypeid', 'media type id'],
  ['reportsto', 'reports to'],
  ['skucount', 'sku count'],
  ['netsuiteid', 'netsuite id'],
  ['pricebook2id', 'pricebook2 id'],
  ['addressline2', 'address line2'],
  ['awsregion', 'aws region'],
  ['cartontypeid', 'carton type id'],
  ['hierarchynumberofcontacts', 'hierarchy number of contacts'],
  ['lastreferenceddate', 'last referenced date'],
  ['sizeuomid', 'size uom id'],
  ['donotcall', 'do not call'],
  // whole words stay, however they could be cut
  ['username', 'username'],
  ['warehouse', 'warehouse'],
  ['subtotal', 'subtotal'],
  ['cannot', 'cannot'],
  ['webpage', 'webpage'],
  ['mentorship', 'mentorship'],
  // a part that is no word keeps the whole together
  ['custacct', 'custacct'],
  ['notable', 'notable'],
  ['therapist', 'therapist'],
])('%s is %s', (word, expected) => {
  expect(splitWord(word, vocabulary).join(' ')).toBe(expected)
})

test.each([
  ['createdbyid lastmodifieddate status', true],
  // the others separate their words, so these are an oversight
  ['vendorid payment_type trip_distance tip_amount', true],
  ['firstname customer_id country_id', true],
  // whole words are none
  ['username status payment_type', false],
  // most long names have unknown words
  ['kundennummer rechnungsdatum createdbyid', false],
  // a loader and Salesforce separate in names that are not the table's own
  ['_loaded_at region__c custacct', false],
])('%s are split: %s', (names, splits) => {
  expect(runsTogether(names.split(' '), vocabulary)).toBe(splits)
})
