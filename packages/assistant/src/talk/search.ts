import { addCall, NO_USAGE } from '@stagecraft/core/run'
import {
  type Backend,
  type BackendAnswer,
  BackendError,
  type BackendRequest,
  type BackendTool,
  type BackendTurn,
} from '@stagecraft/spec'
import { cleanText } from '../clean-text.ts'
import type { Tool } from '../tool.ts'
import { projectOverview } from '../tools/overview.ts'
import { type FilledLimits, isOverBy, lastTurnBy, type Spent, type StoppedBy } from './limits.ts'
import { lineStream } from './line-stream.ts'
import { ANSWER_NOW, type Exchange, firstTurn, TALK_SYSTEM } from './prompt.ts'
import { type CallsOptions, type TurnResult, ToolCaller, toCallResults } from './run-calls.ts'
import { toolSchema } from './tool-schema.ts'

export interface SearchOptions extends CallsOptions {
  readonly backend: Backend
  readonly history: readonly Exchange[]
  readonly limits: FilledLimits
  readonly now: () => number
}

/** The end of a search: a text, or the reason why it is missing. */
export type SearchEnd =
  | {
      readonly state: 'answered'
      readonly text: string
      readonly calls: number
      /** True if the text was cut by the token limit. */
      readonly isCut: boolean
      readonly stoppedBy: StoppedBy | undefined
    }
  | {
      readonly state: 'failed'
      /** A code for programs: `timeout`, `refused`. */
      readonly kind: string
      readonly reason: string
      readonly calls: number
      readonly cause: unknown
    }

/** A turn of the conversation. Turns with results are built when sent, because old results are replaced by stubs. */
type Step = BackendTurn | { readonly role: 'results'; readonly results: readonly TurnResult[] }

/**
 * Lets a model use tools until it answers or reaches a bound; then it gets one more turn to answer from what it
 * knows. Nothing changes a file.
 *
 * @throws The signal's reason, if the signal stopped it.
 */
export async function search(question: string, options: SearchOptions): Promise<SearchEnd> {
  const { evidence, history, limits, now, onEvent, readProject, signal } = options
  const started = now()
  const caller = new ToolCaller(options)
  const project = await readProject()
  const digest = await project.call(projectOverview, { limit: 20 })
  await evidence.add(project, digest)
  const steps: Step[] = [firstTurn(question, { digest, history })]
  let usage = NO_USAGE
  for (let turns = 0; ; turns += 1) {
    signal?.throwIfAborted()
    const spent: Spent = { turns, calls: caller.count, usage, milliseconds: now() - started }
    const over = isOverBy(limits, spent)
    if (over) return failed(over, LIMIT_REASONS[over], caller.count)
    const stoppedBy = lastTurnBy(limits, spent)
    // without tools, every turn is the last one
    const isLast = stoppedBy !== undefined && turns > 0
    if (isLast) steps.push(ANSWER_NOW)
    const answer = await askOnce(steps, {
      ...options,
      isLast: isLast || limits.turns === 1,
      timeoutMs: Math.max(1, Math.ceil(limits.seconds * 1000 - spent.milliseconds)),
    })
    if (answer instanceof BackendError) {
      usage = answer.isSent ? addCall(usage, undefined) : usage
      onEvent({ type: 'usage', usage })
      return failed(answer.kind, cleanText(answer.message), caller.count, answer)
    }
    usage = addCall(usage, answer.usage)
    onEvent({ type: 'usage', usage })
    if (answer.stop === 'tool' && answer.toolCalls.length > 0 && !isLast) {
      const results = await caller.run(answer.toolCalls, limits.calls - caller.count)
      steps.push(answer.turn, { role: 'results', results })
    } else return endOf(answer, { calls: caller.count, stoppedBy: isLast ? stoppedBy : undefined })
  }
}

const LIMIT_REASONS: Readonly<Record<StoppedBy, string>> = {
  turns: 'it used all turns without an answer',
  calls: 'it used all calls without an answer',
  tokens: 'it used all tokens without an answer',
  seconds: 'it ran out of time without an answer',
  cost: 'it used the whole budget without an answer',
}

interface Asking extends SearchOptions {
  /** True if the model has to answer. */
  readonly isLast: boolean
  readonly timeoutMs: number
}

async function askOnce(steps: readonly Step[], options: Asking): Promise<BackendAnswer | BackendError> {
  const { backend, isLast, limits, onEvent, signal, timeoutMs, tools } = options
  const stream = lineStream((text) => onEvent({ type: 'text.delta', text }))
  const request: BackendRequest = {
    system: TALK_SYSTEM,
    turns: steps.map(toTurn),
    tools: tools.map(toBackendTool),
    ...(isLast && { toolChoice: 'none' }),
    maxOutputTokens: limits.outputTokens,
    timeoutMs,
    ...(signal && { signal }),
    onText: stream.add,
  }
  const result = await complete(backend, request)
  const isAnswer = !(result instanceof BackendError) && result.stop !== 'tool'
  if (isAnswer) stream.end()
  else if (stream.hasSaid()) onEvent({ type: 'text.reset' })
  return result
}

async function complete(backend: Backend, request: BackendRequest): Promise<BackendAnswer | BackendError> {
  try {
    return await backend.complete(request)
  } catch (error) {
    // a stopped call counts as stopped, whatever its error
    request.signal?.throwIfAborted()
    if (error instanceof BackendError) return error
    throw error
  }
}

function toTurn(step: Step): BackendTurn {
  return step.role === 'results' ? { role: 'tool', results: toCallResults(step.results) } : step
}

function toBackendTool(tool: Tool): BackendTool {
  return { name: tool.name, description: tool.description, input: toolSchema(tool) }
}

function endOf(
  { stop, text }: BackendAnswer,
  { calls, stoppedBy }: { readonly calls: number; readonly stoppedBy: StoppedBy | undefined },
): SearchEnd {
  if (stop === 'refused') return failed('refused', 'the model refused to answer', calls)
  if (stop === 'filtered') return failed('filtered', 'the provider withheld the answer', calls)
  if (text.trim() === '') return failed('empty', 'the model gave an empty answer', calls)
  return { state: 'answered', text, calls, isCut: stop === 'truncated', stoppedBy }
}

function failed(kind: string, reason: string, calls: number, cause?: unknown): SearchEnd {
  return { state: 'failed', kind, reason, calls, cause }
}
