import type { BackendAnswer, BackendRequest } from '@stagecraft/spec'
import { isFields } from '../provider/shapes.ts'
import { canonical, canonicalJson } from './canonical-json.ts'
import { exchangeKey } from './exchange-key.ts'

/** The part of a request that determines its answer; time limits and listeners are left out. */
export interface RecordedRequest {
  readonly backend: string
  readonly system: string
  readonly turns: BackendRequest['turns']
  readonly output?: BackendRequest['output']
  readonly tools?: BackendRequest['tools']
  readonly toolChoice?: BackendRequest['toolChoice']
  readonly maxOutputTokens: number
}

/** A request and its answer, as stored in a file. */
export interface Exchange {
  readonly key: string
  readonly request: RecordedRequest
  readonly answer: BackendAnswer
}

/** @param backend The id of the backend. */
export function recordedRequest(backend: string, request: BackendRequest): RecordedRequest {
  const { system, turns, output, toolChoice, tools, maxOutputTokens } = request
  return { backend, system, turns, output, tools, toolChoice, maxOutputTokens }
}

export function keyOf(request: RecordedRequest): string {
  return exchangeKey(request)
}

/** Returns the content of a file, with keys in a fixed order and the request first. */
export function toStored({ request, answer }: Omit<Exchange, 'key'>): unknown {
  return { request: canonical(request), answer: canonical(answer) }
}

/** Returns the answer in a file; undefined if the file is for another request. */
export function fromStored(stored: unknown, request: RecordedRequest): BackendAnswer | undefined {
  if (!isFields(stored) || canonicalJson(stored['request']) !== canonicalJson(request)) return undefined
  return isAnswer(stored['answer']) ? withUsage(stored['answer']) : undefined
}

const STOPS: ReadonlySet<unknown> = new Set(['end', 'tool', 'truncated', 'refused', 'filtered'])

function isAnswer(value: unknown): value is BackendAnswer {
  if (!isFields(value)) return false
  const { stop, rawStop, text, toolCalls, turn, usage, model, requestId } = value
  return (
    STOPS.has(stop) &&
    [rawStop, text, model, requestId ?? ''].every((part) => typeof part === 'string') &&
    (usage === undefined || isUsage(usage)) &&
    Array.isArray(toolCalls) &&
    toolCalls.every(isToolCall) &&
    isFields(turn) &&
    turn['role'] === 'assistant' &&
    'opaque' in turn
  )
}

function isUsage(value: unknown): boolean {
  const names = ['input', 'cacheRead', 'cacheWrite', 'output', 'reasoning']
  return isFields(value) && names.every((name) => Number.isSafeInteger(value[name]))
}

function isToolCall(value: unknown): boolean {
  return isFields(value) && typeof value['id'] === 'string' && typeof value['name'] === 'string'
}

/** JSON cannot express `undefined`. */
function withUsage(answer: BackendAnswer): BackendAnswer {
  return { ...answer, usage: answer.usage }
}
