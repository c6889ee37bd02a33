import type { BackendAnswer, BackendFailure } from '@stagecraft/spec'
import type { ApiFixtures } from './api-fixtures.ts'
import { TOOL_CALL } from './api-fixtures.ts'
import { endlessEvents, events, halfBody, hang, json, REQUEST_ID, reset, text } from './replies.ts'
import { CANARY_PROMPT } from './run.ts'
import type { StubReply } from './stub-server.ts'

/** One situation, and what every backend makes of it. */
export interface Behaviour {
  readonly name: string
  readonly replies: (fixtures: ApiFixtures) => readonly StubReply[]
  readonly isStream?: boolean
  /** @default 5000 */
  readonly timeoutMs?: number
  /** @default 2, of the backends */
  readonly maxRetries?: number
  readonly answer?: (fixtures: ApiFixtures) => Partial<BackendAnswer>
  readonly failure?: BackendFailure
  readonly status?: number
  /** How many requests reach the server. @default 1 */
  readonly requests?: number
}

const ANSWER = '{"greeting":"hallo, Zoë"}'
const TOOLS = [TOOL_CALL]

/** A server that echoes what it was sent. */
const status =
  (code: number, type: string) =>
  ({ error }: ApiFixtures) => [json(error(type, CANARY_PROMPT), code)]

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
    name: 'an answer that is cut at the limit',
    replies: ({ truncated }) => [json(truncated)],
    answer: ({ usage, words }) => ({
      stop: 'truncated',
      rawStop: words.rawTruncated,
      text: '{"colu',
      usage,
    }),
  },
  {
    name: 'a text that is no JSON',
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
    name: 'a stream with events that nobody knows',
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

export const FAILURES: readonly Behaviour[] = [
  { name: '400', replies: status(400, 'invalid_request_error'), failure: 'bad_request', status: 400 },
  { name: '401', replies: status(401, 'authentication_error'), failure: 'auth', status: 401 },
  { name: '402', replies: status(402, 'billing_error'), failure: 'quota', status: 402 },
  { name: '403', replies: status(403, 'permission_error'), failure: 'auth', status: 403 },
  { name: '404', replies: status(404, 'not_found_error'), failure: 'model_not_found', status: 404 },
  { name: '413', replies: status(413, 'request_too_large'), failure: 'too_large', status: 413 },
  { name: '422', replies: status(422, 'invalid_request_error'), failure: 'bad_request', status: 422 },
  {
    name: '400 for a long context',
    replies: status(400, 'context_length_exceeded'),
    failure: 'too_large',
    status: 400,
  },
  {
    name: '429',
    replies: status(429, 'rate_limit_error'),
    failure: 'rate_limited',
    status: 429,
    requests: 3,
  },
  {
    name: '429 for credit',
    replies: status(429, 'insufficient_quota'),
    failure: 'quota',
    status: 429,
    requests: 3,
  },
  { name: '500', replies: status(500, 'api_error'), failure: 'provider_error', status: 500, requests: 3 },
  {
    name: '502 with HTML',
    replies: () => [text(`<h1>${CANARY_PROMPT}</h1>`, { status: 502, type: 'text/html' })],
    failure: 'provider_error',
    status: 502,
    requests: 3,
  },
  { name: '503', replies: status(503, 'api_error'), failure: 'overloaded', status: 503, requests: 3 },
  { name: '529', replies: status(529, 'overloaded_error'), failure: 'overloaded', status: 529, requests: 3 },
  {
    name: '429 with a long pause',
    replies: ({ error }) => [
      json(error('rate_limit_error', ''), 429, { 'retry-after-ms': '', 'retry-after': '3600' }),
    ],
    failure: 'rate_limited',
    status: 429,
  },
  {
    name: '429 with a pause past the time',
    timeoutMs: 1000,
    replies: ({ error }) => [json(error('rate_limit_error', ''), 429, { 'retry-after-ms': '20000' })],
    failure: 'rate_limited',
    status: 429,
  },
  {
    name: '503 in whose pause the time ends',
    timeoutMs: 200,
    replies: ({ error }) => [json(error('api_error', ''), 503, { 'retry-after-ms': '' })],
    failure: 'overloaded',
    status: 503,
  },
  {
    name: 'a redirect',
    replies: () => [text('', { status: 307, headers: { location: 'http://127.0.0.1:9/' } })],
    failure: 'network',
    status: 307,
  },
  {
    name: '200 with half a JSON',
    replies: () => [text(`{"id": "${CANARY_PROMPT}`)],
    failure: 'malformed',
    status: 200,
  },
  {
    name: '200 with HTML',
    replies: () => [text(`<h1>${CANARY_PROMPT}</h1>`, { type: 'text/html' })],
    failure: 'malformed',
    status: 200,
  },
  { name: '200 with nothing', replies: () => [text('')], failure: 'malformed', status: 200 },
  { name: '200 with null', replies: () => [text('null')], failure: 'malformed', status: 200 },
  { name: '200 with another object', replies: () => [json({ a: 1 })], failure: 'malformed', status: 200 },
  { name: '200 with half a body', replies: () => [halfBody()], failure: 'network', status: 200 },
  { name: 'silence', timeoutMs: 150, replies: () => [hang()], failure: 'timeout' },
  {
    name: 'silence after a 500',
    timeoutMs: 300,
    replies: ({ error }) => [json(error('api_error', ''), 500), hang()],
    failure: 'timeout',
    requests: 2,
  },
  {
    name: 'a broken connection',
    maxRetries: 1,
    replies: () => [reset()],
    failure: 'network',
    requests: 2,
  },
  {
    name: 'an error in a stream',
    isStream: true,
    replies: ({ stream, errorFrame }) => [events([...stream(ANSWER).slice(0, 2), errorFrame])],
    failure: 'overloaded',
    status: 200,
  },
  {
    name: 'a stream that breaks',
    isStream: true,
    replies: ({ stream }) => [events(stream(ANSWER).slice(0, 3), 'reset')],
    failure: 'network',
    status: 200,
  },
  {
    name: 'a stream that ends early',
    isStream: true,
    replies: ({ stream }) => [events(stream(ANSWER).slice(0, 3))],
    failure: 'network',
    status: 200,
  },
  {
    name: 'a stream that ends inside an event',
    isStream: true,
    replies: ({ stream }) => [events([...stream(ANSWER).slice(0, 2), 'data: {"type":"resp'])],
    failure: 'network',
    status: 200,
  },
  {
    name: 'a stream with an event that is no JSON',
    isStream: true,
    replies: ({ stream }) => [
      events([...stream(ANSWER).slice(0, 2), 'event: message_delta\ndata: {"a": tru\n\n']),
    ],
    failure: 'malformed',
    status: 200,
  },
  {
    name: 'a stream that stops and stays open',
    isStream: true,
    timeoutMs: 150,
    replies: ({ stream }) => [events(stream(ANSWER).slice(0, 3), 'hang')],
    failure: 'timeout',
    status: 200,
  },
  {
    name: 'a stream without an end',
    isStream: true,
    timeoutMs: 20_000,
    replies: ({ stream, textFrame }) => [
      endlessEvents(stream(ANSWER).slice(0, 2), textFrame('x'.repeat(1_000_000))),
    ],
    failure: 'malformed',
    status: 200,
  },
  {
    name: 'a body without an end',
    timeoutMs: 20_000,
    replies: () => [endlessBody()],
    failure: 'malformed',
    status: 200,
  },
]

function endlessBody(): StubReply {
  return endlessEvents(['{"id": "'], 'x'.repeat(1_000_000))
}
