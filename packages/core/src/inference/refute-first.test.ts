import type { CatalogTable, TableProfile } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import type { Check, Verify } from './inference.ts'
import type { ReadingOf } from './reading.ts'
import { refuteFirst } from './refute-first.ts'

const profileOf = (rows: number): TableProfile => ({ rows, columns: { a: { nulls: 0, distinct: rows } } })
const large: CatalogTable = { name: 'large', columns: [] }
const small: CatalogTable = { name: 'small', columns: [] }
const unique = (table: CatalogTable, ...columns: readonly string[]): Check => ({
  kind: 'unique',
  key: { table, columns },
})

test('several keys of a large table are refuted in a part of it, and the others proven in all of it', async () => {
  const asked: string[] = []
  const verifyBy =
    (readingOf: ReadingOf): Verify =>
    async (checks) =>
      checks.map((check) => {
        const { columns, table } = check.kind === 'unique' ? check.key : check.child
        const { distinctOf, share } = readingOf(table)
        asked.push(`${table.name} ${columns.join()} ${share} ${distinctOf?.('a')}`)
        return { violations: columns.includes('a') ? 0 : 1, checked: 10 }
      })
  const tables = [
    { table: large, profile: profileOf(1_000_000) },
    { table: small, profile: profileOf(1000) },
  ]
  const checks = [
    unique(large, 'b', 'c'),
    unique(small, 'b', 'c'),
    unique(large, 'a', 'b'),
    unique(small, 'a', 'b'),
  ]
  const answers = await refuteFirst(tables, verifyBy, new Map())(checks)
  expect(answers.map((answer) => answer?.violations)).toEqual([1, 1, 0, 0])
  expect(asked).toEqual([
    'large b,c 0.1 1000000',
    'large a,b 0.1 1000000',
    'small b,c 1 1000',
    'large a,b 1 1000000',
    'small a,b 1 1000',
  ])
})
