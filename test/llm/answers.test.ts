// Answers as models give them, of ordinary tables: what is wrong of a column is refused, what is right is taken.
import type { CatalogTable } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { GOOD_CASTS, GOOD_TABLES } from './corpus/good-answers.ts'
import { FALSE_EXPRESSIONS, FALSE_NAMES, FALSE_TESTS, FALSE_TEXTS } from './corpus/hostile-answers.ts'
import { about, answer, modelOf, run, stubborn } from './edit-runs.ts'
import { isWhole, stageExpression, textType } from './stage-expression.ts'

function tableWith(...columns: readonly (readonly [name: string, type: string])[]): CatalogTable {
  return {
    schema: 'shop',
    name: 'orders',
    columns: [['order_key', 'bigint'] as const, ...columns].map(([name, type]) => ({ name, type })),
  }
}

async function namesOf(table: CatalogTable, edits: readonly object[]) {
  const backend = stubborn(answer(edits))
  const { data } = await run({ tables: [table], backend, settings: { onFailure: 'fallback' } })
  return modelOf(data.schema).columns
}

test('no name comes through that promises other values, or says another thing', async () => {
  const through: string[] = []
  let count = 0
  for (const [column, type, names] of FALSE_NAMES) {
    for (const name of names) {
      count += 1
      const columns = await namesOf(tableWith([column, type]), [about(2, { name })])
      if (columns.some((one) => one.name === name)) through.push(`${column} ${type} ${name}`)
    }
  }
  expect(through).toEqual([])
  expect(count).toBeGreaterThan(100)
})

test('a converted column may promise what it became, and nothing else', async () => {
  const isTaken = async (operation: 'text' | 'timestamp' | 'date', name: string, type: string) => {
    const backend = stubborn(answer([about(2, { name, operation })]))
    const tables = [tableWith(['created', type])]
    const { data } = await run({ tables, backend, settings: { onFailure: 'fallback' } })
    return new RegExp(`(?:\\)|end) as ${name}\n`).test(data.code)
  }
  expect(await isTaken('date', 'created_date', 'timestamp')).toBe(true)
  expect(await isTaken('date', 'created_at', 'timestamp')).toBe(false)
  expect(await isTaken('timestamp', 'created_at', 'text')).toBe(true)
  expect(await isTaken('text', 'created_at', 'timestamp')).toBe(false)
})

test('no description comes through that wants something or hides something', async () => {
  const table = tableWith(...FALSE_TEXTS.map((_, index) => [`remark_${index}`, 'text'] as const))
  const plain = await namesOf(table, [])
  const edits = FALSE_TEXTS.map((description, index) => about(index + 2, { description }))
  const columns = await namesOf(table, [...edits, about(1, { description: 'Key of the order.' })])
  const through = columns.flatMap(({ description, name }) =>
    name === 'order_key' || plain.some((one) => one.name === name && one.description === description)
      ? []
      : [description],
  )
  expect(through).toEqual([])
  expect(FALSE_TEXTS.length).toBeGreaterThan(60)
})

test('in no dialect an expression comes through that loses, swaps or makes up its value', async () => {
  const through: string[] = []
  for (const [dialect, expressions] of Object.entries(FALSE_EXPRESSIONS)) {
    const type = textType(dialect as never)
    const plain = await stageExpression(dialect as never, {
      type,
      expression: '',
      gives: 'string',
      value: '',
    })
    for (const expression of expressions) {
      const said = { type, expression, value: '' }
      const code = await stageExpression(dialect as never, { ...said, gives: 'string' })
      const dated = await stageExpression(dialect as never, { ...said, gives: 'timestamp_ntz' })
      if (code !== plain || dated !== plain) through.push(`${dialect}: ${expression}`)
    }
  }
  expect(through).toEqual([])
  expect(Object.keys(FALSE_EXPRESSIONS)).toHaveLength(11)
})

test('no test comes through that the table speaks against', async () => {
  const table: CatalogTable = {
    schema: 'shop',
    name: 'orders',
    primaryKey: ['order_id'],
    columns: [
      ['order_id', 'bigint'],
      ['customer_id', 'bigint'],
      ['parent_order_id', 'bigint'],
      ['status', 'text'],
      ['quantity', 'integer'],
      ['total', 'numeric'],
      ['created_at', 'timestamp'],
    ].map(([name = '', type = '']) => ({ name, type })),
  }
  const plain = await run({ tables: [table] })
  for (const [column, said] of FALSE_TESTS) {
    const ordinal = table.columns.findIndex(({ name }) => name === column) + 1
    const tests = [{ values: null, table: null, column: null, ...said }]
    const backend = stubborn(answer([{ ...about(ordinal), tests }]))
    const { data } = await run({ tables: [table], backend, settings: { onFailure: 'fallback' } })
    expect(data.files, JSON.stringify([column, said])).toEqual(plain.data.files)
  }
})

test('of good answers about ordinary tables, at most one in twenty is lost', async () => {
  const lost: string[] = []
  let count = 0
  for (const [name, sayings] of Object.entries(GOOD_TABLES)) {
    const columns = sayings.map(({ column, comment, type }) => ({
      name: column,
      type,
      ...(comment && { comment }),
    }))
    const edits = sayings.map((said, index) =>
      about(index + 1, { name: said.name, description: said.description }),
    )
    const given = await namesOf({ schema: 'app', name, columns }, edits)
    for (const said of sayings) {
      count += 2
      const one = given.find((column) => column.name === said.name)
      if (!one) lost.push(`${name}: ${said.column} ${said.type} ${said.name}`)
      const isDescribed = given.some(({ description }) => description === (said.comment ?? said.description))
      if (!isDescribed) lost.push(`${name}: ${said.column}: ${said.description}`)
    }
  }
  expect(count).toBeGreaterThan(120)
  expect(lost.length / count, lost.join('\n')).toBeLessThanOrEqual(0.05)
})

test('of good expressions, at most one in twenty is lost', async () => {
  const lost: string[] = []
  for (const { dialect, ...good } of GOOD_CASTS) {
    const code = await stageExpression(dialect, { ...good, value: '' })
    if (!isWhole(code, good.expression)) lost.push(`${dialect}: ${good.expression}`)
  }
  expect(lost.length / GOOD_CASTS.length, lost.join('\n')).toBeLessThanOrEqual(0.05)
})
