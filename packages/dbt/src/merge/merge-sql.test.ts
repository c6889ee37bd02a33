import { DIALECTS } from '@stagecraft/dialects'
import { expect, test } from 'vitest'
import { mergeSql } from './merge-sql.ts'

const syntax = DIALECTS.duckdb

/** A model as it is generated, from lines of its select list. */
function model(...lines: readonly string[]): string {
  const list = lines.map((line) => (line === '' ? '' : `        ${line}`)).join('\n')
  return `with\n\nsource as (\n\n    select * from {{ source('shop', 'orders') }}\n\n),\n\nrenamed as (\n\n    select\n${list}\n\n    from source\n\n)\n\nselect * from renamed\n`
}

const BASE = model('-------- ids', 'id as order_id,', 'customer_id,', '', '-------- numbers', 'amount')
const WITH_TAX = model(
  '-------- ids',
  'id as order_id,',
  'customer_id,',
  'store_id,',
  '',
  '-------- numbers',
  'amount,',
  'tax',
)

test('writes new columns into the groups of a model that a person changed', () => {
  const present = model(
    '-------- ids',
    'id as order_id, -- the key',
    'customer_id,',
    '',
    '-------- numbers',
    'amount / 100 as amount -- cents',
  )
  expect(mergeSql({ base: BASE, present, wanted: WITH_TAX }, { syntax })).toEqual({
    text: model(
      '-------- ids',
      'id as order_id, -- the key',
      'customer_id,',
      'store_id,',
      '',
      '-------- numbers',
      'amount / 100 as amount, -- cents',
      'tax',
    ),
    conflicts: [],
  })
})

test.each([
  [
    'leading commas',
    'select\n    id AS order_id -- key\n    , customer_id\n    , amount -- money\nfrom x',
    'select\n    id AS order_id -- key\n    , customer_id\n    , store_id\n    , amount -- money\n    , tax\nfrom x',
  ],
  [
    'one line',
    'select id as order_id, customer_id, amount * 2 as amount from x',
    'select id as order_id, customer_id, store_id, amount * 2 as amount, tax from x',
  ],
  [
    'a comma before from',
    'select\n  id as order_id,\n  customer_id,\n  amount, -- money\nfrom x',
    'select\n  id as order_id,\n  customer_id,\n  store_id,\n  amount, -- money\n  tax,\nfrom x',
  ],
  [
    'line ends of Windows',
    'select\r\n\tid as order_id,\r\n\tcustomer_id,\r\n\tamount + 1 as amount\r\nfrom x\r\n',
    'select\r\n\tid as order_id,\r\n\tcustomer_id,\r\n\tstore_id,\r\n\tamount + 1 as amount,\r\n\ttax\r\nfrom x\r\n',
  ],
  [
    'from on the line of the last column',
    'select id as order_id,\n  customer_id,\n  amount a from x where not deleted',
    'select id as order_id,\n  customer_id,\n  store_id,\n  amount a,\n  tax from x where not deleted',
  ],
  [
    'columns that a person added and removed',
    'select\n    id as order_id,\n    /* own */ coalesce(a, b) as own\nfrom x',
    'select\n    id as order_id,\n    store_id,\n    tax,\n    /* own */ coalesce(a, b) as own\nfrom x',
  ],
])('follows the style of the list: %s', (_, present, text) => {
  expect(mergeSql({ base: BASE, present, wanted: WITH_TAX }, { syntax })).toEqual({ text, conflicts: [] })
})

test('does not write a column that a person already has, under whatever name', () => {
  const present = model('id as order_id,', 'store_id as shop_id,', 'tax,', 'amount')
  expect(mergeSql({ base: BASE, present, wanted: WITH_TAX }, { syntax })).toEqual({
    text: present,
    conflicts: [],
  })
})

test('keeps a person’s name when the expression of the column changes', () => {
  const base = model('id,', 'paid as paid_at')
  const wanted = model('id,', 'cast(paid as timestamp) as paid_at')
  expect(mergeSql({ base, present: model('id, -- key', 'paid as paid_at'), wanted }, { syntax }).text).toBe(
    model('id, -- key', 'cast(paid as timestamp) as paid_at'),
  )
  const { conflicts } = mergeSql({ base, present: model('id,', 'paid as settled_at'), wanted }, { syntax })
  expect(conflicts).toMatchObject([{ kind: 'column', column: 'settled_at', reason: 'both_changed' }])
})

