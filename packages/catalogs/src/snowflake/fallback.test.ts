import { expect, test } from 'vitest'
import type { Row, Statement } from '../warehouse/statement.ts'
import { SnowflakeRefusal } from './failure.ts'
import { withFallback } from './fallback.ts'
import { schemaStatement, statements } from './statements.ts'
import { MOST_SHOWN } from './to-tables.ts'

const { signal } = new AbortController()
const [TABLES, COLUMNS, KEYS] = statements({ database: 'RAW', schema: 'SHOP' }) as [
  Statement,
  Statement,
  Statement,
]

/** Refuses the statements of information_schema that `refuses` matches, and answers SHOW by `show`. */
function run(
  refusal: SnowflakeRefusal,
  show: (text: string) => readonly Row[],
  refuses = /information_schema/,
) {
  const ran: string[] = []
  const answer = withFallback(async ({ text, values }) => {
    ran.push(`${text.split('\n')[0]} ${values.length}`.trim())
    if (refuses.test(text)) throw refusal
    return show(text)
  }, 'RAW')
  return { ran, answer }
}

const NO_WAREHOUSE = new SnowflakeRefusal('606', 'No active warehouse selected in the current session.')
const TOO_MUCH = new SnowflakeRefusal(
  '090030',
  'Information schema query returned too much data. Please repeat query with more selective predicates.',
)

test('uses SHOW, in pages, if no warehouse is active', async () => {
  const page = Array.from({ length: MOST_SHOWN }, (_, index) => ({
    name: `T${index}`,
    schema_name: 'SHOP',
    kind: 'VIEW',
  }))
  const { answer, ran } = run(NO_WAREHOUSE, (text) => (text.includes(' from ') ? page.slice(0, 2) : page))
  const rows = await answer(TABLES, signal)
  expect(rows).toHaveLength(MOST_SHOWN + 2)
  expect(rows[0]).toMatchObject({ table_schema: 'SHOP', table_name: 'T0', table_type: 'VIEW' })
  expect(ran.slice(1)).toEqual([
    'show objects in schema "RAW"."SHOP" limit 10000 0',
    `show objects in schema "RAW"."SHOP" limit 10000 from 'T9999' 0`,
  ])
  const schemas = run(NO_WAREHOUSE, () => [{ name: 'SHOP' }])
  expect(await schemas.answer(schemaStatement('RAW'), signal)).toEqual([{ schema_name: 'SHOP' }])
})

test('refuses an incomplete list of columns', async () => {
  const { answer } = run(NO_WAREHOUSE, () => Array.from({ length: MOST_SHOWN }, () => ({})))
  await expect(answer(COLUMNS, signal)).rejects.toThrow('the schema has more: name a warehouse')
})

test('reads tables by name, in groups, if a schema is too large', async () => {
  const names = Array.from({ length: 501 }, (_, index) => ({ name: `T${index}` }))
  const { answer, ran } = run(
    TOO_MUCH,
    (text) => (text.startsWith('show') ? names : [{ a: 1 }]),
    /table_schema = \?$/,
  )
  expect(await answer(COLUMNS, signal)).toEqual([{ a: 1 }, { a: 1 }])
  expect(ran.slice(1)).toEqual([
    'show objects in schema "RAW"."SHOP" limit 10000 0',
    'select 501',
    'select 2',
  ])
})

test('reports every other refusal, including those of SHOW and of queries', async () => {
  const other = new SnowflakeRefusal('2003', 'does not exist')
  await expect(run(other, () => []).answer(TABLES, signal)).rejects.toBe(other)
  await expect(run(NO_WAREHOUSE, () => [], /show/).answer(KEYS, signal)).rejects.toBe(NO_WAREHOUSE)
  const query = { name: 'query', text: 'select 1 from information_schema.x', values: [] }
  await expect(run(NO_WAREHOUSE, () => []).answer(query, signal)).rejects.toBe(NO_WAREHOUSE)
})
