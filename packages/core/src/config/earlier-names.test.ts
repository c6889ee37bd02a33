import type { Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { generate } from '../generate.ts'
import { parseConfig } from './parse-config.ts'

const orders: Table = { schema: 'shop', name: 'orders', columns: [{ name: 'id', type: 'bigint' }] }

test('naming.kinds, the earlier name of naming.types, still places models, for all layers', () => {
  const config = parseConfig(
    [
      'naming: { kinds: { staging: { folder: models/in } } }',
      'sources:',
      '  shop:',
      '    naming: { kinds: { staging: { model: "raw_{entity}" } } }',
      '    tables: { orders: { naming: { kinds: { base: { folder: models/base } } } } }',
    ].join('\n'),
    'stagecraft.yml',
  )
  expect(config).toEqual({
    naming: { types: { staging: { folder: 'models/in' } } },
    sources: {
      shop: {
        naming: { types: { staging: { model: 'raw_{entity}' } } },
        tables: { orders: { naming: { types: { base: { folder: 'models/base' } } } } },
      },
    },
  })
  const { files } = generate({ type: 'staging', source: 'shop.orders' }, orders, {
    config,
    dialect: 'postgres',
  })
  expect(files.map(({ path }) => path)).toContain('models/in/raw_orders.sql')
})

test('a configuration object may use the earlier name too, and the new one wins', () => {
  const config = {
    naming: {
      kinds: { staging: { folder: 'models/old', model: 'old_{entity}' } },
      types: { staging: { folder: 'models/new' } },
    },
  }
  const { files } = generate({ type: 'staging', source: 'shop.orders' }, orders, {
    config,
    dialect: 'postgres',
  })
  expect(files.map(({ path }) => path)).toContain('models/new/old_orders.sql')
})

test('faults name the key as the file spells it', () => {
  const text = 'naming:\n  kinds: { staging: { foldr: models } }\n'
  expect(() => parseConfig(text, 'stagecraft.yml')).toThrow(/line 2.*naming\.kinds\.staging\.foldr/)
})
