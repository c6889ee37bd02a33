import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StagecraftError } from '@stagecraft/spec'
import { describe, expect, onTestFinished, test } from 'vitest'
import { pushFiles } from './push-files.ts'
import type { GitCredentials, PushOptions, PushOutcome } from './push-options.ts'
import { makeFolder, makeRepository } from './testing/repositories.ts'

const KEY = '-----BEGIN OPENSSH PRIVATE KEY-----\r\ns3cretKey\r\n-----END OPENSSH PRIVATE KEY-----'

/** Stands in for ssh: writes down what it gets, and runs the command here. */
function localSsh(script = 'exec sh -c "$last"') {
  const folder = makeFolder(onTestFinished)
  const program = join(folder, "it's ssh")
  const lines = [
    '#!/bin/sh',
    `log='${folder}'`,
    String.raw`printf '%s\n' "$@" > "$log/parameters"`,
    'env > "$log/environment"',
    'for last; do :; done',
    'while [ "$1" != -i ]; do shift; done',
    'stat -L -c %a "$2" > "$log/mode"; cat "$2" > "$log/key"; cp "$HOME/known_hosts" "$log/known_hosts"',
    script,
  ]
  writeFileSync(program, `${lines.join('\n')}\n`, { mode: 0o755 })
  return { program, read: (name: string): string => readFileSync(join(folder, name), 'utf8') }
}

async function push(remote: string, change: Partial<PushOptions> = {}): Promise<PushOutcome> {
  const folder = makeFolder(onTestFinished)
  try {
    return await pushFiles({
      remote,
      branch: 'main',
      message: 'Staging models',
      author: { name: 'Stagecraft', email: 'stagecraft@localhost' },
      files: [{ path: 'models/a.sql', content: 'select 1\n' }],
      lastPushed: new Map(),
      policy: { allowLocal: false, allowPrivateHosts: false },
      credentials: { privateKey: KEY },
      lookup: async () => [{ address: '93.184.216.34', family: 4 }],
      ...change,
      folder,
    })
  } finally {
    expect(readdirSync(folder)).toEqual([])
  }
}

async function failureOf(work: Promise<PushOutcome>): Promise<StagecraftError> {
  const error = await work.catch((error: unknown) => error)
  expect(error).toBeInstanceOf(StagecraftError)
  return error as StagecraftError
}

test('pushes with a key that only a file holds', async () => {
  const repository = makeRepository(onTestFinished)
  const { program, read } = localSsh()
  const knownHosts = 'git.example.com ssh-ed25519 AAAA'
  const outcome = await push(`ssh://git@git.example.com${repository.folder}`, {
    programs: { ssh: program },
    credentials: { privateKey: KEY, knownHosts },
  })
  expect(outcome).toMatchObject({ outcome: 'pushed', commit: repository.git('rev-parse', 'main') })
  expect(read('mode').trim()).toBe('600')
  expect(read('key')).toBe(`${KEY.replaceAll('\r\n', '\n')}\n`)
  expect(read('known_hosts')).toBe(knownHosts)
  expect(read('parameters') + read('environment')).not.toContain('s3cretKey')
  const parameters = read('parameters').split('\n')
  for (const option of [
    'BatchMode=yes',
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
    'StrictHostKeyChecking=yes',
    'ForwardAgent=no',
    'HostName=93.184.216.34',
    'HostKeyAlias=git.example.com',
  ]) {
    expect(parameters[parameters.indexOf(option) - 1]).toBe('-o')
  }
  expect(parameters.slice(0, 3)).toEqual(['-F', '/dev/null', '-i'])
  expect(parameters).toContain('git@git.example.com')
})

test('believes the key of a host of which none is known', async () => {
  const repository = makeRepository(onTestFinished)
  const { program, read } = localSsh()
  await push(`git@git.example.com:${repository.folder}`, { programs: { ssh: program } })
  expect(read('parameters')).toContain('StrictHostKeyChecking=accept-new')
})

test('knows the key of another port by host and port', async () => {
  const repository = makeRepository(onTestFinished)
  const { program, read } = localSsh()
  await push(`ssh://git.example.com:2222${repository.folder}`, { programs: { ssh: program } })
  expect(read('parameters')).toContain('HostKeyAlias=[git.example.com]:2222\n')
  expect(read('parameters')).toContain('-p\n2222\n')
})

test('lets nothing of the machine through to ssh', async () => {
  const repository = makeRepository(onTestFinished)
  const { program, read } = localSsh()
  await push(`git@git.example.com:${repository.folder}`, { programs: { ssh: program } })
  expect(read('environment')).not.toMatch(/^(?:SSH_AUTH_SOCK|https?_proxy|ALL_PROXY|GIT_ASKPASS)=/im)
})

describe('is told why', () => {
  test.each([
    ['git@h: Permission denied (publickey).', 'the credentials were rejected'],
    ['Host key verification failed.', 'the host key does not match the known hosts'],
    ['ERROR: Repository not found.', 'repository not found'],
    ['ssh: connect to host h port 22: Connection refused', 'connection refused'],
  ])('ssh said %s', async (printed, reason) => {
    const { program } = localSsh(`echo '${printed}' >&2; exit 255`)
    const error = await failureOf(push('git@git.example.com:x', { programs: { ssh: program } }))
    expect([error.code, error.details?.['reason']]).toEqual(['CONNECTION_FAILED', reason])
  })

  test('the real ssh has no connection', async () => {
    const policy = { allowLocal: false, allowPrivateHosts: true }
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
    const error = await failureOf(push('ssh://git@git.example.com:1/x', { policy, lookup }))
    expect(error.details).toMatchObject({ reason: 'connection refused' })
  })
})

test.each<[string, GitCredentials | undefined, string]>([
  ['git@h.example.com:x', undefined, 'a private key for ssh'],
  ['git@h.example.com:x', { token: 's3cret' }, 'a private key for ssh'],
  ['https://h.example.com/x', { privateKey: KEY }, 'a token for https'],
  ['https://h.example.com/x', { token: '' }, 'a token without control characters'],
  ['https://h.example.com/x', { token: 's3cret\nx' }, 'a token without control characters'],
  [
    'https://h.example.com/x',
    { token: 's3cret', username: 'a:b' },
    'a user name without : and control characters',
  ],
])('refuses for %s credentials that do not fit', async (remote, credentials, expected) => {
  const options: PushOptions = {
    remote,
    branch: 'main',
    message: 'm',
    author: { name: 'a', email: 'e' },
    files: [{ path: 'a', content: '' }],
    lastPushed: new Map(),
    policy: { allowLocal: false, allowPrivateHosts: false },
    ...(credentials && { credentials }),
  }
  const error = await failureOf(pushFiles(options))
  expect(error.details?.faults).toMatchObject([{ path: 'credentials', expected }])
  expect(JSON.stringify([error.message, error.details])).not.toContain('s3cret')
})
