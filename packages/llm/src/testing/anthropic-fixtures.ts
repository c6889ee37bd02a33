import type {
  Message,
  MessageDeltaUsage,
  RawMessageStreamEvent,
  TextBlock,
  Usage,
} from '@anthropic-ai/sdk/resources/messages'
import { anthropic } from '../anthropic/index.ts'
import { type ApiFixtures, TOOL_CALL } from './api-fixtures.ts'
import { frame, namedFrames } from './replies.ts'

const USAGE = {
  cache_creation: null,
  cache_creation_input_tokens: 20,
  cache_read_input_tokens: 300,
  inference_geo: null,
  input_tokens: 7,
  output_tokens: 50,
  output_tokens_details: { thinking_tokens: 11 },
  server_tool_use: null,
  service_tier: 'standard',
  speed: null,
} satisfies Usage

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-haiku-5-5-20261001',
  container: null,
  content: [],
  diagnostics: null,
  stop_details: null,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: USAGE,
} satisfies Message

const toBlock = (text: string) => ({ type: 'text', text, citations: null }) satisfies TextBlock

const TOOL_CONTENT = [
  { type: 'thinking', thinking: 'Which columns?', signature: 'c2lnbmVk' },
  { type: 'tool_use', ...TOOL_CALL, caller: { type: 'direct' } },
] satisfies Message['content']

const END_USAGE = {
  cache_creation_input_tokens: null,
  cache_read_input_tokens: null,
  input_tokens: null,
  output_tokens: 50,
  output_tokens_details: { thinking_tokens: 11 },
  server_tool_use: null,
} satisfies MessageDeltaUsage

const START = {
  type: 'message_start',
  message: { ...MESSAGE, stop_reason: null, usage: { ...USAGE, output_tokens: 1 } },
} satisfies RawMessageStreamEvent

const toDelta = (text: string) =>
  ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text },
  }) satisfies RawMessageStreamEvent

const toEnd = (reason: Message['stop_reason']) =>
  [
    {
      type: 'message_delta',
      delta: { container: null, stop_details: null, stop_reason: reason, stop_sequence: null },
      usage: END_USAGE,
    },
    { type: 'message_stop' },
  ] satisfies RawMessageStreamEvent[]

const toStream = (text: string): readonly RawMessageStreamEvent[] => [
  START,
  { type: 'content_block_start', index: 0, content_block: toBlock('') },
  toDelta(text.slice(0, 3)),
  toDelta(text.slice(3)),
  { type: 'content_block_stop', index: 0 },
  ...toEnd('end_turn'),
]

const TOOL_STREAM: readonly RawMessageStreamEvent[] = [
  START,
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Which ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'columns?' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2lnbmVk' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'content_block_start',
    index: 1,
    content_block: { type: 'tool_use', ...TOOL_CALL, input: {}, caller: { type: 'direct' } },
  },
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"table":' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '"orders"}' } },
  { type: 'content_block_stop', index: 1 },
  ...toEnd('tool_use'),
]

export const anthropicFixtures: ApiFixtures = {
  name: 'anthropic',
  path: '/v1/messages',
  open: (options) => anthropic(options),
  ok: (text) => ({ ...MESSAGE, content: [toBlock(text)] }) satisfies Message,
  tool: { ...MESSAGE, content: TOOL_CONTENT, stop_reason: 'tool_use' } satisfies Message,
  refusal: {
    ...MESSAGE,
    content: [toBlock('I cannot help with that.')],
    stop_reason: 'refusal',
    stop_details: { type: 'refusal', category: 'cyber', explanation: null },
  } satisfies Message,
  truncated: { ...MESSAGE, content: [toBlock('{"colu')], stop_reason: 'max_tokens' } satisfies Message,
  withoutUsage: { ...MESSAGE, content: [toBlock('hi')], usage: undefined },
  withNullUsage: { ...MESSAGE, content: [toBlock('hi')], usage: null },
  usage: { input: 327, cacheRead: 300, cacheWrite: 20, output: 50, reasoning: 11 },
  toolTurn: TOOL_CONTENT,
  error: (type, message) => ({ type: 'error', error: { type, message }, request_id: 'req_0123' }),
  stream: (text) => namedFrames(toStream(text)),
  toolStream: namedFrames(TOOL_STREAM),
  streamWithoutUsage: namedFrames(
    toStream('hello').map((event) =>
      event.type === 'message_delta' ? { type: event.type, delta: event.delta } : event,
    ),
  ),
  errorFrame: frame({ type: 'error', error: { type: 'overloaded_error', message: 'busy' } }, 'error'),
  unknownFrame: frame({ type: 'news', value: 1 }, 'news'),
  textFrame: (text) => frame(toDelta(text), 'content_block_delta'),
  words: {
    rawStop: 'end_turn',
    rawToolStop: 'tool_use',
    rawTruncated: 'max_tokens',
    rawRefusal: 'refusal',
  },
}
