import type {
  ContentBlockParam,
  MessageCreateParamsNonStreaming,
  MessageParam,
} from '@anthropic-ai/sdk/resources/messages'
import type { BackendRequest, BackendTool, BackendTurn } from '@stagecraft/spec'
import { opaqueList } from '../provider/opaque.ts'

export function toMessageParams(request: BackendRequest, model: string): MessageCreateParamsNonStreaming {
  const { system, turns, output, toolChoice, tools = [], maxOutputTokens } = request
  return {
    model,
    max_tokens: maxOutputTokens,
    // The tools come before the system prompt, so a mark on the prompt caches both.
    ...(system !== '' && {
      system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }],
    }),
    messages: turns.map(toMessage),
    ...(output && {
      output_config: { format: { type: 'json_schema', schema: { ...output.schema } } },
    }),
    ...(tools.length > 0 && { tools: tools.map(toTool) }),
    ...(tools.length > 0 && toolChoice === 'none' && { tool_choice: { type: 'none' } }),
  }
}

function toMessage(turn: BackendTurn): MessageParam {
  if (turn.role === 'user') return { role: 'user', content: turn.text }
  if (turn.role === 'assistant')
    return { role: 'assistant', content: opaqueList(turn) as ContentBlockParam[] }
  return {
    role: 'user',
    content: turn.results.map(({ id, text, isError = false }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: text,
      ...(isError && { is_error: true }),
    })),
  }
}

function toTool({ name, description, input }: BackendTool) {
  return { name, description, input_schema: { ...input, type: 'object' as const }, strict: true }
}
