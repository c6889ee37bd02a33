import { NO_USAGE, totalTokens } from '@stagecraft/core/run'
import { type Backend, BackendError, StagecraftError, type Usage } from '@stagecraft/spec'
import type { QueryableProject } from '../queryable-project.ts'
import { cleanText } from '../clean-text.ts'
import type { ProposalPort, ToolPorts } from '../tool-ports.ts'
import type { Tool } from '../tool.ts'
import { TOOLS } from '../tools/index.ts'
import type { Answer } from './answer.ts'
import { Evidence, type SeenLine } from './evidence.ts'
import { fillLimits, type TalkLimits } from './limits.ts'
import { type Exchange, questionProblem } from './prompt.ts'
import { readAnswer } from './read-answer.ts'
import { search, type SearchEnd } from './search.ts'
import type { TalkEvent } from './talk-event.ts'

export interface TalkOptions {
  /** The model to ask. @default the rules answer alone */
  readonly backend?: Backend | undefined
  /** Returns the current project. `askInPlace` creates one from a reader. */
  readonly readProject: () => Promise<QueryableProject>
  /** @default all that read */
  readonly tools?: readonly Tool[]
  /** The ports of tools. @default none: proposals are refused */
  readonly ports?: ToolPorts
  /** Earlier exchanges of the conversation. @default none */
  readonly history?: readonly Exchange[]
  /** Lines named by earlier tool results of the conversation. @default none */
  readonly seen?: readonly SeenLine[]
  /** The bounds of the answer. @default those of `TalkLimits` */
  readonly limits?: TalkLimits
  /** Stops the answer; calls of tools that run are aborted. */
  readonly signal?: AbortSignal
  /** Called with events during the answer. */
  readonly onEvent?: (event: TalkEvent) => void
  /** Called with unexpected errors. @default they are dropped */
  readonly onFault?: (error: unknown) => void
  /** A clock that only goes forward, in milliseconds. @default performance.now */
  readonly now?: () => number
}

/** An answer, and the state for the next question of the conversation. */
export interface Talk {
  readonly answer: Answer
  readonly seen: readonly SeenLine[]
}

/**
 * Answers a question about a project with a model, which uses tools and whose citations are checked. Without a model,
 * or if it gives no answer, rules compute the answer.
 *
 * @throws {StagecraftError} INVALID_REQUEST for an empty or too long question and, without a model, for one that
 * rules cannot answer; GENERATION_FAILED if neither the model nor the rules give an answer, with `details.kind`.
 * @throws The signal's reason, if the signal stopped it.
 */
export async function talk(question: string, options: TalkOptions): Promise<Talk> {
  const expected = questionProblem(question)
  if (expected !== undefined)
    throw StagecraftError.invalid({ path: 'question', expected, received: `${question.trim().length}` })
  const { backend, readProject } = options
  if (!backend) {
    const project = await readProject()
    const answer = await project.compute(question)
    const evidence = new Evidence(options.seen)
    await evidence.add(project, answer.citations)
    return { answer, seen: evidence.lines }
  }
  return talkWith(backend, question, options)
}

async function talkWith(backend: Backend, question: string, options: TalkOptions): Promise<Talk> {
  const { history = [], limits, now = () => performance.now(), onEvent = ignore, onFault = ignore } = options
  const evidence = new Evidence(options.seen)
  const proposals: string[] = []
  let usage: Usage = NO_USAGE
  const end = await search(question, {
    backend,
    evidence,
    history,
    limits: fillLimits(limits),
    now,
    onFault,
    ports: options.ports ? collecting(options.ports, proposals, onEvent) : {},
    readProject: options.readProject,
    signal: options.signal,
    tools: options.tools ?? TOOLS.filter(({ effect }) => effect === 'reads'),
    onEvent: (event) => {
      if (event.type === 'usage') usage = event.usage
      onEvent(event)
    },
  })
  const project = await options.readProject()
  const common = { proposals, usage, calls: end.calls, backend: cleanText(backend.id, 200) }
  if (end.state === 'answered') {
    const read = readAnswer(end.text, { proof: await evidence.check(project), proposals })
    // a computed answer is better than one without tool calls and citations
    const isBare = end.calls === 0 && read.citations.length === 0
    const computed = isBare ? await computedInstead(project, question) : undefined
    if (computed) return finish({ ...computed, ...common, fallback: 'the model made no tool call' })
    return finish({
      ...read,
      ...common,
      question: cleanText(question, 1000),
      unknown: [...read.unknown, ...(end.isCut ? ['the answer was cut off at its limit'] : [])],
      answeredBy: 'model',
      ...(end.stoppedBy !== undefined && { stoppedBy: end.stoppedBy }),
    })
  }
  const computed = await computedInstead(project, question)
  if (!computed) throw notAnswered(end, { backend, usage })
  return finish({ ...computed, ...common, fallback: end.reason })

  async function finish(answer: Answer): Promise<Talk> {
    await evidence.add(project, answer.citations)
    return { answer, seen: evidence.lines }
  }
}

function ignore(): void {}

async function computedInstead(project: QueryableProject, question: string): Promise<Answer | undefined> {
  try {
    return await project.compute(question)
  } catch (error) {
    if (error instanceof StagecraftError && error.code === 'INVALID_REQUEST') return undefined
    throw error
  }
}

/** Records the proposals that are kept during the answer. */
function collecting(ports: ToolPorts, ids: string[], onEvent: (event: TalkEvent) => void): ToolPorts {
  const { proposals } = ports
  if (!proposals) return ports
  const keep: ProposalPort['keep'] = async (draft) => {
    const proposal = await proposals.keep(draft)
    ids.push(proposal.id)
    onEvent({ type: 'proposal', id: proposal.id, files: proposal.files.map(({ path }) => cleanText(path)) })
    return proposal
  }
  return { ...ports, proposals: { ...proposals, keep } }
}

function notAnswered(
  end: SearchEnd & { readonly state: 'failed' },
  { backend, usage }: { readonly backend: Backend; readonly usage: Usage },
): StagecraftError {
  const { cause, kind, reason } = end
  const suggestion = 'ask again, or ask a question that needs no model: stagecraft ask --help has examples'
  return new StagecraftError(
    'GENERATION_FAILED',
    `${cleanText(backend.id, 200)} gave no answer: ${reason}; rules cannot answer it either`,
    {
      cause,
      details: {
        kind,
        tokensUsed: totalTokens(usage),
        usage,
        retryable: !(cause instanceof BackendError) || RETRYABLE.has(cause.kind),
        suggestion,
      },
    },
  )
}

/** Failures that may not occur on another try. */
const RETRYABLE: ReadonlySet<string> = new Set([
  'rate_limited',
  'overloaded',
  'provider_error',
  'timeout',
  'network',
  'malformed',
])

/** Prints an answer for the next question, with places in place of marks. */
export function toExchange({
  citations,
  question,
  text,
}: Pick<Answer, 'citations' | 'question' | 'text'>): Exchange {
  const places = new Map(
    citations.map(({ endLine, file, line, mark }) => [
      String(mark),
      `[${file}:${line}${endLine === undefined ? '' : `-${endLine}`}]`,
    ]),
  )
  const answer = text
    .replaceAll(/ ?\[\?\]/g, '')
    .replaceAll(/\[(\d+)\]/g, (whole, mark: string) => places.get(mark) ?? whole)
  return { question, answer }
}
