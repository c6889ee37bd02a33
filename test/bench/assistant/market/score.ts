import { ask, type ComputedAnswer, type ProjectView, projectView } from '@stagecraft/assistant'
import { memoryTree } from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'
import { readFilesAsProject } from '../../../lint/lint-project.ts'
import { marketFiles } from './files.ts'
import type { Answer } from './truth.ts'

/** What came of a question: `refused` is right for one that cannot be answered, and no harm for any other. */
export interface MarketScore {
  readonly question: string
  readonly expected: Answer
  readonly outcome: 'right' | 'wrong' | 'refused' | 'rightly refused'
  /** What was said instead of the truth. */
  readonly said: readonly string[]
}

export async function openMarket(): Promise<ProjectView> {
  const files = marketFiles()
  return projectView(await readFilesAsProject(files), { tree: memoryTree(files) })
}

/** Puts questions, and compares each answer with the truth. */
export async function scoreMarket(
  questions: readonly (readonly [question: string, answer: Answer])[],
): Promise<readonly MarketScore[]> {
  const view = await openMarket()
  const scores: MarketScore[] = []
  for (const [question, expected] of questions) scores.push(await scoreOne(view, question, expected))
  return scores
}

async function scoreOne(view: ProjectView, question: string, expected: Answer): Promise<MarketScore> {
  const answer = await ask(view, question).catch((error: unknown) => {
    if (error instanceof StagecraftError && error.code === 'INVALID_REQUEST') return undefined
    throw error
  })
  if (!answer) {
    const outcome = expected === 'refuse' ? 'rightly refused' : 'refused'
    return { question, expected, outcome, said: [] }
  }
  const isRight = expected !== 'refuse' && isSame(answer, expected)
  return { question, expected, outcome: isRight ? 'right' : 'wrong', said: [answer.readAs, ...idsOf(answer)] }
}

function isSame(answer: ComputedAnswer, expected: Exclude<Answer, 'refuse'>): boolean {
  if (typeof expected === 'number') return countIn(answer) === expected
  const isOfTests = [...expected].some((id) => id.startsWith('test.'))
  // tests that read a relation, and their places in YAML, are held against the truth elsewhere
  const said = new Set(idsOf(answer).filter((id) => isOfTests || !/^(?:test|properties)\./.test(id)))
  return said.size === expected.size && [...said].every((id) => expected.has(id))
}

const idsOf = ({ items }: ComputedAnswer): readonly string[] => items.map(({ id }) => id)

/** The number that an answer gives; in an overview, that of what the question names. */
function countIn({ head: { count, counts }, question }: ComputedAnswer): unknown {
  if (typeof count === 'number') return count
  const named = Object.entries(counts ?? {}).filter(([name]) => question.includes(name))
  return named.toSorted(([a], [b]) => b.length - a.length)[0]?.[1]
}
