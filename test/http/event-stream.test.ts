import { createClient } from '@stagecraft/client'
import { expect, test } from 'vitest'
import { PROJECT_ID } from './api-double.ts'
import { startApi } from './api-service.ts'
import { KEY } from './service.ts'

const CONVERSATION = `/v1/projects/${PROJECT_ID}/assistant/conversations/conv_1`
const EVENTS = `GET ${CONVERSATION}/messages/msg_1/events`
const ASK = `POST ${CONVERSATION}/messages`
const STREAM = { accept: 'text/event-stream' }
const BODY = { content: 'Where is fct_orders used?' }

test('a question is answered with events if they are requested, once for each key', async () => {
  const { ask, calls } = await startApi()
  const headers = { ...STREAM, 'idempotency-key': 'once' }
  const first = await ask(ASK, { body: BODY, headers })
  expect(first.headers.get('content-type')).toContain('text/event-stream')
  expect(await first.text()).toContain('"event":"message.completed"')
  const second = await ask(ASK, { body: BODY, headers })
  expect(await second.text()).toContain('"event":"message.completed"')
  const json = await ask(ASK, { body: BODY, headers: { 'idempotency-key': 'once' } })
  expect(json.headers.get('idempotent-replayed')).toBe('true')
  expect(await json.json()).toMatchObject({ data: { id: 'msg_1' }, meta: { tokensUsed: 7 } })
  expect(calls.map(({ id }) => id)).toEqual(['createMessage', 'getMessageEvents', 'getMessageEvents'])
  expect(calls[0]?.call).toMatchObject({ wantsStream: true, body: BODY })
  expect(calls[1]?.call.params).toEqual({
    projectId: PROJECT_ID,
    conversationId: 'conv_1',
    messageId: 'msg_1',
  })
})

test.each([
  ['application/json', false],
  ['*/*', false],
  ['text/event-stream;q=0.9, application/json', true],
])('a client that accepts %s receives events: %s', async (accept, isStream) => {
  const { ask } = await startApi()
  const response = await ask(ASK, { body: BODY, headers: { accept } })
  expect(response.headers.get('content-type')?.startsWith('text/event-stream')).toBe(isStream)
  await response.text()
})

test('a failure before the first event is an answer with a status', async () => {
  const { ask } = await startApi()
  expect((await ask(ASK, { body: {}, headers: STREAM })).status).toBe(400)
  expect((await ask(EVENTS, { key: null, headers: STREAM })).status).toBe(401)
  expect((await ask(EVENTS.replace(PROJECT_ID, 'proj_2'), { headers: STREAM })).status).toBe(404)
})

test('the client follows an answer to its end, without asking again', async () => {
  const { calls, url } = await startApi()
  const client = createClient({ apiKey: KEY, baseUrl: url, projectId: PROJECT_ID })
  const events: string[] = []
  for await (const { event } of client.messages.events('conv_1', 'msg_1')) events.push(event)
  expect(events).toEqual(['text.delta', 'message.completed'])
  expect(calls.map(({ id }) => id)).toEqual(['getMessageEvents'])
})
