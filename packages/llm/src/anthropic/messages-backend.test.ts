import Anthropic from '@anthropic-ai/sdk'
import type { MessageCreateParamsNonStreaming, StopReason } from '@anthropic-ai/sdk/resources/messages'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anthropicFixtures } from '../testing/anthropic-fixtures.ts'
import { events, frame, json } from '../testing/replies.ts'
import { failureOfCall, openOn, REQUEST } from '../testing/run.ts'
import { useStubServer } from '../testing/stub-server.ts'
import { readMessage } from './read-message.ts'

const server = useStubServer({ beforeAll, afterAll })

const onText = () => {}

test('sends the API version of the SDK', async () => {
  server.answer(json(anthropicFixtures.ok('hi')), json(anthropicFixtures.ok('hi')))
  const client = new Anthropic({ apiKey: 'k', baseURL: server.url })
  await client.messages.create({ model: 'm', max_tokens: 1, messages: [] })
  await openOn(anthropicFixtures, server).complete(REQUEST)
  const [sdk, ours] = server.requests.map(({ headers }) => headers['anthropic-version'])
  expect(ours).toBe(sdk)
})

test('marks the system prompt for the cache and asks for the schema', async () => {
  server.answer(json(anthropicFixtures.ok('hi')))
  const schema = { type: 'object' }
  await openOn(anthropicFixtures, server).complete({ ...REQUEST, output: { name: 'plan', schema } })
  expect(server.requests[0]?.body).toMatchObject({
    system: [{ type: 'text', text: REQUEST.system, cache_control: { type: 'ephemeral' } }],
    output_config: { format: { type: 'json_schema', schema } },
  })
})

test('allows more output than the SDK would without streaming', async () => {
  server.answer(json(anthropicFixtures.ok('hi')))
  const answer = await openOn(anthropicFixtures, server).complete({ ...REQUEST, maxOutputTokens: 64_000 })
  expect(answer.stop).toBe('end')
})

test('treats a second message in one stream as malformed', async () => {
  const [start = '', ...rest] = anthropicFixtures.stream('hello')
  server.answer(events([start, start, ...rest]))
  const call = openOn(anthropicFixtures, server).complete({ ...REQUEST, onText })
  const error = await failureOfCall(call)
  expect(error.kind).toBe('malformed')
  expect(error.message).toContain('two messages in one stream')
})

test.each([
  ['a delta of no block', { type: 'content_block_delta', index: 9, delta: { type: 'text_delta' } }],
  ['an end without a start', { type: 'message_stop' }],
])('treats %s as malformed', async (_, event) => {
  server.answer(events([frame(event, event.type)]))
  const call = openOn(anthropicFixtures, server).complete({ ...REQUEST, onText })
  expect(await failureOfCall(call)).toMatchObject({ kind: 'malformed' })
})

test('maps codes of spend limits', async () => {
  const details = { error_code: 'enforced_spend_limit_reached' }
  server.answer(json({ type: 'error', error: { type: 'rate_limit_error', message: '', details } }, 429))
  const backend = openOn(anthropicFixtures, server, { maxRetries: 0 })
  expect(await failureOfCall(backend.complete(REQUEST))).toMatchObject({ kind: 'quota', status: 429 })
})

test.each([
  ['end_turn', 'end'],
  ['stop_sequence', 'end'],
  ['tool_use', 'tool'],
  ['max_tokens', 'truncated'],
  ['model_context_window_exceeded', 'truncated'],
  ['pause_turn', 'truncated'],
  ['refusal', 'refused'],
  ['constructor', 'truncated'],
] as const satisfies readonly (readonly [StopReason | 'constructor', string])[])(
  'maps the stop reason %s to %s',
  (reason, stop) => {
    expect(readMessage({ content: [], stop_reason: reason }, 'm')).toMatchObject({ stop, rawStop: reason })
  },
)

test('the API no longer has a parameter for sampling', () => {
  const params: MessageCreateParamsNonStreaming = {
    model: 'claude-haiku-5-5',
    max_tokens: 1,
    messages: [],
    // @ts-expect-error When this line compiles, read the release notes of the SDK.
    temperature: 0,
  }
  expect(Object.keys(params)).toContain('temperature')
})
