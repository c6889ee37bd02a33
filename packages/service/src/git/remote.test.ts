import { describe, expect, test } from 'vitest'
import type { PushPolicy } from './push-options.ts'
import { readRemote } from './remote.ts'

const OPEN: PushPolicy = { allowLocal: true, allowPrivateHosts: true }
const CLOSED: PushPolicy = { allowLocal: false, allowPrivateHosts: false }

const addressOf = (text: string, policy = OPEN): unknown => {
  const check = readRemote(text, policy)
  return 'remote' in check ? check.remote.address : check.problem.expected
}

test.each([
  ['https://github.com/acme/dbt.git', 'https://github.com/acme/dbt.git', 'github.com', 443],
  ['HTTPS://GitHub.com:8443/a', 'https://github.com:8443/a', 'github.com', 8443],
  ['https://0x7f.1/a', 'https://127.0.0.1/a', '127.0.0.1', 443],
  ['https://[::1]:8443/a', 'https://[::1]:8443/a', '::1', 8443],
  ['https://h/a/../b', 'https://h/b', 'h', 443],
  ['ssh://git@github.com/acme/dbt.git', 'ssh://git@github.com:22/acme/dbt.git', 'github.com', 22],
  ['ssh://host:2222/~me/x', 'ssh://host:2222/~me/x', 'host', 2222],
  ['ssh://[::1]/x', 'ssh://[::1]:22/x', '::1', 22],
  ['git@github.com:acme/dbt.git', 'git@github.com:acme/dbt.git', 'github.com', 22],
  ['host:x', 'host:x', 'host', 22],
  ['git@0x7f.1:x', 'git@127.0.0.1:x', '127.0.0.1', 22],
])('reads %s', (text, address, host, port) => {
  const check = readRemote(text, CLOSED)
  expect(check).toMatchObject({ remote: { address, host, port } })
})

test.each([
  ['http://git.local/x', 'http://git.local/x'],
  ['/srv/git/x.git', '/srv/git/x.git'],
  ['/srv/git/my repository ü', '/srv/git/my repository ü'],
  ['file:///srv/git/x.git', 'file:///srv/git/x.git'],
])('reads %s where it is open, and there alone', (text, address) => {
  expect(addressOf(text)).toBe(address)
  expect(addressOf(text, CLOSED)).toMatch(/^https:\/\//)
})

test.each([
  ['http://1.1.1.1/x', false],
  ['http://[2606:4700::1111]/x', false],
  ['https://1.1.1.1/x', true],
  ['http://10.0.0.1/x', true],
  ['http://127.0.0.1:3000/x', true],
])('reads http only of private networks: %s', (text, isRead) => {
  expect('remote' in readRemote(text, { allowLocal: true, allowPrivateHosts: true })).toBe(isRead)
})

describe('refuses', () => {
  test.each([
    '',
    'x',
    './x',
    '../x',
    '--upload-pack=touch /tmp/x',
    '-x:y',
    'ext::sh -c date',
    'fd::17',
    'git::https://host/x',
    'git://host/x',
    'ftp://host/x',
    'javascript://x/%0aalert(1)',
    'https://',
    'https:///x',
    'https://host',
    'https://host/',
    'https://-host/x',
    'https://ho$st/x',
    'ssh://-oProxyCommand=date/x',
    'ssh://host',
    'ssh://host/',
    'ssh://host/-x',
    'ssh://host/~-x',
    'ssh://-x@host/x',
    'ssh://%2dx@host/x',
    '-x@host:y',
    'git@-host:y',
    'git@host:-y',
    'git@host:',
    'git@host::x',
    'a b@host:x',
    '/srv/../etc/x',
    'file://host/srv/x',
    'file:///a/../b',
    'file:///a%2fb',
    'file://',
    'https://host/a\nb',
    'git@host:a\0b',
  ])('%j', (text) => {
    expect(readRemote(text, OPEN)).toEqual({
      problem: { expected: expect.any(String), received: expect.any(String) },
    })
  })

  test('what is too long', () => {
    expect(readRemote(`https://host/${'x'.repeat(2048)}`, OPEN)).toMatchObject({
      problem: { expected: '2048 characters at most' },
    })
  })

  test.each([
    'https://s3cret@host/x',
    'https://me:s3cret@host/x',
    'https://:s3cret@host/x',
    'ssh://me:s3cret@host/x',
    'https://host/x?private_token=s3cret',
    'https://host/x#s3cret',
    'ssh://host/x?s3cret',
    'file:///x?s3cret',
    'me:s3cret@host:x',
    's3cret',
  ])('%s without repeating it', (text) => {
    const check = readRemote(text, OPEN)
    expect(Object.keys(check)).toEqual(['problem'])
    expect(JSON.stringify(check)).not.toContain('s3cret')
  })
})
