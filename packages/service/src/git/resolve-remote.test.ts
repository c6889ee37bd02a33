import type { Lookup } from '@stagecraft/webhooks'
import { describe, expect, test } from 'vitest'
import { readRemote } from './remote.ts'
import { resolveRemote } from './push-files.ts'

const OPEN = { allowLocal: true, allowPrivateHosts: true }
const CLOSED = { allowLocal: true, allowPrivateHosts: false }

async function resolve(text: string, policy: typeof OPEN, addresses: readonly string[] = ['93.184.216.34']) {
  const check = readRemote(text, OPEN)
  if ('problem' in check) throw new Error(check.problem.expected)
  const lookup: Lookup = async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  const { signal } = new AbortController()
  return await resolveRemote(check.remote, { policy, lookup, signal }).catch(
    (error: { details: { reason: string } }) => error.details.reason,
  )
}

test('finds the addresses of a public host', async () => {
  const addresses = ['93.184.216.34', '2606:2800:220:1::1']
  for (const text of ['https://git.example.com/x', 'ssh://git.example.com/x', 'git@git.example.com:x']) {
    expect(await resolve(text, CLOSED, addresses)).toEqual(addresses)
  }
})

test('needs no address for one that is written, or for a path', async () => {
  expect(await resolve('https://1.1.1.1/x', CLOSED)).toEqual([])
  expect(await resolve('/srv/x', CLOSED)).toEqual([])
})

describe.each(['10.1.2.3', '127.0.0.1', '192.168.1.1', '::1', 'fd00::1'])(
  'the private address %s',
  (address) => {
    const literal = address.includes(':') ? `[${address}]` : address
    test('is closed', async () => {
      expect(await resolve('https://git.example.com/x', CLOSED, ['93.184.216.34', address])).toBe(
        'host_closed',
      )
      expect(await resolve('git@git.example.com:x', CLOSED, [address])).toBe('host_closed')
      expect(await resolve(`https://${literal}/x`, CLOSED)).toBe('host_closed')
      expect(await resolve(`ssh://${literal}/x`, CLOSED)).toBe('host_closed')
    })

    test('is open by the policy, for http too', async () => {
      for (const scheme of ['https', 'http', 'ssh']) {
        expect(await resolve(`${scheme}://git.example.com/x`, OPEN, [address])).toEqual([address])
        expect(await resolve(`${scheme}://gitserver/x`, OPEN, [address])).toEqual([address])
        expect(await resolve(`${scheme}://${literal}/x`, OPEN)).toEqual([])
      }
    })
  },
)

test.each(['169.254.169.254', '100.100.100.200', 'fd00:ec2::254', '::ffff:127.0.0.1'])(
  'the address %s, which leads to credentials, is never open',
  async (address) => {
    expect(await resolve('https://git.example.com/x', OPEN, [address])).toBe('host_closed')
  },
)

test('http is closed for names of public hosts', async () => {
  expect(await resolve('http://git.example.com/x', OPEN)).toBe('host_closed')
})

test('a name of a local network is not looked up where none is open', async () => {
  expect(await resolve('https://localhost/x', CLOSED)).toBe('host_closed')
  expect(await resolve('git@gitserver:x', CLOSED)).toBe('host_closed')
})

test('a name without an address is told of', async () => {
  expect(await resolve('https://git.example.com/x', OPEN, [])).toBe('host not found')
})

test('a stop is told as what it is', async () => {
  const check = readRemote('https://git.example.com/x', OPEN)
  if ('problem' in check) throw new Error(check.problem.expected)
  const controller = new AbortController()
  const lookup: Lookup = async () => {
    controller.abort(new Error('enough'))
    return await new Promise(() => {})
  }
  const work = resolveRemote(check.remote, { policy: OPEN, lookup, signal: controller.signal })
  await expect(work).rejects.toThrow('enough')
})