test('removes a column that is gone, in every style of commas', () => {
  const base = model('id,', 'note,', 'amount')
  const wanted = model('id,', 'amount')
  const merged = (present: string): string => mergeSql({ base, present, wanted }, { syntax }).text
  expect(merged('select\n    id, -- key\n    note,\n    amount\nfrom x')).toBe(
    'select\n    id, -- key\n    amount\nfrom x',
  )
  expect(merged('select\n    id\n    , note\n    , amount -- b\nfrom x')).toBe(
    'select\n    id\n    , amount -- b\nfrom x',
  )
  expect(merged('select\n    note\n    , id\n    , amount -- b\nfrom x')).toBe(
    'select\n    id\n    , amount -- b\nfrom x',
  )
  expect(merged('select id, 1 as b, amount, note from x')).toBe('select id, 1 as b, amount from x')
  expect(merged('select\n    id, amount, --c\n    note\nfrom x')).toBe('select\n    id, amount --c\nfrom x')
})

test('leaves a column to the person who changed it when its source is gone', () => {
  const base = model('id,', 'note')
  const wanted = model('id')
  const conflict = { kind: 'column', reason: 'removed_but_changed', base: 'note', wanted: undefined }
  expect(
    mergeSql({ base, present: model('id,', 'trim(note) as note'), wanted }, { syntax }).conflicts,
  ).toEqual([{ ...conflict, column: 'note', present: 'trim(note) as note' }])
  expect(mergeSql({ base, present: model('id,', 'note as remark'), wanted }, { syntax }).conflicts).toEqual([
    { ...conflict, column: 'remark', present: 'note as remark' },
  ])
})

test('settles a column as it is told', () => {
  const base = model('id,', 'paid as paid_at,', 'amount')
  const wanted = model('id,', 'cast(paid as date) as paid_at,', 'amount,', 'tax')
  const present = model('id,', 'paid + 1 as paid_at, -- late', 'amount')
  const merged = (settlement: 'markers' | 'ours' | 'theirs'): string =>
    mergeSql({ base, present, wanted }, { syntax, settlement }).text
  expect(merged('ours')).toBe(model('id,', 'paid + 1 as paid_at, -- late', 'amount,', 'tax'))
  expect(merged('theirs')).toBe(model('id,', 'cast(paid as date) as paid_at, -- late', 'amount,', 'tax'))
  expect(merged('markers')).toContain(
    '<<<<<<< ours\n        paid + 1 as paid_at, -- late\n||||||| base\n        paid as paid_at, -- late\n=======\n        cast(paid as date) as paid_at, -- late\n>>>>>>> theirs\n',
  )
})

test('columns in conflict on one line share the markers', () => {
  const base = model('id,', 'paid,', 'amount')
  const wanted = model('id,', 'cast(paid as date) as paid,', 'amount / 100 as amount')
  const present = model('id, paid + 1 as paid, amount + 1 as amount')
  const marked = mergeSql({ base, present, wanted }, { syntax, settlement: 'markers' }).text
  expect(marked).toBe(
    model('id, paid + 1 as paid, amount + 1 as amount').replace(
      /^ +id,.*$/m,
      (line) =>
        `<<<<<<< ours\n${line}\n||||||| base\n        id, paid, amount\n=======\n        id, cast(paid as date) as paid, amount / 100 as amount\n>>>>>>> theirs`,
    ),
  )
})

