import { DIALECTS } from '@stagecraft/dialects'
import { StagecraftError } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { parseSelector, parseSourceName } from './source-name.ts'

const { bigquery, databricks, mysql, postgres, sqlserver } = DIALECTS

test.each([
  ['payments', postgres, [undefined, undefined, 'payments']],
  ['stripe.payments', postgres, [undefined, 'stripe', 'payments']],
  ['raw.stripe.payments', postgres, ['raw', 'stripe', 'payments']],
  ['raw."my.schema"."a ""b"""', postgres, ['raw', 'my.schema', 'a "b"']],
  ['[raw].[dbo].[weird]]name]', sqlserver, ['raw', 'dbo', 'weird]name']],
  ['my-project.shop.orders', bigquery, ['my-project', 'shop', 'orders']],
  ['`my-project.shop.orders`', bigquery, ['my-project', 'shop', 'orders']],
  ['`example.com:raw.shop.orders`', bigquery, ['example.com:raw', 'shop', 'orders']],
  ['`my-project`.shop.`events_*`', bigquery, ['my-project', 'shop', 'events_*']],
  ['shop.events_*', bigquery, [undefined, 'shop', 'events_*']],
  ['lake.bronze.shop.orders', databricks, ['lake', 'bronze.shop', 'orders']],
  ['größe.straße', postgres, [undefined, 'größe', 'straße']],
])('reads %s', (text, dialect, [database, schema, table]) => {
  const name = parseSourceName(text, dialect)
  expect([name.database?.text, name.schema?.text, name.table.text]).toEqual([database, schema, table])
})

test.each([
  ['', 'got the end at position 1'],
  ['a..b', 'got "." at position 3'],
  ['my-schema.b', 'got "-" at position 3'],
  ['a.b.', 'got the end at position 5'],
  ['a b', 'got " " at position 2'],
  ['"abc', 'expected a closing "'],
  ['a.""', 'expected a name between the quotes'],
  ['a.b.c.d', 'expected at most database.schema.table in postgres'],
  ['a.*', 'got "*" at position 3'],
  ["a.b'; drop table x", 'at position 4'],
])('refuses %j and names the position', (text, message) => {
  expect(() => parseSourceName(text, postgres)).toThrow(message)
  expect(() => parseSourceName(text, postgres)).toThrow(StagecraftError)
})

test('knows that MySQL has no databases above schemas', () => {
  expect(() => parseSourceName('a.b.c', mysql)).toThrow('at most schema.table in mysql')
})

test('reads a schema selector', () => {
  expect(parseSelector('raw.stripe.*', postgres)).toEqual({
    database: { text: 'raw', quoted: false },
    schema: { text: 'stripe', quoted: false },
  })
  expect(parseSelector('stripe.payments', postgres)).toEqual({
    schema: { text: 'stripe', quoted: false },
    tables: [{ text: 'payments', quoted: false }],
  })
})

test.each([
  ['Raw Shop.*', '"Raw Shop".*'],
  ['shop.my table', 'shop."my table"'],
  ['shop.a-b', 'shop."a-b"'],
  ['shop..orders', 'raw.stripe."Weird name"'],
  ['"shop', 'raw.stripe."Weird name"'],
])('the error about %s shows %s', (text, example) => {
  expect(() => parseSourceName(text, postgres)).toThrow(`that are not plain names: ${example}`)
})

test('the parts before a star are those of a schema, nested or not, and no more', () => {
  const plain = (text: string) => ({ text, quoted: false })
  expect(parseSelector('project.lake.shop.*', DIALECTS.bigquery)).toEqual({
    database: plain('project'),
    schema: plain('lake.shop'),
  })
  expect(() => parseSelector('raw.shop.orders.*', DIALECTS.snowflake)).toThrow(
    'at most database.schema.table',
  )
  expect(() => parseSelector('raw.shop.*', DIALECTS.clickhouse)).toThrow('at most schema.table in clickhouse')
})
