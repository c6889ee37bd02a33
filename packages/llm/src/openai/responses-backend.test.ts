import { inspect } from 'node:util'
import type { Response } from 'openai/resources/responses/responses'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FAILED_RESPONSE, openaiFixtures } from '../testing/openai-fixtures.ts'
import { events, frame, json } from '../testing/replies.ts'
import { CANARY_PROMPT, failureOfCall, openOn, REQUEST } from '../testing/run.ts'
import { useStubServer } from '../testing/stub-server.ts'

const server = useStubServer({ beforeAll, afterAll })

test('disables storage, asks for thoughts and enforces the schema', async () => {
  server.answer(json(openaiFixtures.ok('hi')))
  const schema = { type: 'object' }
  await openOn(openaiFixtures, server).complete({ ...REQUEST, output: { name: 'plan', schema } })
  expect(server.requests[0]?.body).toMatchObject({
    store: false,
    include: ['reasoning.encrypted_content'],
    text: { format: { type: 'json_schema', name: 'plan', schema, strict: true } },
  })
})

test('maps a response that failed with status 200', async () => {
  const last = frame({ type: 'response.failed', sequence_number: 1, response: FAILED_RESPONSE }, 'x')
  server.answer(json(FAILED_RESPONSE), events([last]))
  const backend = openOn(openaiFixtures, server)
  for (const request of [REQUEST, { ...REQUEST, onText: () => {} }]) {
    const error = await failureOfCall(backend.complete(request))
    expect(error).toMatchObject({ kind: 'rate_limited', status: 200, requestId: 'req_0123' })
    expect(inspect(error)).not.toContain(CANARY_PROMPT)
  }
})

test.each(['in_progress', 'cancelled', 'queued'] as const satisfies readonly Response['status'][])(
  'treats a response that is %s as malformed',
  async (status) => {
    server.answer(json({ ...FAILED_RESPONSE, status }))
    const error = await failureOfCall(openOn(openaiFixtures, server).complete(REQUEST))
    expect(error.kind).toBe('malformed')
  },
)

test('recognizes an error event without a name', async () => {
  const error = { type: 'error', code: 'server_error', message: CANARY_PROMPT, param: null }
  server.answer(events([frame(error)]))
  const call = openOn(openaiFixtures, server).complete({ ...REQUEST, onText: () => {} })
  expect(await failureOfCall(call)).toMatchObject({ kind: 'provider_error' })
})

test('recognizes an answer that a filter cut off', async () => {
  const { truncated } = openaiFixtures
  server.answer(
    json({ ...(truncated as Response), incomplete_details: { reason: 'content_filter' } }),
    events([frame({ type: 'response.incomplete', sequence_number: 1, response: truncated })]),
  )
  const backend = openOn(openaiFixtures, server)
  expect(await backend.complete(REQUEST)).toMatchObject({ stop: 'filtered', rawStop: 'content_filter' })
  const streamed = await backend.complete({ ...REQUEST, onText: () => {} })
  expect(streamed).toMatchObject({ stop: 'truncated', rawStop: 'max_output_tokens' })
})

test('returns arguments that are not JSON as text', async () => {
  const call = (openaiFixtures.tool as Response).output.find((item) => item.type === 'function_call')
  server.answer(json({ ...(openaiFixtures.tool as Response), output: [{ ...call, arguments: '{"a": tr' }] }))
  const answer = await openOn(openaiFixtures, server).complete(REQUEST)
  expect(answer.toolCalls).toMatchObject([{ input: '{"a": tr' }])
})
