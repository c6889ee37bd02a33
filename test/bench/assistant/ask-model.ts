import { askInPlace, talk } from '@stagecraft/assistant'
import { totalTokens } from '@stagecraft/core/run'
import { type Backend, StagecraftError } from '@stagecraft/spec'
import type { World } from './made-world.ts'
import { type Phrasings, type QuestionKind } from './question.ts'
import { subjectsOf } from './truth.ts'

/** Kinds whose answers are relations, which an answer in words can be held against. */
const OF_RELATIONS: readonly QuestionKind[] = [
  'breaks',
  'readers',
  'upstream',
  'grandparents',
  'sourcesOf',
  'downstream',
  'untested',
  'undocumented',
  'unusedSources',
  'unusedModels',
  'sources',
]

/** An answer in words, held against the truth by the names in it. */
export interface ModelScore {
  readonly question: string
  readonly outcome: 'exact' | 'incomplete' | 'surplus' | 'rules' | 'failed'
  readonly surplus: readonly string[]
  readonly missing: readonly string[]
  readonly citations: number
  readonly droppedCitations: number
  readonly unproven: number
  readonly calls: number
  readonly tokens: number
}

/** Puts each question about relations to a model, with the subjects of the projects in turn. */
export async function askModel(
  backend: Backend,
  worlds: readonly World[],
  phrasings: Phrasings,
): Promise<readonly ModelScore[]> {
  const scores: ModelScore[] = []
  for (const kind of OF_RELATIONS)
    for (const [index, phrasing] of phrasings[kind].entries()) {
      const world = worlds[index % worlds.length]
      const subjects = world ? subjectsOf(world, kind, phrasing) : []
      const subject = subjects[(index * 7) % Math.max(1, subjects.length)]
      if (!world || !subject) throw new Error(`no project has an answer to ${phrasing}`)
      scores.push(await scoreModel(backend, world, { phrasing, ...subject }))
    }
  return scores
}

interface Put {
  readonly phrasing: string
  readonly name: string
  readonly expected: ReadonlySet<string>
}

async function scoreModel(backend: Backend, world: World, put: Put): Promise<ModelScore> {
  const question = put.phrasing.replace('{x}', put.name)
  const none = {
    surplus: [],
    missing: [],
    citations: 0,
    droppedCitations: 0,
    unproven: 0,
    calls: 0,
    tokens: 0,
  }
  try {
    const { answer } = await talk(question, {
      backend,
      readProject: askInPlace(() => Promise.resolve(world.view)),
    })
    const { calls, citations, droppedCitations, unproven, usage } = answer
    const cost = {
      citations: citations.length,
      droppedCitations,
      unproven,
      calls,
      tokens: totalTokens(usage),
    }
    if (answer.answeredBy === 'rules') return { ...none, question, ...cost, outcome: 'rules' }
    const said = new Set(
      world.relations.filter(({ name }) => name !== put.name && names(answer.text, name)).map(({ id }) => id),
    )
    const surplus = [...said].filter((id) => !put.expected.has(id))
    const missing = [...put.expected].filter((id) => !said.has(id))
    const outcome = surplus.length > 0 ? 'surplus' : missing.length > 0 ? 'incomplete' : 'exact'
    return { question, ...cost, surplus, missing, outcome }
  } catch (error) {
    if (error instanceof StagecraftError) return { ...none, question, outcome: 'failed' }
    throw error
  }
}

/** Tells whether a text names a relation, or its id; `billing.invoices` is none in `stg_billing.invoices_2`. */
function names(text: string, name: string): boolean {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(String.raw`(?<![\w.])(?:(?:model|source|exposure)\.)?${escaped}(?!\w|\.\w)`, 'i').test(
    text,
  )
}

/** Prints what a model answered. */
export function printModel(title: string, scores: readonly ModelScore[]): void {
  const count = (outcome: ModelScore['outcome']): number =>
    scores.filter((one) => one.outcome === outcome).length
  const sum = (field: 'calls' | 'citations' | 'droppedCitations' | 'tokens' | 'unproven'): number =>
    scores.reduce((total, one) => total + one[field], 0)
  console.log(`\n${title}: ${scores.length} questions about relations`)
  console.log(`  names all, and no other  ${count('exact')}`)
  console.log(`  names too few            ${count('incomplete')}`)
  console.log(`  names others too         ${count('surplus')} (in passing, or wrongly: read them)`)
  console.log(`  answered by the rules    ${count('rules')}, not at all ${count('failed')}`)
  console.log(
    `  citations that hold      ${sum('citations')} of ${sum('citations') + sum('droppedCitations')}`,
  )
  console.log(`  sentences without proof  ${sum('unproven')}`)
  console.log(`  calls of tools           ${sum('calls')}, tokens ${sum('tokens')}`)
  for (const { missing, outcome, question, surplus } of scores)
    if (outcome !== 'exact')
      console.log(
        `    ${outcome.padEnd(10)} ${question}  ${[...surplus.map((id) => `+${id}`), ...missing.map((id) => `-${id}`)].slice(0, 6).join(' ')}`,
      )
}
