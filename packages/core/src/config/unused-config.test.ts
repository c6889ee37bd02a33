import type { Config } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { unusedColumns, unusedConfig } from './unused-config.ts'

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

test('names what no schema or table bears, when everything was read', () => {
  expect(pathsOf(config, tables, { isAll: true, isWhole: () => false })).toEqual([
    'sources.crm.tables.acounts',
    'sources.raw.web.tables.pagse',
    'sources.crmm',
  ])
})

test('says nothing of what was not read as a whole', () => {
  expect(pathsOf(config, tables, { isAll: false, isWhole: (schema) => schema === 'crm' })).toEqual([
    'sources.crm.tables.acounts',
  ])
  expect(pathsOf(config, tables, { isAll: false, isWhole: () => false })).toEqual([])
})

test('names columns that a table does not have, whatever the case', () => {
  const [table = { columns: [] }] = tables
  expect(unusedColumns({ ID: {}, nmae: {} }, table)).toEqual([
    {
      code: 'CONFIG_NOT_USED',
      message: 'columns.nmae in the configuration has no effect: the table has no such column',
    },
  ])
})
