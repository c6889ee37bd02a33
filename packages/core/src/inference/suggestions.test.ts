import type { CatalogTable } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { DIALECTS } from '@stagecraft/dialects'
import { infer } from './infer.ts'
import type { Verify } from './inference.ts'
import { isAcceptedByAll, suggestionsOf } from './suggestions.ts'

test('names that need quotes have them, as in a source name', async () => {
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

test('declared references are not suggested, but are part of the result', async () => {
  const tables: readonly CatalogTable[] = [
    { schema: 'shop', name: 'users', primaryKey: ['id'], columns: [{ name: 'id', type: 'integer' }] },
    { schema: 'shop', name: 'staff', primaryKey: ['id'], columns: [{ name: 'id', type: 'integer' }] },
    {
      schema: 'shop',
      name: 'orders',
      primaryKey: ['id'],
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'user_id', type: 'integer' },
        { name: 'staff_id', type: 'integer' },
      ],
      foreignKeys: [
        // against what its name says
        { columns: ['user_id'], references: { table: { schema: 'shop', name: 'staff' }, columns: ['id'] } },
        { columns: ['staff_id'], references: { table: { schema: 'hr', name: 'people' }, columns: ['id'] } },
      ],
    },
  ]
  const inference = await infer(
    tables.map((table) => ({ table })),
    { dialect: DIALECTS.postgres },
  )
  expect(inference.references).toMatchObject([
    { child: { columns: ['user_id'] }, parent: { table: { name: 'staff' } }, origin: 'declared' },
  ])
  expect(suggestionsOf(inference, {})).toEqual([])
})

test('lists that only rows show are suggested, but not accepted with all; declared lists are not suggested', async () => {
  const values = ['a', 'b'].map((value) => ({ value, rows: 100, halves: [true, true] as const }))
  const status = { nulls: 0, distinct: 2, minLength: 1, maxLength: 1, values }
  const { facts, ...found } = await infer(
    [
      {
        table: {
          schema: 'shop',
          name: 'orders',
          columns: [
            { name: 'status', type: 'text' },
            { name: 'kind', type: 'text', values: ['a', 'b', 'c'] },
          ],
        },
        profile: { rows: 200, columns: { status, kind: status } },
      },
    ],
    { dialect: DIALECTS.postgres },
  )
  const suggestions = suggestionsOf({ ...found, facts }, {})
  expect(suggestions.map(({ id }) => id)).toEqual(['shop.orders.status:values'])
  expect(suggestions.filter(isAcceptedByAll)).toEqual([])
})

test.each([
  [0, ['shop.orders.user_id:references']],
  [3, []],
])('a reference with %i values without a parent: --accept all takes %j', async (violations, accepted) => {
  const id = { nulls: 0, distinct: 200, min: 1, max: 200 }
  const tables = [
    { schema: 'shop', name: 'users', columns: [{ name: 'id', type: 'integer' }] },
    { schema: 'shop', name: 'orders', columns: [{ name: 'user_id', type: 'integer' }] },
  ]
  const verify: Verify = (checks) => Promise.resolve(checks.map(() => ({ violations, checked: 200 })))
  const inference = await infer(
    tables.map((table) => ({
      table,
      profile: {
        rows: table.name === 'users' ? 200 : 900,
        columns: Object.fromEntries(table.columns.map(({ name }) => [name, id])),
      },
    })),
    { dialect: DIALECTS.postgres, verify },
  )
  const references = suggestionsOf(inference, {}).filter(({ kind }) => kind === 'references')
  expect(references).toHaveLength(1)
  expect(references.filter(isAcceptedByAll).map(({ id }) => id)).toEqual(accepted)
})
