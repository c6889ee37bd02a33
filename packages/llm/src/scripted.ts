import {
  type Backend,
  type BackendAnswer,
  BackendError,
  type BackendRequest,
  type BackendUsage,
  StagecraftError,
} from '@stagecraft/spec'
import { play } from './exchange/play.ts'

/** A text, the parts of an answer that matter, or the error to throw. */
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
  /** All that it was asked, in order. */
  readonly requests: readonly BackendRequest[]
}

/** The usage of an answer unless the script says otherwise: 100 tokens read, 10 written. */
export const SCRIPTED_USAGE: BackendUsage = {
  input: 100,
  cacheRead: 0,
  cacheWrite: 0,
  output: 10,
  reasoning: 0,
}

/**
 * A backend for tests: it answers from a list, or with what a function returns, and keeps what it was asked. With
 * `toolCalls` an answer stops for them; else it is a whole one.
 *
 * @example
 * const backend = scripted(['not JSON', '{"columns":[]}'])
 *
 * @throws {StagecraftError} GENERATION_FAILED from `complete()` when the list is at its end.
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
    const message = `the script has ${answers.length} answers and was asked ${attempt} times; add an answer`
    throw new StagecraftError('GENERATION_FAILED', message, { details: { answers: answers.length, attempt } })
  }
}

function wholeAnswer(answer: Partial<BackendAnswer>, model: string): BackendAnswer {
  const { text = '', toolCalls = [] } = answer
  const stop = answer.stop ?? (toolCalls.length > 0 ? 'tool' : 'end')
  const turn = { role: 'assistant', opaque: { text, toolCalls } } as const
  return { stop, rawStop: stop, text, toolCalls, turn, usage: SCRIPTED_USAGE, model, ...answer }
}
