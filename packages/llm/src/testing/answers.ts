import { TOOL_CALL } from './api-fixtures.ts'
import { ANSWER, type Behaviour } from './behaviour.ts'
import { events, json, REQUEST_ID } from './replies.ts'

const TOOLS = [TOOL_CALL]

export const ANSWERS: readonly Behaviour[] = [
  {
    name: 'a whole answer',
    replies: ({ ok }) => [json(ok(ANSWER))],
    answer: ({ usage, words }) => ({
      stop: 'end',
      rawStop: words.rawStop,
      text: ANSWER,
      toolCalls: [],
      usage,
      requestId: REQUEST_ID,
    }),
  },
  {
    name: 'a tool call',
    replies: ({ tool }) => [json(tool)],
    answer: ({ toolTurn, words }) => ({
      stop: 'tool',
      rawStop: words.rawToolStop,
      text: '',
      toolCalls: TOOLS,
      turn: { role: 'assistant', opaque: toolTurn },
    }),
  },
  {
    name: 'a refusal',
    replies: ({ refusal }) => [json(refusal)],
    answer: ({ usage, words }) => ({
      stop: 'refused',
      rawStop: words.rawRefusal,
      text: 'I cannot help with that.',
      usage,
    }),
  },
  {
    name: 'an answer that is cut off at the limit',
    replies: ({ truncated }) => [json(truncated)],
    answer: ({ usage, words }) => ({
      stop: 'truncated',
      rawStop: words.rawTruncated,
      text: '{"colu',
      usage,
    }),
  },
  {
    name: 'a text that is not JSON',
    replies: ({ ok }) => [json(ok('{"a": tru'))],
    answer: () => ({ stop: 'end', text: '{"a": tru' }),
  },
  {
    name: 'JSON wrapped in prose',
    replies: ({ ok }) => [json(ok('Sure!\n```json\n{}\n```\n'))],
    answer: () => ({ stop: 'end', text: 'Sure!\n```json\n{}\n```\n' }),
  },
  {
    name: 'an answer without usage',
    replies: ({ withoutUsage }) => [json(withoutUsage)],
    answer: () => ({ stop: 'end', usage: undefined }),
  },
  {
    name: 'an answer with usage null',
    replies: ({ withNullUsage }) => [json(withNullUsage)],
    answer: () => ({ stop: 'end', usage: undefined }),
  },
  {
    name: 'an answer after one 429',
    replies: ({ ok, error }) => [json(error('rate_limit_error', ''), 429), json(ok(ANSWER))],
    answer: () => ({ stop: 'end', text: ANSWER }),
    requests: 2,
  },
  {
    name: 'a stream',
    isStream: true,
    replies: ({ stream }) => [events(stream(ANSWER))],
    answer: ({ usage, words }) => ({
      stop: 'end',
      rawStop: words.rawStop,
      text: ANSWER,
      usage,
      requestId: REQUEST_ID,
    }),
  },
  {
    name: 'a stream that stays open after its end',
    isStream: true,
    timeoutMs: 300,
    replies: ({ stream, name }) => [events(stream(ANSWER), name === 'openai-compatible' ? 'end' : 'hang')],
    answer: () => ({ stop: 'end', text: ANSWER }),
  },
  {
    name: 'a tool call in a stream',
    isStream: true,
    replies: ({ toolStream }) => [events(toolStream)],
    answer: ({ words }) => ({ stop: 'tool', rawStop: words.rawToolStop, toolCalls: TOOLS }),
  },
  {
    name: 'a stream with unknown events',
    isStream: true,
    replies: ({ stream, unknownFrame }) => [events(stream(ANSWER).flatMap((frame) => [unknownFrame, frame]))],
    answer: () => ({ stop: 'end', text: ANSWER }),
  },
  {
    name: 'a stream without usage',
    isStream: true,
    replies: ({ streamWithoutUsage }) => [events(streamWithoutUsage)],
    answer: () => ({ stop: 'end', text: 'hello', usage: undefined }),
  },
]
