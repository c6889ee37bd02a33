import type { BackendAnswer } from '@stagecraft/spec'
import { failureOf } from '../provider/explain.ts'
import { lookup } from '../provider/lookup.ts'
import type { ProviderAnswer } from '../provider/provider-backend.ts'
import { type Fields, fieldsOf, isFields, jsonOrText, listOf, textOf } from '../provider/shapes.ts'
import { Unanswered } from '../provider/unanswered.ts'
import { readUsage } from '../provider/usage.ts'

const STOPS: Readonly<Record<string, BackendAnswer['stop']>> = {
  stop: 'end',
  tool_calls: 'tool',
  length: 'truncated',
  content_filter: 'filtered',
}

export function readCompletion(body: unknown, model: string): ProviderAnswer {
  const completion = fieldsOf(body, 'the completion')
  if (isFields(completion['error'])) throw failed(completion['error'])
  const [choice] = listOf(completion['choices'], 'choices')
  if (choice === undefined) throw new Unanswered('malformed', 'choices is empty')
  const message = fieldsOf(choice['message'], 'the message')
  const { tool_calls: calls, content, refusal } = message
  const toolCalls = ofFunctions(calls).map(readToolCall)
  const rawStop = textOf(choice['finish_reason'], 'finish_reason')
  const hasRefusal = typeof refusal === 'string' && refusal !== ''
  return {
    stop: readStop(rawStop, { isTool: toolCalls.length > 0, isRefusal: hasRefusal }),
    rawStop,
    text: optionalText(content, 'content') + optionalText(refusal, 'refusal'),
    toolCalls,
    turn: { role: 'assistant', opaque: message },
    usage: readUsage(completion['usage'], {
      input: 'prompt_tokens',
      cacheRead: 'prompt_tokens_details.cached_tokens',
      cacheWrite: 'prompt_tokens_details.cache_write_tokens',
      output: 'completion_tokens',
      reasoning: 'completion_tokens_details.reasoning_tokens',
    }),
    model: typeof completion['model'] === 'string' ? completion['model'] : model,
  }
}

/** Gateways answer errors of their provider with status 200. */
function failed({ code, type }: Fields): Unanswered {
  const words = [code, type].filter((word) => typeof word === 'string')
  return new Unanswered(failureOf(words, code), 'an error in place of the completion')
}

function optionalText(value: unknown, place: string): string {
  return value === undefined || value === null ? '' : textOf(value, place)
}

function ofFunctions(calls: unknown): readonly Fields[] {
  if (calls === undefined || calls === null) return []
  return listOf(calls, 'tool_calls').filter((call) => call['function'] !== undefined)
}

function readToolCall({ id, function: called }: Fields) {
  const { name, arguments: input } = fieldsOf(called, 'a tool call')
  return {
    id: textOf(id, 'the id of a tool call'),
    name: textOf(name, 'the name of a tool call'),
    input: jsonOrText(textOf(input, 'the arguments of a tool call')),
  }
}

/** Some servers say `stop` even if the model calls a tool. An unknown reason counts as an incomplete answer. */
function readStop(
  rawStop: string,
  { isTool, isRefusal }: { readonly isTool: boolean; readonly isRefusal: boolean },
): BackendAnswer['stop'] {
  const stop = lookup(STOPS, rawStop) ?? 'truncated'
  if (stop !== 'end') return stop
  if (isRefusal) return 'refused'
  return isTool ? 'tool' : 'end'
}
