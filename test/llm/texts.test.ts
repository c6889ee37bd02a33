// What a model says in words, held against corpora: what ends in the files that a user gets.
import { expect, test } from 'vitest'
import { GOOD_KEY_TEXTS, GOOD_NAMES, GOOD_TEXTS } from './corpus/good-texts.ts'
import { HOSTILE_NAMES, HOSTILE_TEXTS } from './corpus/hostile-texts.ts'
import { about, answer, modelOf, run, stubborn } from './edit-runs.ts'

const TABLE = {
  schema: 'shop',
  name: 'orders',
  columns: [
    { name: 'order_id', type: 'bigint' },
    { name: 'remark', type: 'text' },
  ],
}

const plain = await run({ tables: [TABLE] })

async function filesWith(description: string | null, ordinal: number, said: object) {
  const backend = stubborn(answer([about(ordinal, said)], description))
  const { data } = await run({ tables: [TABLE], backend, settings: { onFailure: 'fallback' } })
  return data
}

test('no hostile description comes through, of a column or of the table', async () => {
  const through: string[] = []
  for (const text of HOSTILE_TEXTS) {
    const ofColumn = await filesWith(null, 2, { description: text })
    const ofTable = await filesWith(text, 2, {})
    const isSame = [ofColumn, ofTable].every(
      ({ files }) => JSON.stringify(files) === JSON.stringify(plain.data.files),
    )
    if (!isSame) through.push(text)
  }
  expect(through).toEqual([])
  expect(HOSTILE_TEXTS.length).toBeGreaterThan(230)
})

test('of good descriptions, at most one in twenty is lost', async () => {
  const cases = [
    ...GOOD_KEY_TEXTS.map((text) => [1, text] as const),
    ...GOOD_TEXTS.map((text) => [2, text] as const),
  ]
  const lost: string[] = []
  for (const [ordinal, text] of cases) {
    const { schema } = await filesWith(null, ordinal, { description: text })
    const printed = modelOf(schema).columns[ordinal - 1]?.description ?? ''
    if (printed.replaceAll(/\{\{ '(.*?)' \}\}/g, '$1') !== text) lost.push(text)
  }
  expect(cases.length).toBeGreaterThanOrEqual(100)
  expect(lost.length / cases.length, lost.join('\n')).toBeLessThanOrEqual(0.05)
})

async function nameGiven(column: string, type: string, name: string): Promise<string | undefined> {
  const table = {
    schema: 'shop',
    name: 'orders',
    columns: [
      { name: 'order_id', type: 'bigint' },
      { name: column, type },
    ],
  }
  const backend = stubborn(answer([about(2, { name })]))
  const { data } = await run({ tables: [table], backend, settings: { onFailure: 'fallback' } })
  return modelOf(data.schema).columns.find((one) => one.name === name)?.name
}

test('of good names, at most one in twenty is lost', async () => {
  const lost: string[] = []
  for (const [column, type, name] of GOOD_NAMES) {
    if ((await nameGiven(column, type, name)) === undefined) lost.push(`${column} ${name}`)
  }
  expect(GOOD_NAMES.length).toBeGreaterThanOrEqual(100)
  expect(lost.length / GOOD_NAMES.length, lost.join('\n')).toBeLessThanOrEqual(0.05)
})

test('no name of something else comes through', async () => {
  const through: string[] = []
  for (const [column, type, names] of HOSTILE_NAMES) {
    for (const name of names.split(' ')) {
      if ((await nameGiven(column, type, name)) !== undefined) through.push(`${column} ${name}`)
    }
  }
  expect(through).toEqual([])
})
