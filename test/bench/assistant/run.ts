// How well questions about dbt projects are answered. Every answer is a set that is computed from the making of the project.
// Run: npm run -s pn -- bench:assistant [-- --backend anthropic [--model …] [--base-url …]]
// With a backend, its model answers those questions that are about relations too; its key is read from the environment.
import { parseArgs } from 'node:util'
import type { BackendName } from '@stagecraft/spec'
import { openLive } from '../../../packages/cli/src/backend/open-backend.ts'
import { askModel, printModel } from './ask-model.ts'
import { BLIND_PHRASINGS, BLIND_UNANSWERABLE } from './blind-phrasings.ts'
import { LATER_PHRASINGS } from './later-phrasings.ts'
import { askAll, isRefused } from './ask-all.ts'
import { makeRailway, makeWorlds } from './made-world.ts'
import { RAILWAY_PHRASINGS } from './railway-phrasings.ts'
import { UNSEEN_PHRASINGS } from './unseen-phrasings.ts'
import { judges, scoreProposals } from './proposals.ts'
import { FIFTH_MARKET_QUESTIONS } from './market/fifth-questions.ts'
import { FOURTH_MARKET_QUESTIONS } from './market/fourth-questions.ts'
import { SIXTH_MARKET_QUESTIONS } from './market/sixth-questions.ts'
import { LATER_MARKET_QUESTIONS } from './market/later-questions.ts'
import { MARKET_QUESTIONS } from './market/questions.ts'
import { THIRD_MARKET_QUESTIONS } from './market/third-questions.ts'
import { type MarketScore, scoreMarket } from './market/score.ts'
import type { Score } from './score.ts'

function print(title: string, scores: readonly Score[]): void {
  const count = (outcome: Score['outcome']): number => scores.filter((one) => one.outcome === outcome).length
  const answered = scores.length - count('refused')
  const cited = scores.reduce((sum, one) => sum + one.cited, 0)
  const proved = scores.reduce((sum, one) => sum + one.proved, 0)
  const share = (part: number, of: number): string =>
    `${part} of ${of} (${of === 0 ? 0 : ((100 * part) / of).toFixed(1)} %)`
  console.log(`\n${title}: ${scores.length} questions`)
  console.log(`  answered          ${share(answered, scores.length)}`)
  console.log(`  exact set         ${share(count('exact'), answered)} of those answered`)
  console.log(`  incomplete        ${count('incomplete')}`)
  console.log(`  with a wrong fact ${count('wrong')}`)
  console.log(`  citations proved  ${share(proved, cited)}`)
  console.log(`  calls of tools    ${answered}, tokens 0`)
  for (const { missing, outcome, question, surplus } of scores)
    if (outcome !== 'exact')
      console.log(
        `    ${outcome.padEnd(10)} ${question}${details('surplus', surplus)}${details('missing', missing)}`,
      )
}

function details(name: string, ids: readonly string[]): string {
  return ids.length === 0
    ? ''
    : `\n               ${name}: ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ' …' : ''}`
}

function printMarket(title: string, scores: readonly MarketScore[]): void {
  const count = (outcome: MarketScore['outcome']): number =>
    scores.filter((one) => one.outcome === outcome).length
  console.log(`\n${title}: ${scores.length} questions`)
  console.log(`  answered rightly ${count('right')}, wrongly ${count('wrong')}`)
  console.log(`  refused rightly  ${count('rightly refused')}, for want of words ${count('refused')}`)
  for (const { outcome, question } of scores)
    if (outcome === 'wrong' || outcome === 'refused') console.log(`    ${outcome.padEnd(10)} ${question}`)
}

const worlds = await makeWorlds()
const blind = await askAll(worlds, BLIND_PHRASINGS)
const later = await askAll(worlds, LATER_PHRASINGS)
print('written without a look at the router', blind)
print('written with one', later)
const railway = await makeRailway()
print('about a railway, in the styles of many people', await askAll(railway, RAILWAY_PHRASINGS))
print('put once, and nothing but a wrong fact mended by them', await askAll(railway, UNSEEN_PHRASINGS))
printMarket('about sets of a market', await scoreMarket(MARKET_QUESTIONS))
printMarket('about sets of a market, a second list', await scoreMarket(LATER_MARKET_QUESTIONS))
printMarket('about sets of a market, a third list', await scoreMarket(THIRD_MARKET_QUESTIONS))
printMarket(
  'about columns, macros and several names, a fourth list',
  await scoreMarket(FOURTH_MARKET_QUESTIONS),
)
printMarket(
  'about settings of one relation, and pronouns, a fifth list',
  await scoreMarket(FIFTH_MARKET_QUESTIONS),
)
printMarket(
  'about tests, keys and numbers of readers, a sixth list',
  await scoreMarket(SIXTH_MARKET_QUESTIONS),
)
const [world] = worlds
const wrongly: string[] = []
for (const question of BLIND_UNANSWERABLE)
  if (world && !(await isRefused(world, question))) wrongly.push(question)
console.log(
  `\nunanswerable: ${BLIND_UNANSWERABLE.length - wrongly.length} of ${BLIND_UNANSWERABLE.length} refused`,
)
for (const question of wrongly) console.log(`    answered   ${question}`)

const proposals = await scoreProposals(worlds)
const good = proposals.filter(({ fault }) => fault === undefined).length
console.log(`\nproposals: ${good} of ${proposals.length} applied and good, judged by ${judges()}`)
for (const { fault, title } of proposals) if (fault !== undefined) console.log(`    ${title}: ${fault}`)

const { values } = parseArgs({
  options: { backend: { type: 'string' }, model: { type: 'string' }, 'base-url': { type: 'string' } },
})
if (values.backend !== undefined) {
  const { 'base-url': baseUrl, model } = values
  const settings = { ...(model !== undefined && { model }), ...(baseUrl !== undefined && { baseUrl }) }
  const name = values.backend as Exclude<BackendName, 'replay'>
  const backend = await openLive(name, { name, ...settings, isConfiguredUrl: false }, process.env)
  printModel(
    `${backend.id}, written without a look at the router`,
    await askModel(backend, worlds, BLIND_PHRASINGS),
  )
  printModel(`${backend.id}, about a railway`, await askModel(backend, railway, RAILWAY_PHRASINGS))
}
