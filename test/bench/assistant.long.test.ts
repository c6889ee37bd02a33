import { ask } from '@stagecraft/assistant'
import { expect, test } from 'vitest'
import { scripted } from '@stagecraft/llm'
import { askModel } from './assistant/ask-model.ts'
import { askAll, isRefused } from './assistant/ask-all.ts'
import { BLIND_PHRASINGS, BLIND_UNANSWERABLE } from './assistant/blind-phrasings.ts'
import { LATER_PHRASINGS } from './assistant/later-phrasings.ts'
import { makeRailway, makeWorlds } from './assistant/made-world.ts'
import { FIFTH_MARKET_QUESTIONS } from './assistant/market/fifth-questions.ts'
import { FOURTH_MARKET_QUESTIONS } from './assistant/market/fourth-questions.ts'
import { LATER_MARKET_QUESTIONS } from './assistant/market/later-questions.ts'
import { MARKET_QUESTIONS } from './assistant/market/questions.ts'
import { SIXTH_MARKET_QUESTIONS } from './assistant/market/sixth-questions.ts'
import { THIRD_MARKET_QUESTIONS, TRAPS } from './assistant/market/third-questions.ts'
import { openMarket, scoreMarket } from './assistant/market/score.ts'
import { RAILWAY_PHRASINGS } from './assistant/railway-phrasings.ts'
import { UNSEEN_PHRASINGS } from './assistant/unseen-phrasings.ts'

const market = openMarket()

test.each([0, 1, 2])(
  'the router answers questions with exact sets and no wrong fact, turn %d',
  async (turn) => {
    const worlds = await makeWorlds()
    const scores = [
      ...(await askAll(worlds, BLIND_PHRASINGS, turn)),
      ...(await askAll(worlds, LATER_PHRASINGS, turn)),
      ...(await askAll(await makeRailway(), RAILWAY_PHRASINGS, turn)),
    ]
    const answered = scores.filter(({ outcome }) => outcome !== 'refused')
    expect(scores.length).toBeGreaterThanOrEqual(100)
    expect(answered.length / scores.length).toBeGreaterThan(0.95)
    expect(answered.filter(({ outcome }) => outcome !== 'exact')).toEqual([])
    expect(answered.filter(({ cited, proved }) => cited !== proved)).toEqual([])
  },
)

test('questions in words that the router was not made for are answered rightly or refused', async () => {
  const scores = await askAll(await makeRailway(), UNSEEN_PHRASINGS)
  const wrong = scores.filter(({ outcome }) => outcome !== 'exact' && outcome !== 'refused')
  expect(wrong).toEqual([])
})

test.each([
  ['that the router was mended by', MARKET_QUESTIONS, 115],
  ['that were put later', LATER_MARKET_QUESTIONS, 47],
  ['that were put after them', THIRD_MARKET_QUESTIONS, 45],
  ['of columns, macros and several names', FOURTH_MARKET_QUESTIONS, 51],
  ['of settings of one relation, and pronouns', FIFTH_MARKET_QUESTIONS, 37],
  ['of tests, keys and numbers of readers', SIXTH_MARKET_QUESTIONS, 34],
])('questions about sets, %s, are answered rightly or refused', async (_, questions, least) => {
  const scores = await scoreMarket(questions)
  expect(scores.filter(({ outcome }) => outcome === 'wrong')).toEqual([])
  expect(scores.filter(({ outcome }) => outcome === 'right').length).toBeGreaterThanOrEqual(least)
})

test.each(TRAPS)('refuses %j', async (question) => {
  await expect(ask(await market, question)).rejects.toThrow(
    'expected a question that can be answered without a language model',
  )
})

test('answers of a model are held against the truth by the names in them', async () => {
  const railway = await makeRailway()
  // a model that looks, and then says the ids that it was given
  const honest = scripted(({ turns }) => {
    const result = turns.findLast(({ role }) => role === 'tool')
    return result
      ? [...new Set(JSON.stringify(result).match(/(?:model|source|exposure)\.[\w.]+/g))].join(', ')
      : { toolCalls: [{ id: 'call_1', name: 'list_sources', input: {} }] }
  })
  const [first] = railway
  const sources = first?.relations.filter(({ kind }) => kind === 'source') ?? []
  const scores = await askModel(honest, railway, RAILWAY_PHRASINGS)
  const listed = scores.filter(({ question }) =>
    /^(?:list every source|what are our sources\?)$/.test(question),
  )
  expect(listed).toHaveLength(2)
  for (const score of listed)
    expect(score).toMatchObject({ missing: [], surplus: [], outcome: 'exact', calls: 1 })
  const others = scores.filter(({ question }) => question === 'dead sources')
  expect(others).toMatchObject([{ outcome: 'surplus', missing: [] }])
  expect(others[0]?.surplus).toHaveLength(sources.length - 2)
})

test('the router refuses what files do not tell', async () => {
  const worlds = await makeWorlds()
  expect(BLIND_UNANSWERABLE.length).toBeGreaterThanOrEqual(20)
  for (const world of worlds)
    for (const question of BLIND_UNANSWERABLE)
      expect({ question, isRefused: await isRefused(world, question) }).toEqual({ question, isRefused: true })
})
