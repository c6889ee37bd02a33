import { DIALECTS } from '@stagecraft/dialects'
import type { Config, GenerationOptions } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { createRunSettings, fillConfig, settingsFor, unusedColumns, unusedConfig } from './settings.ts'

const name = { database: 'raw', schema: 'stripe', table: 'Payments' }

function settings(config: Config, asked: GenerationOptions = {}, defaults: GenerationOptions = {}) {
  return settingsFor(
    createRunSettings({ dialect: DIALECTS.postgres, config, project: undefined, defaults }),
    name,
    asked,
  )
}

test('applies preset, configuration, source, table and request in this order', () => {
  const config: Config = {
    preset: 'fivetran',
    options: { casts: 'none', yamlLayout: 'model' },
    sources: { stripe: { options: { casts: 'safe' }, tables: { payments: { options: { casts: 'full' } } } } },
  }
  const { options } = settings(config, { deletedRows: 'flag' })
  expect(options).toMatchObject({
    casts: 'full',
    yamlLayout: 'model',
    deletedRows: 'flag',
    columnOrder: 'source',
    freshness: { warnAfter: { count: 72 } },
  })
})

test('lets the preset override the defaults of the caller, and the configuration the preset', () => {
  expect(settings({ preset: 'dbt-codegen' }, {}, { addTests: true }).options.addTests).toBe(false)
  expect(settings({ preset: 'dbt-codegen', options: { addTests: true } }).options.addTests).toBe(true)
  expect(settings({}, {}, { addTests: true }).options.addTests).toBe(true)
})

test('prefers the settings of the exact database', () => {
  const config: Config = { sources: { stripe: { name: 'any' }, 'raw.stripe': { name: 'exact' } } }
  expect(settings(config).source.name).toBe('exact')
})

test('adds to glossary and renames, and replaces lists', () => {
  const { naming } = settings({
    naming: { glossary: { amt: 'amount' }, prefixWords: ['code'] },
    sources: { stripe: { naming: { glossary: { cust: 'customer' } } } },
  })
  expect(naming.glossary).toEqual({ amt: 'amount', cust: 'customer' })
  expect(naming.prefixWords).toEqual(['code'])
})

test('ignores undefined values', () => {
  expect(settings({}, { casts: undefined }).options.casts).toBe('safe')
})

test('fills a configuration with every default', () => {
  expect(fillConfig({ options: { casts: 'none' } })).toMatchObject({
    preset: 'dbt-labs',
    options: { casts: 'none', deletedRows: 'filter' },
    naming: { entity: 'plural' },
  })
})

const tables = [
  { schema: 'crm', name: 'Accounts', columns: [{ name: 'id', type: 'int' }] },
  { schema: 'web', name: 'pages', columns: [] },
]
const config: Config = {
  sources: {
    crm: { tables: { accounts: {}, acounts: {} } },
    'raw.web': { tables: { pagse: {} } },
    crmm: { name: 'x' },
  },
}
const pathsOf = (...options: Parameters<typeof unusedConfig>): readonly string[] =>
  unusedConfig(...options).map(({ message }) => message.split(' ')[0] ?? '')

test('names unused schemas and tables when everything was read', () => {
  expect(pathsOf(config, tables, { isAll: true, isWhole: () => false })).toEqual([
    'sources.crm.tables.acounts',
    'sources.raw.web.tables.pagse',
    'sources.crmm',
  ])
})

test('reports nothing about schemas that were read in part', () => {
  expect(pathsOf(config, tables, { isAll: false, isWhole: (schema) => schema === 'crm' })).toEqual([
    'sources.crm.tables.acounts',
  ])
  expect(pathsOf(config, tables, { isAll: false, isWhole: () => false })).toEqual([])
})

test('names the settings of a schema that another key with its database hides', () => {
  const two: Config = { sources: { crm: { name: 'a' }, 'raw.crm': { name: 'b' } } }
  const raw = { database: 'raw', schema: 'crm', name: 'accounts', columns: [] }
  const scope = { isAll: false, isWhole: () => false }
  expect(unusedConfig(two, [raw], scope)).toEqual([
    {
      code: 'CONFIG_NOT_USED',
      message:
        'sources.crm in the configuration has no effect: sources."raw.crm" has the settings of raw.crm',
    },
  ])
  expect(unusedConfig(two, [raw, { ...raw, database: 'other' }], scope)).toEqual([])
})

test('names columns that a table does not have, ignoring case', () => {
  const [table = { columns: [] }] = tables
  expect(
    unusedColumns({ columns: { ID: {}, nmae: {} } }, table, (...members) =>
      ['sources.crm.tables.x', ...members].join('.'),
    ),
  ).toEqual([
    {
      code: 'CONFIG_NOT_USED',
      message:
        'sources.crm.tables.x.columns.nmae in the configuration has no effect: the table has no such column',
    },
  ])
})