test('lines between markers are those of the file, whatever their indentation and line ends', () => {
  const tabs = (text: string): string => text.replaceAll('        ', '\t\t').replaceAll('\n', '\r\n')
  const base = model('id,', 'a as x,', 'b as y')
  const own = ['case', '    when a > 1   then 1', 'end as x,']
  const present = tabs(model('id,', ...own, 'b as y'))
  const wanted = model('id,', 'cast(a as integer) as x,', 'b as y')
  const marked = mergeSql({ base, present, wanted }, { syntax, settlement: 'markers' }).text
  expect(marked).toContain(
    `\r\n<<<<<<< ours\r\n${own.map((line) => `\t\t${line}\r\n`).join('')}||||||| base\r\n\t\ta as x,\r\n=======\r\n\t\tcast(a as integer) as x,\r\n>>>>>>> theirs\r\n`,
  )
  const ours = marked.replace(/\|{7} base[^]*?>{7} theirs\r\n/, '').replace('<<<<<<< ours\r\n', '')
  expect(ours).toBe(present)
})

test('takes what only a formatter changed as unchanged', () => {
  const formatted =
    'WITH source AS (SELECT * FROM {{source("shop",\'orders\')}}),\nrenamed AS (\n  SELECT -------- ids\n'
      .replace(/^/, '')
      .concat(
        '    id AS order_id,\n    customer_id,\n    -------- numbers\n    amount,\n  FROM source)\nSELECT * FROM renamed',
      )
  expect(mergeSql({ base: BASE, present: formatted, wanted: BASE }, { syntax }).text).toBe(formatted)
  expect(mergeSql({ base: BASE, present: formatted, wanted: WITH_TAX }, { syntax }).text).toContain(
    '    customer_id,\n    store_id,\n    -------- numbers\n    amount,\n    tax,\n  FROM',
  )
})

test('merges what is around the list line by line', () => {
  const rows = (text: string, where: string): string =>
    text.replace('    from source\n', `    from source\n${where}`)
  const wanted = `{{ config(materialized='view') }}\n\n${WITH_TAX}`
  const present = rows(BASE.replace('amount\n', 'amount / 100 as amount\n'), '    where not is_test\n')
  expect(mergeSql({ base: BASE, present, wanted }, { syntax })).toEqual({
    text: rows(wanted.replace('amount,\n', 'amount / 100 as amount,\n'), '    where not is_test\n'),
    conflicts: [],
  })
  const other = rows(WITH_TAX, '    where deleted_at is null\n')
  expect(mergeSql({ base: BASE, present, wanted: other }, { syntax }).conflicts).toMatchObject([
    { kind: 'lines' },
  ])
})

test('does not touch a list that is made when dbt renders it', () => {
  const present = model('{% for c in cols %}', '{{ c }},', '{% endfor %}', 'id')
  const { conflicts, text } = mergeSql({ base: BASE, present, wanted: WITH_TAX }, { syntax })
  expect(text).toBe(present)
  expect(conflicts).not.toEqual([])
})

test.each([
  ['amount / 100 as amount -- cents', 'amount / 100 as total -- cents'],
  [
    'coalesce(\n            amount, 0\n        ) AS amount',
    'coalesce(\n            amount, 0\n        ) AS total',
  ],
  ['round(amount, 2) amount', 'round(amount, 2) total'],
])('a column that only takes another name keeps what a person selects: %j', (own, merged) => {
  const [present, text] = [own, merged].map((last) => model('id as order_id,', 'customer_id,', '', last))
  const wanted = BASE.replace(/amount$/m, 'amount as total')
  const texts = { base: BASE, present: present ?? '', wanted }
  expect(mergeSql(texts, { syntax })).toEqual({ text, conflicts: [] })
})

test('a new name is a conflict if the value changes too, or if a person has a column of that name', () => {
  const own = BASE.replace(/amount$/m, 'amount / 100 as amount')
  const converted = BASE.replace(/amount$/m, 'cast(amount as bigint) as total')
  expect(mergeSql({ base: BASE, present: own, wanted: converted }, { syntax }).conflicts).toMatchObject([
    { column: 'amount', reason: 'both_changed' },
  ])
  const both = BASE.replace(/amount$/m, 'amount / 100 as amount,\n        tax as total')
  const renamed = BASE.replace(/amount$/m, 'amount as total')
  expect(mergeSql({ base: BASE, present: both, wanted: renamed }, { syntax }).conflicts).toMatchObject([
    { column: 'amount', reason: 'both_changed' },
  ])
})
