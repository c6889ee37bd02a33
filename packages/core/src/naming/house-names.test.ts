import { expect, test } from 'vitest'
import type { Config, Naming } from '@stagecraft/spec'
import { createRun } from '../run/create-run.ts'

const TYPES: Readonly<Record<string, string>> = { b: 'boolean', d: 'date', t: 'timestamp', i: 'integer' }

/** The staged names of the columns `name:type` of a table. */
function staged(columns: string, naming: Naming, table = 'app_users'): readonly string[] {
  const config: Config = {
    naming,
    options: { columnOrder: 'source', casts: 'none', addTests: false, addDocs: false },
  }
  const item = {
    request: { type: 'staging' as const, source: `raw.app.${table}` },
    table: {
      name: table,
      columns: columns.split(' ').map((column) => {
        const [name = '', type = ''] = column.split(':')
        return { name, type: TYPES[type] ?? 'varchar' }
      }),
    },
  }
  const code = createRun([item], { dialect: 'postgres', config }).tables[0]?.generate().code ?? ''
  const list = /renamed as \(\s+select\n(?<list>[^]*?)\n\n {4}from/.exec(code)?.groups?.['list'] ?? ''
  return list.split(/,\n/).map((line) => line.trim().split(' ').at(-1) ?? '')
}

test('every column gets the entity in front, but keys and what has it already', () => {
  expect(
    staged('id:i name user_email active:b created:t company_id:i', {
      patterns: { default: '{entity}_{name}' },
    }),
  ).toEqual(['user_id', 'user_name', 'user_email', 'user_is_active', 'user_created_at', 'company_id'])
})

test('what a column holds decides its affix', () => {
  const patterns = {
    id: '{entity}_key',
    reference: '{name}_key',
    boolean: '{entity}_is_{name}',
    timestamp: '{name}_ts',
    date: '{name}_on',
  }
  const columns =
    'id:i company_id:i active_flag:b has_avatar:b created:t updated_at:t event_utc:t ordered_date:d dob:d'
  expect(staged(columns, { patterns })).toEqual([
    'user_key',
    'company_key',
    'user_is_active',
    'user_has_avatar',
    'created_ts',
    'updated_ts',
    'event_utc',
    'ordered_on',
    'dob',
  ])
  expect(staged('event_utc:t active:b', { patterns, timestamps: 'suffix' })).toEqual([
    'event_ts',
    'user_is_active',
  ])
  expect(staged('is_active:b has_avatar:b', { patterns: { boolean: '{name}_flag' } })).toEqual([
    'active_flag',
    'has_avatar_flag',
  ])
})

test('prefixes go: fixed ones, the entity, and the word that all columns share', () => {
  expect(staged('fld_name x_fld', { columnPrefixes: ['fld_'] })).toEqual(['name', 'x_fld'])
  expect(staged('user_name user_id:i', { columnPrefixes: ['{entity}_'] })).toEqual(['name', 'user_id'])
  expect(staged('U_NAME U_MAIL U_1ST', { columnPrefixes: ['{shared}_'] })).toEqual(['name', 'mail', 'u_1st'])
  expect(staged('U_NAME U_MAIL CITY', { columnPrefixes: ['{shared}_'] })).toEqual([
    'u_name',
    'u_mail',
    'city',
  ])
})

test('the glossary replaces several words in a row, the longest row first', () => {
  const glossary = { no: 'number', phone_no: 'phone', course_run: 'courserun' }
  expect(staged('phone_no order_no course_run_title', { glossary })).toEqual([
    'phone',
    'order_number',
    'courserun_title',
  ])
})

test('renames stand for many columns, the longest fitting one first', () => {
  const renames = { '*_dt': '*_date', 'rec_*_dt': 'record_*_date', NAME: '{entity}_name', '*_c': '*' }
  const columns = 'ship_dt rec_add_dt name region_c _dt'
  expect(staged(columns, { renames, glossary: { add: 'added' } })).toEqual([
    'ship_date',
    'record_added_date',
    'user_name',
    'region',
    '_dt',
  ])
})

test('a pattern does not repeat the words that a name already ends with', () => {
  const naming = {
    glossary: { ts: 'ts_utc' },
    timestamps: 'suffix',
    patterns: { timestamp: '{name}_ts_utc' },
  } as const
  expect(staged('created_ts:t updated_at:t ts:t note_ts', naming)).toEqual([
    'created_ts_utc',
    'updated_ts_utc',
    'ts_utc',
    'note_ts_utc',
  ])
  const local = { glossary: { ts: 'ts_local' }, patterns: { timestamp: '{entity}_{name}_ts_local' } } as const
  expect(staged('created_ts:t ts:t', { ...local, timestamps: 'suffix' })).toEqual([
    'user_created_ts_local',
    'user_ts_local',
  ])
})

test('patterns of table names tell the entity', () => {
  expect(staged('id:i', { entityFrom: ['*_{entity}'] }, 'raw__crm__sales_orders')).toEqual(['order_id'])
  expect(staged('id:i', { entityFrom: ['{word}_{entity}'] }, 'crm_sales_orders')).toEqual(['sales_order_id'])
  expect(staged('id:i', { entityFrom: ['x_{entity}'] }, 'orders')).toEqual(['order_id'])
})

test('words with capitals inside stay in one piece', () => {
  expect(staged('eComSKU iPadOSBuild', {})).toEqual(['e_com_sku', 'ipad_os_build'])
  expect(staged('eComSKU iPadOSBuild', { words: ['eCom', 'iPadOS'] })).toEqual(['ecom_sku', 'ipados_build'])
})

test('model names keep the underscores of the table, and properties are called after models', () => {
  const config: Config = {
    naming: {
      tablePrefixes: ['raw__'],
      types: { staging: { model: 'stg__{table}', folder: 'models/{source}', yaml: '_{model}.yml' } },
    },
    options: { yamlLayout: 'model' },
  }
  const item = {
    request: { type: 'staging' as const, source: 'raw.app.raw__shop__orders' },
    table: { name: 'raw__shop__orders', columns: [{ name: 'id', type: 'integer' }] },
  }
  const [table] = createRun([item], { dialect: 'postgres', config }).tables
  expect(table?.place()).toMatchObject({ paths: { modelYaml: 'models/app/_stg__shop__orders.yml' } })
})

test('folders are called after the source, the entity or the table', () => {
  const folderOf = (folder: string): string | undefined => {
    const config: Config = { naming: { types: { staging: { folder } } } }
    const item = {
      request: { type: 'staging' as const, source: 'raw.app.order' },
      table: { name: 'order', columns: [{ name: 'id', type: 'integer' }] },
    }
    return createRun([item], { dialect: 'postgres', config }).tables[0]?.place().paths.model
  }
  expect(folderOf('models/{source}/{entity}')).toBe('models/app/orders/stg_app__orders.sql')
  expect(folderOf('models/{table}')).toBe('models/order/stg_app__orders.sql')
})

test('a configured pattern names the key that is called after the table, and references by theirs', () => {
  const naming: Naming = {
    entityFrom: ['app_{entity}'],
    patterns: { id: 'pk_{entity}', reference: 'fk_{name}' },
  }
  expect(staged('user_id:i company_id:i', naming)).toEqual(['pk_user', 'fk_company'])
  expect(staged('id:i company_id:i', naming)).toEqual(['pk_user', 'fk_company'])
})

test('an entity at the end is not repeated', () => {
  const naming: Naming = { entityFrom: ['app_{entity}'], patterns: { boolean: 'is_{name}_{entity}' } }
  expect(staged('active:b current_user:b', naming)).toEqual(['is_active_user', 'is_current_user'])
})

test('the rest of a dropped prefix is split', () => {
  expect(staged('u_firstname u_lastname u_phonenumber', { columnPrefixes: ['{shared}_'] })).toEqual([
    'first_name',
    'last_name',
    'phone_number',
  ])
})
