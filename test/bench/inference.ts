import { repositoryPath } from '../paths.ts'
import {
  addScores,
  measureInference,
  precisionOf,
  recallOf,
  type Score,
  type SetFigures,
} from './inference-figures.ts'

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
const sets = await measureInference(process.env['STAGECRAFT_TRUTH'] ?? repositoryPath('test/fixtures/truth'))
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
