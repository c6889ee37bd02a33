import { DIALECTS } from '@stagecraft/core'
import { loadSqlCheck, renderJinja } from '../packages/core/src/verify/sql-parser.ts'
import { expect, test } from 'vitest'
import { producedFiles } from './golden-files.ts'
import { sqlFault } from './oracle.ts'

const models = (await producedFiles()).filter(({ path }) => path.endsWith('.sql'))

test('an independent parser reads the SQL of every golden case, in all twelve dialects', async () => {
  const faults = await Promise.all(
    models.map(async ({ content, dialect, golden, path }) => {
      const fault = await sqlFault(renderJinja(content), dialect)
      return fault === undefined ? [] : [`${golden.name} ${path}: ${fault}`]
    }),
  )
  expect(faults.flat()).toEqual([])
  expect(new Set(models.map(({ dialect }) => dialect)).size).toBe(Object.keys(DIALECTS).length)
})

/** What node-sql-parser 5.4.0 cannot read, although the warehouses can. */
const GAPS: readonly RegExp[] = [
  /at time zone/,
  /\bqualify\b/,
  /nulls last/,
  /as (?:numeric|decimal)\(\d+, \d+\)\)/,
  /\$ as /, // a dollar in a Snowflake name
  /""/, // a doubled quote in a name
]

test('node-sql-parser reads it too, but for known gaps of its grammars', async () => {
  const faults = await Promise.all(
    models.map(async ({ content, dialect, golden, path }) => {
      const check = await loadSqlCheck(DIALECTS[dialect])
      const fault = check?.(content)
      const isKnown = GAPS.some((gap) => gap.test(content))
      return fault === undefined || isKnown ? [] : [`${golden.name} ${path}: ${fault}`]
    }),
  )
  expect(faults.flat()).toEqual([])
})

test('no line of a golden model is longer than the style guide allows, but for long names', () => {
  const long = models.flatMap(({ content, golden }) =>
    content
      .split('\n')
      .filter((line) => line.length > 80 && !/\w{40}|source\(|unique_key/.test(line))
      .map((line) => `${golden.name}: ${line}`),
  )
  expect(long).toEqual([])
})
