import { DIALECTS } from '@stagecraft/dialects'
import type { CatalogTable } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { findForbidden, verifyBy } from './ask-warehouse.ts'
import { checkStatements } from './check-statements.ts'
import type { Check } from './inference.ts'
import { profileStatements, readProfile, type ResultRow } from './profile-statements.ts'
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

test('columns that may not be read are found by halves, without a question per column', async () => {
  const columns = Array.from({ length: 40 }, (_, at) => ({ name: `c${at}`, type: 'integer' }))
  const asked: string[] = []
  const search = (refuses: (sql: string) => boolean) => {
    asked.length = 0
    return findForbidden(
      { name: 'staff', columns },
      (sql) => {
        asked.push(sql)
        return refuses(sql) ? Promise.reject(new Error('permission denied')) : Promise.resolve([])
      },
      DIALECTS.postgres,
    )
  }
  expect(await search((sql) => /"c(?:7|30)"/.test(sql))).toMatchObject([{ name: 'c7' }, { name: 'c30' }])
  expect(asked.length).toBeLessThan(30)
  expect(asked.every((sql) => sql.endsWith('where 1 = 0'))).toBe(true)
  expect(await search(() => true)).toEqual([])
  expect(asked).toHaveLength(1)
  expect(await search(() => false)).toEqual([])
  expect(asked).toHaveLength(2)
})

test('legacy texts and pictures of SQL Server, which count refuses, are only looked at', () => {
  const table = { name: 'old', columns: ['text', 'ntext', 'image'].map((type) => ({ name: type, type })) }
  const [statement] = profileStatements(table, DIALECTS.sqlserver)
  expect(statement?.sql.split('\n').slice(1, -1)).toEqual([
    '  count(*) as row_count,',
    '  count(case when "text" is not null then 1 end) as count_0,',
    '  count(case when "ntext" is not null then 1 end) as count_1,',
    '  count(case when "image" is not null then 1 end) as count_2',
  ])
})

test('a share of ids of bytes is chosen by a hash of bytes, without a cast to a text', () => {
  const bytes: CatalogTable = { name: 'gadgets', columns: [{ name: 'id', type: 'binary(16)' }] }
  const [statement] = checkStatements([unique(bytes)], DIALECTS.mysql, () => ({ ...WHOLE, share: 0.01 }))
  expect(statement?.sql).toContain('crc32(`id`) % 100 = 0')
})

test('texts are measured in characters, also where the warehouse counts bytes', () => {
  const table = { name: 'orders', columns: [{ name: 'Day', type: 'nvarchar(20)' }] }
  const [statement] = profileStatements(table, DIALECTS.sqlserver)
  expect(statement?.sql).toContain(`max((len("Day" + '.') - 1)) as longest_0`)
  expect(statement?.sql).not.toContain('datalength')
})

test('a table without rows has no bounds, whatever the warehouse calls the least of nothing', () => {
  const row = { row_count: '0', count_0: '0', distinct_0: '0', min_0: '0', max_0: '0' }
  const profile = readProfile(orders, [row], { dialect: DIALECTS.clickhouse })
  expect(profile.columns['id']).toEqual({ nulls: 0, distinct: 0 })
})
