import { ask } from '@stagecraft/assistant'
import { StagecraftError } from '@stagecraft/spec'
import type { World } from './made-world.ts'
import { type Phrasings, QUESTION_KINDS } from './question.ts'
import { type Score, scoreRouter } from './score.ts'
import { subjectsOf } from './truth.ts'

/**
 * Puts every phrasing once, with the subjects of the projects in turn.
 *
 * @param turn Another number chooses other projects and subjects. @default 0
 */
export async function askAll(
  worlds: readonly World[],
  phrasings: Phrasings,
  turn: number = 0,
): Promise<readonly Score[]> {
  const scores: Score[] = []
  for (const kind of QUESTION_KINDS)
    for (const [index, phrasing] of phrasings[kind].entries()) {
      const world = worlds[(index + turn) % worlds.length]
      const subjects = world ? subjectsOf(world, kind, phrasing) : []
      const subject = subjects[(index * 7 + turn * 3) % Math.max(1, subjects.length)]
      if (!world || !subject) throw new Error(`no project has an answer to ${phrasing}`)
      const question = phrasing.replace('{x}', subject.name)
      scores.push(await scoreRouter(world, { question, kind, expected: subject.expected }))
    }
  return scores
}

/** Tells whether a question is refused. */
export async function isRefused({ view }: World, question: string): Promise<boolean> {
  try {
    await ask(view, question)
    return false
  } catch (error) {
    if (error instanceof StagecraftError) return true
    throw error
  }
}
