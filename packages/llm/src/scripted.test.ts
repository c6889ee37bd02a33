import { BackendError, type BackendRequest } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { scripted, SCRIPTED_USAGE } from './scripted.ts'
import { REQUEST } from './testing/run.ts'

test('answers from a list, with whole answers', async () => {
  const backend = scripted(['a', { stop: 'truncated', text: 'b', usage: undefined }])
  expect(await backend.complete(REQUEST)).toEqual({
    stop: 'end',
    rawStop: 'end',
    text: 'a',
    toolCalls: [],
    turn: { role: 'assistant', opaque: { text: 'a', toolCalls: [] } },
    usage: SCRIPTED_USAGE,
    model: 'scripted',
  })
  expect(await backend.complete(REQUEST)).toMatchObject({
    stop: 'truncated',
    rawStop: 'truncated',
    usage: undefined,
  })
})

test('stops for tool calls', async () => {
  const toolCalls = [{ id: '1', name: 'list_columns', input: {} }]
  expect(await scripted([{ toolCalls }], { id: 'x' }).complete(REQUEST)).toMatchObject({
    stop: 'tool',
    toolCalls,
    model: 'x',
  })
})

test('throws the errors of the script', async () => {
  const error = new BackendError('overloaded', 'busy')
  await expect(scripted([error]).complete(REQUEST)).rejects.toBe(error)
})

test('answers with the result of a function, which gets the number of the call', async () => {
  const backend = scripted((request, attempt) => `${request.system} ${attempt}`)
  await backend.complete(REQUEST)
  expect(await backend.complete(REQUEST)).toMatchObject({ text: `${REQUEST.system} 2` })
})

test('keeps the requests unchanged', async () => {
  const backend = scripted(['a', 'b'])
  const turns: BackendRequest['turns'][number][] = [{ role: 'user', text: 'one' }]
  await backend.complete({ ...REQUEST, turns })
  turns.push({ role: 'user', text: 'two' })
  await backend.complete({ ...REQUEST, turns })
  expect(backend.requests.map((request) => request.turns.length)).toEqual([1, 2])
})

test('gives the text to a listener', async () => {
  const texts: string[] = []
  const onText = (delta: string) => void texts.push(delta)
  await scripted(['hello', '']).complete({ ...REQUEST, onText })
  expect(texts).toEqual(['hello'])
})

test('fails at the end of the script', async () => {
  const backend = scripted(['a'])
  await backend.complete(REQUEST)
  await expect(backend.complete(REQUEST)).rejects.toMatchObject({
    code: 'GENERATION_FAILED',
    message: 'the script has 1 answers but was asked 2 times; add an answer',
  })
})

test('stops when the signal is aborted', async () => {
  const reason = new Error('stopped')
  const backend = scripted(['a'])
  await expect(backend.complete({ ...REQUEST, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect(backend.requests).toEqual([])
})
