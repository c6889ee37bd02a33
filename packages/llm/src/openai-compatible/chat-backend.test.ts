import type { ChatCompletion } from 'openai/resources/chat/completions'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TOOL_CALL } from '../testing/api-fixtures.ts'
import { chatFixtures } from '../testing/chat-fixtures.ts'
import { events, frame, json } from '../testing/replies.ts'
import { failureOfCall, openOn, REQUEST } from '../testing/run.ts'
import { useStubServer } from '../testing/stub-server.ts'
import { openaiCompatible } from './openai-compatible.ts'

const server = useStubServer({ beforeAll, afterAll })

test('asks for the schema and, in a stream, for the usage', async () => {
  server.answer(events(chatFixtures.stream('hello')))
  const schema = { type: 'object' }
  const output = { name: 'plan', schema }
  await openOn(chatFixtures, server).complete({ ...REQUEST, output, onText: () => {} })
  expect(server.requests[0]?.body).toMatchObject({
    max_tokens: 1000,
    response_format: { type: 'json_schema', json_schema: { name: 'plan', schema, strict: true } },
    stream_options: { include_usage: true },
  })
})

test('sends no authorization without a key', async () => {
  server.answer(json(chatFixtures.ok('hi')))
  await openaiCompatible({ baseUrl: server.url, model: 'm' }).complete(REQUEST)
  expect(server.requests[0]?.headers).not.toHaveProperty('authorization')
})

test.each([
  ['stop', 'tool'],
  ['length', 'truncated'],
  ['content_filter', 'filtered'],
  ['toString', 'truncated'],
])('maps the finish reason %s of a tool call to %s', async (reason, stop) => {
  const tool = chatFixtures.tool as ChatCompletion
  server.answer(json({ ...tool, choices: [{ ...tool.choices[0], finish_reason: reason }] }))
  expect(await openOn(chatFixtures, server).complete(REQUEST)).toMatchObject({ stop, rawStop: reason })
})

test('accepts tool calls without an index, each in one piece, and thoughts in the form of other servers', async () => {
  const call = (id: string) => ({
    id,
    type: 'function',
    function: { name: TOOL_CALL.name, arguments: '{}' },
  })
  server.answer(
    events([
      frame({ choices: [{ delta: { role: 'assistant', reasoning_content: 'hm, ' } }] }),
      frame({ choices: [{ delta: { reasoning_content: 'so' } }] }),
      frame({ choices: [{ delta: { tool_calls: [call('a')] } }] }),
      frame({ choices: [{ delta: { tool_calls: [call('b')] }, finish_reason: 'tool_calls' }] }),
    ]),
  )
  const answer = await openOn(chatFixtures, server).complete({ ...REQUEST, onText: () => {} })
  expect(answer).toMatchObject({ model: 'qwen3-coder', usage: undefined })
  expect(answer.toolCalls.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(answer.turn.opaque).toEqual({
    role: 'assistant',
    content: null,
    reasoning_content: 'hm, so',
    tool_calls: [call('a'), call('b')],
  })
})

test.each([
  ['no choice', { choices: [] }],
  ['a choice without a message', { choices: [{ finish_reason: 'stop' }] }],
  ['a choice without an end', { choices: [{ message: { content: 'a' }, finish_reason: null }] }],
])('treats a completion with %s as malformed', async (_, body) => {
  server.answer(json(body))
  expect(await failureOfCall(openOn(chatFixtures, server).complete(REQUEST))).toMatchObject({
    kind: 'malformed',
  })
})

test.each([
  [{ code: 429, message: 'busy' }, 'rate_limited'],
  [{ type: 'insufficient_quota' }, 'quota'],
  [{ message: 'oh' }, 'provider_error'],
])('maps an error that comes with status 200: %j', async (error, kind) => {
  server.answer(json({ error }))
  expect(await failureOfCall(openOn(chatFixtures, server).complete(REQUEST))).toMatchObject({ kind })
})
