import { ask, type ComputedAnswer, type Item } from '@stagecraft/assistant'
import { StagecraftError } from '@stagecraft/spec'
import type { World } from './made-world.ts'
import type { QuestionKind } from './question.ts'

/** One question that was put. */
export interface Score {
  readonly question: string
  readonly kind: QuestionKind
  readonly outcome: 'exact' | 'incomplete' | 'wrong' | 'refused'
  /** Items of the answer that are not true. */
  readonly surplus: readonly string[]
  readonly missing: readonly string[]
  readonly cited: number
  /** Citations whose line is there and names what they are for. */
  readonly proved: number
}

const text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

type Reading = (answer: ComputedAnswer) => readonly string[]

const ids: Reading = ({ items }) => items.map(({ id }) => id)
const field = (value: unknown, name: string): string => text(Reflect.get(Object(value), name))
const readers: Reading = (answer) => ids(answer).filter((id) => /^(?:model|exposure|snapshot)\./.test(id))

/** The part of an answer that a question of a kind asks for, as a set. @default the ids of all items */
const READINGS: Readonly<Partial<Record<QuestionKind, Reading>>> = {
  breaks: readers,
  columnBreaks: readers,
  readers,
  // the tests of a relation depend on it too, where its impact is what answers
  downstream: readers,
  defined: ({ head }) => [field(head['resource'], 'file')],
  missingTests: ({ items }) => items.flatMap((item) => [Reflect.get(item, 'tests')].flat().map(text)),
  drift: ({ items }) => items.map((item) => `${item.id} ${field(item, 'change')}`),
  rule: ({ head }) => [text(head['topic']).split(' ')[0] ?? ''],
  countModels: ({ head }) => [text(head['count'])],
  columnByWords: (answer) => ids(answer).slice(0, 1),
  materialized: ({ head }) => [field(head['config'], 'materialized')],
  conventions: (answer) => ids(answer).filter((id) => id.startsWith('setting.')),
}

export interface Asked {
  readonly question: string
  readonly kind: QuestionKind
  readonly expected: ReadonlySet<string>
}

/** Asks the router, and compares its answer with the truth. */
export async function scoreRouter(world: World, { expected, kind, question }: Asked): Promise<Score> {
  const none = { question, kind, surplus: [], missing: [], cited: 0, proved: 0 }
  let answer: ComputedAnswer
  try {
    answer = await ask(world.view, question)
  } catch (error) {
    if (error instanceof StagecraftError && error.code === 'INVALID_REQUEST')
      return { ...none, outcome: 'refused' }
    throw error
  }
  const said = new Set((READINGS[kind] ?? ids)(answer))
  const surplus = [...said].filter((one) => !expected.has(one))
  const missing = [...expected].filter((one) => !said.has(one))
  const outcome = surplus.length > 0 ? 'wrong' : missing.length > 0 ? 'incomplete' : 'exact'
  const proved = answer.items.filter((item) => isProof(world, item))
  return { question, kind, outcome, surplus, missing, cited: answer.items.length, proved: proved.length }
}

/** The line has to be there; what stands in it is checked by tests of the tools. */
function isProof({ files }: World, { file, line }: Item): boolean {
  if (file === 'dbt_project.yml') return line === 1
  const lines = files[file]?.split('\n')
  return lines !== undefined && line >= 1 && line <= lines.length && lines[line - 1]?.trim() !== ''
}
