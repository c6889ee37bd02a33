import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions'
import type { BackendRequest, BackendTool, BackendTurn } from '@stagecraft/spec'
import { opaqueObject } from '../provider/opaque.ts'
import { resultText } from '../provider/tool-result.ts'

/** Uses only the parameters that these servers share: `max_tokens` under its old name, and no `store`. */
export function toChatParams(request: BackendRequest, model: string): ChatCompletionCreateParamsNonStreaming {
  const { system, turns, output, toolChoice, tools = [], maxOutputTokens } = request
  return {
    model,
    max_tokens: maxOutputTokens,
    messages: [
      ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
      ...turns.flatMap(toMessages),
    ],
    ...(output && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: output.name, schema: { ...output.schema }, strict: true },
      },
    }),
    ...(tools.length > 0 && { tools: tools.map(toTool) }),
    ...(tools.length > 0 && toolChoice === 'none' && { tool_choice: 'none' }),
  }
}

function toMessages(turn: BackendTurn): ChatCompletionMessageParam[] {
  if (turn.role === 'user') return [{ role: 'user', content: turn.text }]
  if (turn.role === 'assistant') return [opaqueObject(turn) as unknown as ChatCompletionMessageParam]
  return turn.results.map((result) => ({
    role: 'tool',
    tool_call_id: result.id,
    content: resultText(result),
  }))
}

function toTool({ name, description, input }: BackendTool) {
  return {
    type: 'function' as const,
    function: { name, description, parameters: { ...input }, strict: true },
  }
}
