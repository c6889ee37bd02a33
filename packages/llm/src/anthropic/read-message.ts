import type { StopReason } from '@anthropic-ai/sdk/resources/messages'
import type { BackendAnswer, BackendUsage } from '@stagecraft/spec'
import { lookup } from '../provider/lookup.ts'
import type { ProviderAnswer } from '../provider/provider-backend.ts'
import { fieldsOf, listOf, ofType, textOf } from '../provider/shapes.ts'
import { readUsage } from '../provider/usage.ts'

const STOPS = {
  end_turn: 'end',
  stop_sequence: 'end',
  tool_use: 'tool',
  max_tokens: 'truncated',
  model_context_window_exceeded: 'truncated',
  pause_turn: 'truncated',
  refusal: 'refused',
} as const satisfies Readonly<Record<StopReason, BackendAnswer['stop']>>

export function readMessage(message: unknown, model: string): ProviderAnswer {
  const fields = fieldsOf(message, 'the message')
  const blocks = listOf(fields['content'], 'content')
  const rawStop = textOf(fields['stop_reason'], 'stop_reason')
  return {
    // An unknown reason may mean an incomplete answer.
    stop: lookup<BackendAnswer['stop']>(STOPS, rawStop) ?? 'truncated',
    rawStop,
    text: ofType(blocks, 'text')
      .map((block) => textOf(block['text'], 'text'))
      .join(''),
    toolCalls: ofType(blocks, 'tool_use').map(({ id, name, input }) => ({
      id: textOf(id, 'the id of a tool call'),
      name: textOf(name, 'the name of a tool call'),
      input,
    })),
    turn: { role: 'assistant', opaque: blocks },
    usage: readMessageUsage(fields['usage']),
    model: typeof fields['model'] === 'string' ? fields['model'] : model,
  }
}

/** Adds the cached tokens, which `input_tokens` of the API leaves out. */
function readMessageUsage(usage: unknown): BackendUsage | undefined {
  const read = readUsage(usage, {
    input: 'input_tokens',
    cacheRead: 'cache_read_input_tokens',
    cacheWrite: 'cache_creation_input_tokens',
    output: 'output_tokens',
    reasoning: 'output_tokens_details.thinking_tokens',
  })
  return read && { ...read, input: read.input + read.cacheRead + read.cacheWrite }
}
