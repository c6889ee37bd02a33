import {
  type Backend,
  type BackendAnswer,
  BackendError,
  type BackendRequest,
  type BackendUsage,
  StagecraftError,
} from '@stagecraft/spec'
import { play } from './exchange/play.ts'

/** A text, parts of an answer, or the error to throw. */
export type ScriptedAnswer = string | Partial<BackendAnswer> | BackendError

/** @param attempt The number of the call, from 1. */
export type ScriptedFunction = (
  request: BackendRequest,
  attempt: number,
) => ScriptedAnswer | Promise<ScriptedAnswer>

export interface ScriptedOptions {
  /** @default 'scripted' */
  readonly id?: string
}

export interface ScriptedBackend extends Backend {
  /** All requests, in order. */
  readonly requests: readonly BackendRequest[]
}

/** The default usage of an answer: 100 tokens read, 10 written. */
export const SCRIPTED_USAGE: BackendUsage = {
  input: 100,
  cacheRead: 0,
  cacheWrite: 0,
  output: 10,
  reasoning: 0,
}

/**
 * Creates a backend for tests, which answers from a list or a function and records its requests. An answer with
 * `toolCalls` stops for them; any other is complete.
 *
 * @example
 * const backend = scripted(['not JSON', '{"columns":[]}'])
 *
 * @throws {StagecraftError} GENERATION_FAILED from `complete()` after the last answer of the list.
 */
export function scripted(
  script: readonly ScriptedAnswer[] | ScriptedFunction,
  options: ScriptedOptions = {},
): ScriptedBackend {
  const { id = 'scripted' } = options
  const next = typeof script === 'function' ? script : reader(script)
  const requests: BackendRequest[] = []
  return {
    id,
    requests,
    complete: async (request) => {
      request.signal?.throwIfAborted()
      // The caller's list may grow afterwards.
      requests.push({ ...request, turns: [...request.turns] })
      const answer = await next(request, requests.length)
      if (answer instanceof BackendError) throw answer
      return play(wholeAnswer(typeof answer === 'string' ? { text: answer } : answer, id), request)
    },
  }
}

function reader(answers: readonly ScriptedAnswer[]): ScriptedFunction {
  return (_, attempt) => {
    const answer = answers[attempt - 1]
    if (answer !== undefined) return answer
    const message = `the script has ${answers.length} answers but was asked ${attempt} times; add an answer`
    throw new StagecraftError('GENERATION_FAILED', message, { details: { answers: answers.length, attempt } })
  }
}

function wholeAnswer(answer: Partial<BackendAnswer>, model: string): BackendAnswer {
  const { text = '', toolCalls = [] } = answer
  const stop = answer.stop ?? (toolCalls.length > 0 ? 'tool' : 'end')
  const turn = { role: 'assistant', opaque: { text, toolCalls } } as const
  return { stop, rawStop: stop, text, toolCalls, turn, usage: SCRIPTED_USAGE, model, ...answer }
}
