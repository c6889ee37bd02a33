import type { CatalogTable } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { DIALECTS } from '@stagecraft/dialects'
import { infer } from './infer.ts'
import { suggestionsOf } from './suggestions.ts'

test('names that need quotes have them, as a source name has', async () => {
  const tables: readonly CatalogTable[] = [
    { schema: 'My Shop', name: 'Orders', columns: [{ name: 'Order Id', type: 'integer' }] },
    { schema: 'My Shop', name: 'customers', columns: [{ name: 'id', type: 'integer' }] },
  ]
  const inference = await infer(
    tables.map((table) => ({ table })),
    { dialect: DIALECTS.postgres },
  )
  expect(suggestionsOf(inference, {})).toMatchObject([
    { id: '"My Shop".Orders:key', text: '"Order Id"', setting: { value: ['Order Id'] } },
    { id: '"My Shop".customers:key', text: 'id' },
  ])
})
