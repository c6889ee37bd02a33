import { expect, test } from 'vitest'
import { anthropic } from '../anthropic/index.ts'
import { openaiCompatible } from '../openai-compatible/index.ts'
import { openai } from '../openai/index.ts'
import { faultsOf } from '../testing/faults.ts'

const KEY = 'sk-canary-key-0123456789'

test.each([
  ['nothing', undefined, 'a value of type undefined'],
  ['an empty text', '', 'an empty text'],
  ['a blank', '  ', 'an empty text'],
  ['a line end', `${KEY}\n`, 'something else'],
  ['a letter that no header may have', `${KEY}é`, 'something else'],
])('refuses a key that is %s', (_, apiKey, received) => {
  for (const factory of [anthropic, openai]) {
    const error = faultsOf(() => factory({ apiKey: apiKey as string }))
    expect(error.details?.faults).toMatchObject([{ path: 'apiKey', received }])
    expect(error.message).toContain('apiKey: expected a key')
    expect(error.message).toContain('the command line reads it from the environment')
    expect(JSON.stringify(error) + error.message).not.toContain(KEY)
  }
})

test('requires no key for other servers, but refuses a blank one', () => {
  const options = { baseUrl: 'http://localhost:11434/v1', model: 'qwen3-coder' }
  expect(openaiCompatible(options).id).toBe('openai-compatible:qwen3-coder')
  expect(faultsOf(() => openaiCompatible({ ...options, apiKey: '' })).code).toBe('INVALID_REQUEST')
})

test('reports all faults at once', () => {
  const given = { apiKey: '', model: ' ', baseUrl: 'localhost:1', fetch: 1 as unknown as typeof fetch }
  const error = faultsOf(() => openai({ ...given, maxRetries: -1, probeAfterMs: 0, probeTimeoutMs: NaN }))
  expect(error.details?.faults?.map(({ path }) => path)).toEqual([
    'apiKey',
    'model',
    'baseUrl',
    'fetch',
    'maxRetries',
    'probeAfterMs',
    'probeTimeoutMs',
  ])
})

test.each(['ftp://a', 'http://me:secret@a/', 'http://a/?key=secret', 'http://a/#secret', 'a'])(
  'refuses the base URL %s and does not repeat it',
  (baseUrl) => {
    const error = faultsOf(() => anthropic({ apiKey: KEY, baseUrl }))
    expect(error.details?.faults).toMatchObject([{ path: 'baseUrl', received: 'something else' }])
    expect(error.message).not.toContain('secret')
  },
)

test('has an id of kind and model', () => {
  expect(anthropic({ apiKey: KEY }).id).toBe('anthropic:claude-haiku-5-5')
  expect(openai({ apiKey: KEY, model: 'gpt-6-astra' }).id).toBe('openai:gpt-6-astra')
  expect(openai({ apiKey: KEY }).id).toBe('openai:gpt-6-luna')
})
