import type { Conversion, Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { pretendProject } from '../testing/pretend-project.ts'

type Columns = Readonly<Record<string, { readonly type: string; readonly as?: Conversion }>>

function tableOf(columns: Columns): Table {
  return {
    schema: 'shop',
    name: 'orders',
    primaryKey: ['id'],
    columns: [
      { name: 'id', type: 'integer' },
      ...Object.entries(columns).map(([name, { type }]) => ({ name, type })),
    ],
  }
}

/** The warnings of the plan that follows when a column has another type. */
async function warningsOf(
  as: Conversion | undefined,
  [before, after]: readonly [string, string],
): Promise<readonly string[]> {
  const columns = { total: as === undefined ? {} : { as } }
  const config = { sources: { shop: { tables: { orders: { columns } } } } }
  const project = pretendProject()
  await project.apply([tableOf({ total: { type: before } })], { config })
  const planned = await project.apply([tableOf({ total: { type: after } })], { config })
  const again = await project.plan([tableOf({ total: { type: after } })], { config })
  const told = [...planned.warnings, ...planned.models.flatMap(({ warnings }) => warnings)]
  expect(again.warnings).toEqual([])
  return told.map(({ code, message }) => `${code} ${message}`)
}

const KEY = 'sources.shop.tables.orders.columns.total.as'

test('a column that goes on being converted though it has another type is told', async () => {
  expect(await warningsOf('cents', ['bigint', 'decimal(14,2)'])).toEqual([
    `VALUES_CHANGED ${KEY}: total was bigint and is decimal(14,2) now, and is still converted by "cents"; check its values, and remove the setting if they are stored differently now`,
    `CONVERSION_NOT_NEEDED ${KEY}: total is a decimal(14,2), and decimals usually are whole units already, so "cents" makes them 100 times too small; remove the setting, or keep it if the column really contains cents`,
  ])
  expect(await warningsOf('date', ['varchar', 'timestamp'])).toEqual([
    expect.stringContaining('VALUES_CHANGED'),
  ])
  expect(await warningsOf('cents', ['decimal(14,2)', 'decimal(14,0)'])).toEqual([
    expect.stringContaining(`VALUES_CHANGED ${KEY}: total was decimal(14,2)`),
  ])
})

test.each([
  ['epoch_seconds', 'bigint', 'timestamptz'],
  ['epoch_milliseconds', 'bigint', 'timestamp'],
  ['boolean', 'char', 'boolean'],
  ['date', 'varchar', 'date'],
] as const)('%s is told to do nothing any more when %s becomes %s', async (as, before, after) => {
  expect(await warningsOf(as, [before, after])).toEqual([
    `CONVERSION_NOT_NEEDED ${KEY}: total was ${before} and is ${after} now, so "${as}" no longer does anything; remove the setting`,
  ])
})

test('a refused conversion has its own warning, and types without a conversion or of another length have none', async () => {
  expect(await warningsOf('date', ['varchar', 'bigint'])).toEqual([
    expect.stringContaining('CONVERSION_NOT_POSSIBLE'),
  ])
  expect(await warningsOf('date', ['varchar(10)', 'varchar(20)'])).toEqual([])
  expect(await warningsOf('keep', ['varchar', 'bigint'])).toEqual([])
  expect(await warningsOf(undefined, ['bigint', 'decimal(14,2)'])).toEqual([])
})
