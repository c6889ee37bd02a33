import type {
  Response,
  ResponseFunctionToolCall,
  ResponseOutputItem,
  ResponseReasoningItem,
  ResponseStreamEvent,
  ResponseUsage,
} from 'openai/resources/responses/responses'
import { openai } from '../openai/index.ts'
import { type ApiFixtures, TOOL_CALL } from './api-fixtures.ts'
import { frame, namedFrames } from './replies.ts'

const USAGE = {
  input_tokens: 327,
  input_tokens_details: { cached_tokens: 300, cache_write_tokens: 20 },
  output_tokens: 50,
  output_tokens_details: { reasoning_tokens: 11 },
  total_tokens: 377,
} satisfies ResponseUsage

const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  access_programs: null,
  created_at: 1_790_000_000,
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: null,
  model: 'gpt-6-luna-2026-10-01',
  output: [],
  output_text: '',
  parallel_tool_calls: true,
  status: 'completed',
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  usage: USAGE,
} satisfies Response

const toItem = (text: string) =>
  ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  }) satisfies ResponseOutputItem

const REFUSAL_ITEM = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'refusal', refusal: 'I cannot help with that.' }],
} satisfies ResponseOutputItem

const TOOL_ITEMS = [
  {
    id: 'rs_1',
    type: 'reasoning',
    summary: [],
    encrypted_content: 'gAAAAA==',
  } satisfies ResponseReasoningItem,
  {
    id: 'fc_1',
    type: 'function_call',
    call_id: TOOL_CALL.id,
    name: TOOL_CALL.name,
    arguments: JSON.stringify(TOOL_CALL.input),
    status: 'completed',
  } satisfies ResponseFunctionToolCall,
]

const CREATED = {
  type: 'response.created',
  sequence_number: 0,
  response: { ...RESPONSE, status: 'in_progress', usage: undefined } as unknown as Response,
} satisfies ResponseStreamEvent

const toDelta = (text: string) =>
  ({
    type: 'response.output_text.delta',
    sequence_number: 1,
    content_index: 0,
    delta: text,
    item_id: 'msg_1',
    logprobs: [],
    output_index: 0,
  }) satisfies ResponseStreamEvent

const toCompleted = (response: Response) =>
  ({ type: 'response.completed', sequence_number: 9, response }) satisfies ResponseStreamEvent

const withText = (text: string) => ({ ...RESPONSE, output: [toItem(text)] }) satisfies Response

const toStream = (text: string, response: Response = withText(text)): readonly ResponseStreamEvent[] => [
  CREATED,
  toDelta(text.slice(0, 3)),
  toDelta(text.slice(3)),
  toCompleted(response),
]

const { usage: _, ...WITHOUT_USAGE } = withText('hello')

export const openaiFixtures: ApiFixtures = {
  name: 'openai',
  path: '/responses',
  open: (options) => openai(options),
  ok: withText,
  tool: { ...RESPONSE, output: TOOL_ITEMS } satisfies Response,
  refusal: { ...RESPONSE, output: [REFUSAL_ITEM] } satisfies Response,
  truncated: {
    ...RESPONSE,
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output: [toItem('{"colu')],
  } satisfies Response,
  withoutUsage: WITHOUT_USAGE,
  withNullUsage: { ...WITHOUT_USAGE, usage: null },
  usage: { input: 327, cacheRead: 300, cacheWrite: 20, output: 50, reasoning: 11 },
  toolTurn: TOOL_ITEMS,
  error: (type, message) => ({ error: { type, code: type, message, param: null } }),
  stream: (text) => namedFrames(toStream(text)),
  toolStream: namedFrames([CREATED, toCompleted({ ...RESPONSE, output: TOOL_ITEMS })]),
  streamWithoutUsage: namedFrames(toStream('hello', WITHOUT_USAGE)),
  errorFrame: frame(
    { type: 'error', code: 'server_is_overloaded', message: 'busy', param: null, sequence_number: 3 },
    'error',
  ),
  unknownFrame: frame({ type: 'response.news', sequence_number: 2 }, 'response.news'),
  textFrame: (text) => frame(toDelta(text), 'response.output_text.delta'),
  words: {
    rawStop: 'completed',
    rawToolStop: 'completed',
    rawTruncated: 'max_output_tokens',
    rawRefusal: 'refusal',
  },
}

/** A failed response has status 200 too. */
export const FAILED_RESPONSE = {
  ...RESPONSE,
  status: 'failed',
  error: { code: 'rate_limit_exceeded', message: 'canary-prompt' },
} satisfies Response
