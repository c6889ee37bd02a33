import { ask, type ComputedAnswer } from '@stagecraft/assistant'
import { expect, test } from 'vitest'
import { SHOP_FILES, viewOf } from './views.ts'

const FILES = {
  ...SHOP_FILES,
  'models/marts/rpt_sales.sql': "select * from {{ ref('fct_orders') }}\n",
  'models/marts/sales.sql': "select * from {{ ref('fct_orders') }}\n",
}

const answerTo = async (question: string): Promise<ComputedAnswer> => ask(await viewOf(FILES), question)
const ids = ({ items }: ComputedAnswer): readonly string[] => items.map(({ id }) => id).toSorted()

test.each([
  ['how many source tables are there and how many are unused?', '"and how many are"'],
  ['which models are untested, and which are undocumented?', '"and which are"'],
  ['what breaks without fct_orders and who reads it?', '"and who reads"'],
  ['hey, what depends on fct_orders? is it tested?', '"is it"'],
])('refuses %j, which asks two things', async (question, second) => {
  await expect(answerTo(question)).rejects.toThrow(
    `${second} starts a second question; ask one question at a time. It can answer, for example:`,
  )
})

test('answers one question that goes on about its subject', async () => {
  const answer = await answerTo('which marts are undocumented and which also are untested?')
  expect(ids(answer)).toEqual(['model.sales'])
})

test('notes models in the folder of a layer whose names show another one', async () => {
  const { notes, ...answer } = await answerTo('which marts have no description?')
  expect(ids(answer as ComputedAnswer)).toEqual(['model.fct_orders', 'model.sales'])
  expect(notes).toEqual([
    'left out, because their names show another layer than their folder: rpt_sales (report)',
  ])
  const narrower = await answerTo('which marts have exactly 5 tests?')
  expect(narrower.notes).toEqual([])
})
