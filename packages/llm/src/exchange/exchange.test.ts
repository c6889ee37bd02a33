import type { BackendRequest } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { REQUEST } from '../testing/run.ts'
import { canonicalJson } from './canonical-json.ts'
import { keyOf, recordedRequest } from './exchange.ts'

const keyFor = (request: BackendRequest, backend = 'a:b') => keyOf(recordedRequest(backend, request))

test('prints equal values as the same text', () => {
  const left = { b: [{ y: 1, x: undefined }], a: null, ['__proto__']: 1 }
  const right = { ['__proto__']: 1, a: null, b: [{ y: 1 }] }
  expect(canonicalJson(left)).toBe('{"__proto__":1,"a":null,"b":[{"y":1}]}')
  expect(canonicalJson(right)).toBe(canonicalJson(left))
})

test('has the same key as earlier recordings', () => {
  expect(keyFor(REQUEST)).toBe('8a2d21db189c0d80')
})

const OUTPUT = { name: 'plan', schema: { type: 'object', required: ['a'] } }

test.each<[string, Partial<BackendRequest>]>([
  ['system', { system: 'other' }],
  ['turns', { turns: [] }],
  ['output', { output: OUTPUT }],
  ['tools', { tools: [{ name: 'a', description: '', input: {} }] }],
  ['toolChoice', { toolChoice: 'none' }],
  ['maxOutputTokens', { maxOutputTokens: 1 }],
])('has another key with another %s', (_, change) => {
  expect(keyFor({ ...REQUEST, ...change })).not.toBe(keyFor(REQUEST))
})

test('has another key for another backend', () => {
  expect(keyFor(REQUEST, 'a:c')).not.toBe(keyFor(REQUEST))
})

test('has one key whatever the order of keys, the time limit and the listeners', () => {
  const schema = { required: ['a'], type: 'object' }
  const limits = { timeoutMs: 1, signal: AbortSignal.timeout(1), onText: () => {} }
  const left = keyFor({ ...REQUEST, output: OUTPUT })
  expect(keyFor({ ...limits, output: { schema, name: 'plan' }, ...REQUEST, ...limits })).toBe(left)
})
