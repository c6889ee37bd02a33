import { NO_USAGE } from '@stagecraft/core/run'
import { ask } from '../ask/ask.ts'
import type { ProjectView } from '../project-view.ts'
import type { Item } from '../tool.ts'
import type { Answer, Citation } from './answer.ts'

/** The most items that a computed answer lists in its text; `computed` has all. */
const LISTED = 20

/**
 * Answers a question by computing it, in the form of all answers.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a question that cannot be computed.
 */
export async function rulesAnswer(view: ProjectView, question: string): Promise<Answer> {
  const computed = await ask(view, question)
  const { counted, head, items, notes, readAs } = computed
  const resource = isItem(head['resource']) ? head['resource'] : undefined
  const listed = items.slice(0, LISTED)
  const cited = [...(resource ? [resource] : []), ...listed]
  const citations = cited.map(({ file, line, text }, index): Citation => ({
    mark: index + 1,
    file,
    line,
    text: text ?? '',
  }))
  const lines = listed.map((item, index) => `- ${nameOf(item)} [${index + cited.length - listed.length + 1}]`)
  const text = [
    resource ? `${readAs} [1]` : readAs,
    '',
    `${items.length} ${counted}${items.length === 0 ? '' : items.length > LISTED ? `, the first ${LISTED}:` : ':'}`,
    ...lines,
  ]
  return {
    question: computed.question,
    text: text.join('\n').trim(),
    citations,
    proposals: [],
    unknown: notes,
    droppedCitations: 0,
    unproven: 0,
    answeredBy: 'rules',
    usage: NO_USAGE,
    calls: 1,
    computed,
  }
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && 'file' in value && 'line' in value && 'id' in value
}

/** Prints names as code, so they are not read as Markdown. */
function nameOf({ id, text }: Item): string {
  const shown = (part: string): string => `\`${part.replaceAll('`', "'")}\``
  return text === undefined || text === '' ? shown(id) : `${shown(id)} ${shown(text)}`
}
