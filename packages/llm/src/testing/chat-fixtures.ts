import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionMessage,
} from 'openai/resources/chat/completions'
import type { CompletionUsage } from 'openai/resources/completions'
import { openaiCompatible } from '../openai-compatible/index.ts'
import { type ApiFixtures, TOOL_CALL } from './api-fixtures.ts'
import { frame } from './replies.ts'

const USAGE = {
  prompt_tokens: 327,
  prompt_tokens_details: { cached_tokens: 300, cache_write_tokens: 20 },
  completion_tokens: 50,
  completion_tokens_details: { reasoning_tokens: 11 },
  total_tokens: 377,
} satisfies CompletionUsage

type FinishReason = ChatCompletion.Choice['finish_reason']

function toCompletion(message: ChatCompletionMessage, reason: FinishReason) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'qwen3-coder:30b',
    choices: [{ index: 0, finish_reason: reason, logprobs: null, message }],
    usage: USAGE,
  } satisfies ChatCompletion
}

const toMessage = (text: string) =>
  ({ role: 'assistant', content: text, refusal: null }) satisfies ChatCompletionMessage

const CALL = {
  id: TOOL_CALL.id,
  type: 'function' as const,
  function: { name: TOOL_CALL.name, arguments: JSON.stringify(TOOL_CALL.input) },
}

const TOOL_MESSAGE = {
  role: 'assistant',
  content: null,
  refusal: null,
  tool_calls: [CALL],
} satisfies ChatCompletionMessage

type Delta = ChatCompletionChunk.Choice.Delta

const toChunk = (delta: Delta, reason: FinishReason | null = null) =>
  ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model: 'qwen3-coder:30b',
    choices: [{ index: 0, delta, finish_reason: reason }],
  }) satisfies ChatCompletionChunk

const toTextFrame = (text: string) => frame(toChunk({ content: text }))

const USAGE_FRAME = frame({ ...toChunk({}), choices: [], usage: USAGE } satisfies ChatCompletionChunk)
const DONE = 'data: [DONE]\n\n'

const toStream = (text: string, last: readonly string[]): readonly string[] => [
  frame(toChunk({ role: 'assistant', content: '' })),
  toTextFrame(text.slice(0, 3)),
  toTextFrame(text.slice(3)),
  frame(toChunk({}, 'stop')),
  ...last,
]

const [argumentsStart, argumentsEnd] = ['{"table":', '"orders"}']

const { usage: _, ...WITHOUT_USAGE } = toCompletion(toMessage('hello'), 'stop')

export const chatFixtures: ApiFixtures = {
  name: 'openai-compatible',
  path: '/chat/completions',
  open: (options) => openaiCompatible({ model: 'qwen3-coder', ...options }),
  ok: (text) => toCompletion(toMessage(text), 'stop'),
  tool: toCompletion(TOOL_MESSAGE, 'tool_calls'),
  refusal: toCompletion({ role: 'assistant', content: null, refusal: 'I cannot help with that.' }, 'stop'),
  truncated: toCompletion(toMessage('{"colu'), 'length'),
  withoutUsage: WITHOUT_USAGE,
  withNullUsage: { ...WITHOUT_USAGE, usage: null },
  usage: { input: 327, cacheRead: 300, cacheWrite: 20, output: 50, reasoning: 11 },
  toolTurn: TOOL_MESSAGE,
  error: (type, message) => ({ error: { type, code: type, message, param: null } }),
  stream: (text) => toStream(text, [USAGE_FRAME, DONE]),
  toolStream: [
    frame(toChunk({ role: 'assistant', content: null })),
    frame(
      toChunk({
        tool_calls: [
          { index: 0, ...CALL, function: { name: TOOL_CALL.name, arguments: argumentsStart ?? '' } },
        ],
      }),
    ),
    frame(toChunk({ tool_calls: [{ index: 0, function: { arguments: argumentsEnd ?? '' } }] })),
    frame(toChunk({}, 'tool_calls')),
    USAGE_FRAME,
    DONE,
  ],
  streamWithoutUsage: toStream('hello', [DONE]),
  errorFrame: frame({ error: { type: 'overloaded_error', code: null, message: 'busy' } }),
  unknownFrame: ': still working\n\n',
  textFrame: toTextFrame,
  words: {
    rawStop: 'stop',
    rawToolStop: 'tool_calls',
    rawTruncated: 'length',
    rawRefusal: 'stop',
  },
}
