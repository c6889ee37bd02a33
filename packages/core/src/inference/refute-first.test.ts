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

test('several keys of a large table are refuted in a sample, and the others proven in all rows', async () => {
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
  const answers = await refuteFirst(tables, verifyBy, { readings: new Map() })(checks)
  expect(answers.map((answer) => answer?.violations)).toEqual([1, 1, 0, 0])
  expect(asked).toEqual([
    'large b,c 0.1 1000000',
    'large a,b 0.1 1000000',
    'small b,c 1 1000',
    'large a,b 1 1000000',
    'small a,b 1 1000',
  ])
})

test('if one key of a large table is enough, the likeliest is checked before the others', async () => {
  const tables = [{ table: large, profile: profileOf(1_000_000) }]
  const ask = async (holds: (columns: string) => boolean, isOneEnough: boolean) => {
    const asked: string[] = []
    const verifyBy =
      (readingOf: ReadingOf): Verify =>
      async (checks) =>
        checks.map((check) => {
          const columns = check.kind === 'unique' ? check.key.columns.join() : ''
          const isWhole = readingOf(large).share === 1
          if (isWhole) asked.push(columns)
          return { violations: isWhole && !holds(columns) ? 1 : 0, checked: 10 }
        })
    const checks = [unique(large, 'a'), unique(large, 'b'), unique(large, 'c')]
    const answers = await refuteFirst(tables, verifyBy, { readings: new Map() })(checks, { isOneEnough })
    return { asked, answers: answers.map((answer) => answer?.violations) }
  }
  expect(await ask(() => true, true)).toEqual({ asked: ['a'], answers: [0, undefined, undefined] })
  expect(await ask((columns) => columns === 'b', true)).toEqual({
    asked: ['a', 'b', 'c'],
    answers: [1, 0, 1],
  })
  expect(await ask(() => true, false)).toEqual({ asked: ['a', 'b', 'c'], answers: [0, 0, 0] })
})

test('a strict reference from a large table is refuted in a sample, and another is counted in all rows', async () => {
  const tables = [
    { table: large, profile: profileOf(1_000_000) },
    { table: small, profile: profileOf(1000) },
  ]
  const asked: string[] = []
  const verifyBy =
    (readingOf: ReadingOf): Verify =>
    async (checks) =>
      checks.map((check) => {
        const { columns, table } = check.kind === 'contained' ? check.child : check.key
        asked.push(`${columns.join()} ${readingOf(table).share}`)
        return { violations: 2, checked: 10 }
      })
  const contained = (column: string, isStrict: boolean): Check => ({
    kind: 'contained',
    child: { table: large, columns: [column] },
    parent: { table: small, columns: ['id'] },
    isStrict,
  })
  const checks = [contained('a', true), contained('b', false)]
  const answers = await refuteFirst(tables, verifyBy, { readings: new Map() })(checks)
  expect(answers.map((answer) => answer?.violations)).toEqual([2, 2])
  expect(asked).toEqual(['a 0.1', 'b 1'])
})
