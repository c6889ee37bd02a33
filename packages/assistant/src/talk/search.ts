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
import { type CallsOptions, type HeldResult, ToolCaller, toCallResults } from './run-calls.ts'
import { toolSchema } from './tool-schema.ts'

export interface SearchOptions extends CallsOptions {
  readonly backend: Backend
  readonly history: readonly Exchange[]
  readonly limits: FilledLimits
  readonly now: () => number
}

/** The end of a search: a text, or the reason why there is none. */
export type SearchEnd =
  | {
      readonly state: 'answered'
      readonly text: string
      readonly calls: number
      /** True if the text ends at the limit of tokens. */
      readonly isCut: boolean
      readonly stoppedBy: StoppedBy | undefined
    }
  | {
      readonly state: 'failed'
      /** A word for programs: `timeout`, `refused`. */
      readonly kind: string
      readonly reason: string
      readonly calls: number
      readonly cause: unknown
    }

/** A turn of the conversation: those with results are made when they are sent, because results make room for later ones. */
type Step = BackendTurn | { readonly role: 'held'; readonly results: readonly HeldResult[] }

/**
 * Lets a model look things up by tools until it answers, or a bound is reached, in which case it gets one more turn to
 * answer from what it knows. Nothing of it changes a file.
 *
 * @throws The signal's reason, when the signal stopped it.
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
    // without tools there is nothing that a turn could be the last of
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
      steps.push(answer.turn, { role: 'held', results })
    } else return endOf(answer, { calls: caller.count, stoppedBy: isLast ? stoppedBy : undefined })
  }
}

const LIMIT_REASONS: Readonly<Record<StoppedBy, string>> = {
  turns: 'it used all its turns without an answer',
  calls: 'it used all its calls without an answer',
  tokens: 'it used all its tokens without an answer',
  seconds: 'it used all its time without an answer',
  cost: 'it used all its budget without an answer',
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
    // whatever a stopped call ends with, it was stopped
    request.signal?.throwIfAborted()
    if (error instanceof BackendError) return error
    throw error
  }
}

function toTurn(step: Step): BackendTurn {
  return step.role === 'held' ? { role: 'tool', results: toCallResults(step.results) } : step
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
  if (text.trim() === '') return failed('empty', 'the model said nothing', calls)
  return { state: 'answered', text, calls, isCut: stop === 'truncated', stoppedBy }
}

function failed(kind: string, reason: string, calls: number, cause?: unknown): SearchEnd {
  return { state: 'failed', kind, reason, calls, cause }
}
