import { repositoryPath } from '../paths.ts'
import {
  addScores,
  measureInference,
  precisionOf,
  recallOf,
  type Score,
  type SetFigures,
} from './inference-figures.ts'
import { type LaterTest, measureLaterRows } from './later-rows.ts'
import { type ListFigures, measureLists } from './list-figures.ts'

// Prints what is inferred of databases whose keys are known, with their declarations hidden. Another folder of the
// form of test/fixtures/truth can be named by STAGECRAFT_TRUTH; `--verbose` lists what is wrong and what is missed.

const MEASURES = {
  'keys by names': 'keysByNames',
  'references by names': 'referencesByNames',
  'keys with rows': 'keys',
  'keys with rows, tables of 200 rows and more': 'keysOfLarge',
  'references with rows': 'references',
} as const satisfies Readonly<Record<string, keyof SetFigures>>

const isVerbose = process.argv.includes('--verbose')
const truth = process.env['STAGECRAFT_TRUTH'] ?? repositoryPath('test/fixtures/truth')
const sets = await measureInference(truth)
for (const set of sets) {
  console.log(`${set.name}: ${set.tables} tables, ${set.queries} queries, ${Math.round(set.milliseconds)} ms`)
  for (const [title, name] of Object.entries(MEASURES)) print(title, set[name])
}
console.log('all')
for (const [title, name] of Object.entries(MEASURES)) print(title, addScores(sets.map((set) => set[name])))

function print(title: string, score: Score): void {
  const { hits, missed } = score
  const share = `precision ${precisionOf(score).toFixed(2)}, recall ${recallOf(score).toFixed(2)}`
  console.log(`  ${title}: ${share} (${hits.length} of ${hits.length + missed.length})`)
  if (!isVerbose) return
  for (const one of score.wrong) console.log(`    wrong: ${one}`)
  for (const one of missed) console.log(`    missed: ${one}`)
}

for (const share of [0.1, 0.3, 0.5]) {
  const tests = await measureLaterRows(truth, share)
  console.log(
    `tests from the first ${share * 100} % of the rows that fail on all rows, tables of 400 rows and more`,
  )
  const groups = Map.groupBy(tests, ({ kind, severity }) => `${severity} ${kind}`)
  for (const [title, all] of groups) printLater(title, all)
  console.log(`lists from the first ${share * 100} % of the rows of made-up columns that fail on all rows`)
  const lists = await measureLists(share)
  printLists(
    'columns that stay as they are',
    lists.filter(({ isSteady }) => isSteady),
  )
  printLists(
    'columns with new values later',
    lists.filter(({ isSteady }) => !isSteady),
  )
}

function printLists(title: string, all: readonly ListFigures[]): void {
  const sum = (name: 'columns' | 'failed' | 'listed'): number =>
    all.reduce((total, one) => total + one[name], 0)
  console.log(
    `  ${title}: ${sum('failed')} of ${sum('listed')}; listed ${sum('listed')} of ${sum('columns')}`,
  )
  if (!isVerbose) return
  for (const { columns, failed, kind, listed } of all)
    console.log(`    ${kind}: ${failed} of ${listed}; listed ${listed} of ${columns}`)
}

function printLater(title: string, all: readonly LaterTest[]): void {
  const failed = all.filter(({ failsOnAll }) => failsOnAll)
  const now = all.filter(({ failsOnFirst }) => failsOnFirst).length
  console.log(`  ${title}: ${failed.length} of ${all.length}; on the rows at hand ${now}`)
  if (isVerbose) for (const { subject } of failed) console.log(`    fails: ${subject}`)
}
