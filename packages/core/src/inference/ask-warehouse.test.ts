import { DIALECTS } from '@stagecraft/dialects'
import type { CatalogTable } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { verifyBy } from './ask-warehouse.ts'
import { checkStatements } from './check-statements.ts'
import type { Check } from './inference.ts'
import type { ResultRow } from './profile-statements.ts'
import { WHOLE } from './reading.ts'

const tableOf = (name: string): CatalogTable => ({ name, columns: [{ name: 'id', type: 'bigint' }] })
const [orders, regions, stores] = [tableOf('orders'), tableOf('regions'), tableOf('stores')]
const unique = (table: CatalogTable): Check => ({ kind: 'unique', key: { table, columns: ['id'] } })
const contained = (child: CatalogTable, parent: CatalogTable): Check => ({
  kind: 'contained',
  child: { table: child, columns: ['id'] },
  parent: { table: parent, columns: ['id'] },
})

/** Answers the checks of a statement by their numbers, and keeps the names of its tables. */
function openWarehouse(refuses: (names: readonly string[]) => boolean = () => false) {
  const asked: string[] = []
  const query = (sql: string, tables: readonly CatalogTable[]): Promise<readonly ResultRow[] | undefined> => {
    const names = tables.map(({ name }) => name)
    asked.push(names.join())
    const numbers = [...sql.matchAll(/select (\d+) as check_number/g)].map(([, number]) => Number(number))
    return Promise.resolve(
      refuses(names)
        ? undefined
        : numbers.map((number) => ({ check_number: number, violations: number, checked: 10 })),
    )
  }
  const readingOf = (table: CatalogTable) => ({ ...WHOLE, isSmall: table !== orders })
  return { asked, verify: verifyBy(query, DIALECTS.duckdb, readingOf) }
}

test('checks of small tables are one statement, and those of large tables one per table', async () => {
  const { asked, verify } = openWarehouse()
  const checks = [unique(regions), contained(stores, orders), unique(stores), contained(stores, regions)]
  const answers = await verify(checks)
  expect(asked).toEqual(['regions,stores', 'stores,orders'])
  expect(answers.map((answer) => answer?.violations)).toEqual([0, 1, 2, 3])
})

test('the values of a parent are made distinct unless they are known to be', () => {
  const checks = [contained(stores, regions)]
  const print = (isUnique: boolean) =>
    checkStatements(checks, DIALECTS.duckdb, () => ({ ...WHOLE, isUnique: () => isUnique })).map(
      ({ sql }) => /left join \((.*?) "id"/.exec(sql)?.[1],
    )
  expect([print(false), print(true)]).toEqual([['select distinct'], ['select']])
})

test('a refused statement about several tables is repeated table by table, so only one stays open', async () => {
  const { asked, verify } = openWarehouse((names) => names.includes('regions'))
  const answers = await verify([unique(regions), unique(stores), contained(regions, stores)])
  expect(asked).toEqual(['regions,stores', 'regions,stores', 'stores'])
  expect(answers.map((answer) => answer?.violations)).toEqual([undefined, 1, undefined])
})

test('a refused statement about one table is not repeated', async () => {
  const { asked, verify } = openWarehouse(() => true)
  expect(await verify([unique(orders), contained(orders, stores)])).toEqual([undefined, undefined])
  expect(asked).toEqual(['orders,stores'])
})
