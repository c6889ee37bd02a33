import type { ApiFixtures } from './api-fixtures.ts'
import type { Behaviour } from './behaviour.ts'
import { endlessText, halfBody, hang, json, reset, text } from './replies.ts'
import { CANARY_PROMPT } from './run.ts'
import type { StubReply } from './stub-server.ts'

/** A server that echoes what it was sent. */
const status =
  (code: number, type: string) =>
  ({ error }: ApiFixtures) => [json(error(type, CANARY_PROMPT), code)]

export const HTTP_FAILURES: readonly Behaviour[] = [
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
    name: '400 with a body without an end',
    timeoutMs: 20_000,
    replies: () => [endlessBody(400)],
    failure: 'bad_request',
    status: 400,
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
    name: 'a body without an end',
    timeoutMs: 20_000,
    replies: () => [endlessBody()],
    failure: 'malformed',
    status: 200,
  },
]

function endlessBody(status = 200): StubReply {
  return endlessText('x'.repeat(1_000_000), { status, type: 'application/json' })
}
