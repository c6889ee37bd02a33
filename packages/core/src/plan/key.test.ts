import { expect, test } from 'vitest'
import { generate } from '../generate.ts'

/** The columns that get a test of uniqueness where nothing but their names tells a key. */
function keyOf(table: string, columns: string): readonly string[] {
  const made = generate(
    { type: 'staging', source: `shop.${table}` },
    { name: table, columns: columns.split(' ').map((name) => ({ name, type: 'integer' })) },
    { dialect: 'postgres', config: { options: { addTests: true }, naming: { columns: 'keep' } } },
  )
  const [, ...models] = made.schema.split('- name: ').slice(1)
  return models
    .filter((text) => /^\s*- unique/m.test(text))
    .map((text) => /^"?([^"\s]+)/.exec(text)?.[1] ?? '')
}

test.each([
  ['circuits', 'circuitId location country', 'circuitId'],
  ['driverStandings', 'driverStandingsId raceId driverId', 'driverStandingsId'],
  ['labevents', 'labevent_id subject_id specimen_id', 'labevent_id'],
  ['zipcode', 'ZipCodeNum City', 'ZipCodeNum'],
  ['employees', 'emp_no hired', 'emp_no'],
  ['departments', 'dept_no title', 'dept_no'],
  ['supplier', 's_suppkey s_title s_nationkey', 's_suppkey'],
  ['nation', 'n_nationkey n_title n_regionkey', 'n_nationkey'],
  ['accounts', 'acc_id acc_title acc_state', 'acc_id'],
  // the word for a key comes first in many languages
  ['usuario', 'id_usuario primer_nombre', 'id_usuario'],
  ['autores', 'idAutor nombre', 'idAutor'],
  ['tb_pedido', 'id_pedido valor id_cliente', 'id_pedido'],
  ['commandes', 'num_commande montant', 'num_commande'],
  ['tipo_documento', 'id_tipo_doc tipo', 'id_tipo_doc'],
  // words that say what kind of table it is
  ['sales_fact', 'sales_key program_key', 'sales_key'],
  ['dim_stores', 'store_sk city', 'store_sk'],
  ['files', 'uuid owner_id', 'uuid'],
  ['images', 'img_id user_id', 'img_id'],
  ['shop_groups', 'shop_group_id state', 'shop_group_id'],
  ['transaction_items', 'item_id transaction_id product_id', 'item_id'],
  // a list of changes, each with its own id
  ['lead_history', 'id lead_id old_value created_date', 'id'],
])('a key by name: %s (%s)', (table, columns, key) => {
  expect(keyOf(table, columns)).toEqual([key])
})

test.each([
  ['participants', 'part_id quantity'],
  ['lineitem', 'l_orderkey l_partkey l_linenumber'],
  ['titles', 'emp_no title since'],
  ['dept_emp', 'emp_no dept_no since'],
  ['poe_detail', 'poe_id field content'],
  ['visits', 'site_id site_title site_state'],
  ['proyecto_empleado', 'id_empleado id_proyecto'],
  ['order_items', 'item_id order_id'],
  // two columns that may be it, and rows that are numbered within a parent
  ['board', 'seq subject id'],
  ['checkout_lines', 'checkout_id index id'],
  ['order_lines', 'checkout_id index'],
  // versions of a row
  ['contact_history', 'id email updated_at'],
  ['contacts', 'id email valid_from'],
])('no key by name: %s (%s)', (table, columns) => {
  expect(keyOf(table, columns)).toEqual([])
})

test.each([
  [0.97, 0],
  [0.9, 2],
])('a key that rows confirm with a confidence of %d has %i tests that only warn', (confidence, warnings) => {
  const observed = { rows: 900, key: { columns: ['year'], confidence } }
  const { schema } = generate(
    { type: 'staging', source: 'shop.prices' },
    { name: 'prices', columns: ['year', 'price'].map((name) => ({ name, type: 'integer' })), observed },
    { dialect: 'postgres', config: { options: { addTests: true } } },
  )
  expect(schema.match(/- (?:unique|not_null)/g)).toHaveLength(2)
  expect((schema.match(/severity: warn/g) ?? []).length).toBe(warnings)
})
