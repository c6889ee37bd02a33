import { expect, test } from 'vitest'
import { resolveEndpoint } from './resolve-endpoint.ts'

const answer = (...addresses: readonly string[]) => {
  return async () => addresses.map((address) => ({ address, family: 4 }))
}

test.each([
  ['https://example.com/', ['1.1.1.1'], 'ok'],
  ['https://example.com/', ['1.1.1.1', '127.0.0.1'], 'unsafe'],
  ['https://example.com/', ['10.0.0.1'], 'ok'],
  ['http://example.com/', ['1.1.1.1'], 'unsafe'],
  ['http://example.com/', ['10.0.0.1'], 'ok'],
  ['https://receiver/', ['1.1.1.1'], 'unsafe'],
  ['https://receiver/', ['10.0.0.1'], 'ok'],
  ['https://example.com/', [], 'unresolvable'],
  ['https://10.0.0.1/', [], 'ok'],
  ['https://127.0.0.1/', [], 'unsafe'],
  ['no url', [], 'unsafe'],
])('%s with the addresses %j is %s', async (url, addresses, resolution) => {
  const policy = { allowCidrs: ['10.0.0.0/8'], allowHttp: true }
  expect(await resolveEndpoint(url, { policy, lookup: answer(...addresses) })).toBe(resolution)
})

test('a DNS failure or timeout is not reported as an unsafe address', async () => {
  const failing = () => Promise.reject(Object.assign(new Error('x'), { code: 'EAI_AGAIN' }))
  const silent = () => new Promise<never>(() => {})
  for (const lookup of [failing, silent]) {
    expect(await resolveEndpoint('https://example.com/', { policy: {}, lookup, timeoutMs: 50 })).toBe(
      'unresolvable',
    )
  }
})
