import type {
  ResponseCreateParamsNonStreaming,
  ResponseInputItem,
} from 'openai/resources/responses/responses'
import type { BackendRequest, BackendTool, BackendTurn } from '@stagecraft/spec'
import { opaqueList } from '../provider/opaque.ts'
import { resultText } from '../provider/tool-result.ts'

export function toResponseParams(request: BackendRequest, model: string): ResponseCreateParamsNonStreaming {
  const { system, turns, output, toolChoice, tools = [], maxOutputTokens } = request
  return {
    model,
    // By default the API stores requests for a month.
    store: false,
    // Turns that are not stored there must be sent again with the next one, including thoughts.
    include: ['reasoning.encrypted_content'],
    max_output_tokens: maxOutputTokens,
    ...(system !== '' && { instructions: system }),
    input: turns.flatMap(toInputItems),
    ...(output && {
      text: {
        format: { type: 'json_schema', name: output.name, schema: { ...output.schema }, strict: true },
      },
    }),
    ...(tools.length > 0 && { tools: tools.map(toTool) }),
    ...(tools.length > 0 && toolChoice === 'none' && { tool_choice: 'none' }),
  }
}

function toInputItems(turn: BackendTurn): ResponseInputItem[] {
  if (turn.role === 'user') return [{ role: 'user', content: turn.text }]
  if (turn.role === 'assistant') return opaqueList(turn) as ResponseInputItem[]
  return turn.results.map((result) => ({
    type: 'function_call_output',
    call_id: result.id,
    output: resultText(result),
  }))
}

function toTool({ name, description, input }: BackendTool) {
  return { type: 'function' as const, name, description, parameters: { ...input }, strict: true }
}
