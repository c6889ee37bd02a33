import { systemClock, timeSortedIds } from '@stagecraft/spec'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { takeLock } from '../../packages/service/src/git/push-home.ts'
import { makeFolder } from '../../packages/service/src/git/testing/repositories.ts'
import { openContext, closeContext } from '../../packages/service/src/service.ts'
import { createKey } from '@stagecraft/http'
import { repositoryPath } from '../paths.ts'
import type { PushProcess } from './push-process.ts'

const SECRET = 's3cret-of-a-key-in-a-test'
const KEY = `-----BEGIN OPENSSH PRIVATE KEY-----\n${SECRET}\n-----END OPENSSH PRIVATE KEY-----`

/** Processes that are started and killed wait for each other several times, each time for as long as a poll may take. */
const SLOW = { timeout: 180_000 }

/** ssh that has read its key, and then waits for a server for ever, with a child of its own. */
function hangingSsh() {
  const folder = makeFolder(onTestFinished)
  const program = join(folder, 'ssh')
  const lines = [
    '#!/bin/sh',
    'while [ "$1" != -i ]; do shift; done',
    `grep -c ${SECRET} "$2" > '${folder}/read'`,
    `sleep 300 & echo $$ $! > '${folder}/pids.new'; mv '${folder}/pids.new' '${folder}/pids'`,
    'wait',
  ]
  writeFileSync(program, `${lines.join('\n')}\n`, { mode: 0o755 })
  return {
    program,
    pids: (): readonly number[] =>
      existsSync(join(folder, 'pids'))
        ? readFileSync(join(folder, 'pids'), 'utf8').trim().split(' ').map(Number)
        : [],
    hasRead: () => readFileSync(join(folder, 'read'), 'utf8').trim() === '1',
  }
}

function startPush(options: PushProcess): ChildProcess {
  const parameters = [repositoryPath('test/service/push-process.ts'), JSON.stringify(options)]
  const child = spawn(process.execPath, parameters, { stdio: 'inherit' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // One that nobody has waited for is dead all the same.
    return !/^State:\s+Z/m.test(existsSync('/proc/self') ? readFileSync(`/proc/${pid}/status`, 'utf8') : '')
  } catch {
    return false
  }
}

/** The files at or below a path that hold the secret. git and the watch remove files meanwhile; those hold nothing any more. */
function holding(path: string): readonly string[] {
  const stats = unlessGone(() => lstatSync(path))
  if (stats?.isDirectory()) {
    const names = unlessGone(() => readdirSync(path)) ?? []
    return names.flatMap((name) => holding(join(path, name)))
  }
  if (!stats?.isFile() || stats.size >= 1e6) return []
  return unlessGone(() => readFileSync(path, 'latin1'))?.includes(SECRET) ? [path] : []
}

function unlessGone<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** What processes of this moment left in places for temporary files. */
function leftInMemory(): readonly string[] {
  return existsSync('/dev/shm')
    ? readdirSync('/dev/shm').filter((name) => name.startsWith('stagecraft-'))
    : []
}

test('a push that is killed in the midst of ssh leaves no key, no folder and no process', SLOW, async () => {
  const folder = makeFolder(onTestFinished)
  const ssh = hangingSsh()
  const before = new Set(leftInMemory())
  const child = startPush({
    remote: 'git@git.example.com:x.git',
    folder,
    credentials: { privateKey: KEY },
    programs: { ssh: ssh.program },
  })
  await expect.poll(ssh.pids).toHaveLength(2)
  expect(ssh.hasRead()).toBe(true)
  const pids = ssh.pids()
  expect(pids.every(isAlive)).toBe(true)
  if (process.platform === 'linux') expect(holding(folder)).toEqual([])
  child.kill('SIGKILL')
  await expect.poll(() => pids.filter(isAlive)).toEqual([])
  await expect.poll(() => readdirSync(folder)).toEqual([])
  const left = leftInMemory().filter((name) => !before.has(name))
  expect(left.flatMap((name) => holding(join('/dev/shm', name)))).toEqual([])
})

test('the start of a process that shares the folder removes what was left, and nothing of one that lives', async () => {
  const folder = makeFolder(onTestFinished)
  const left = join(folder, 'stagecraft-push-0')
  mkdirSync(join(left, 'clone'), { recursive: true })
  writeFileSync(join(left, 'key'), KEY)
  writeFileSync(`${left}.lock`, '')
  const alive = join(folder, 'stagecraft-push-1')
  mkdirSync(alive)
  const lock = takeLock(`${alive}.lock`)
  onTestFinished(() => lock?.release())
  const silent = { debug() {}, info() {}, warn() {}, error() {} }
  const context = await openContext({
    store: { file: join(folder, 'stagecraft.db') },
    secretKeys: [new Uint8Array(32).fill(7)],
    folder,
    ids: timeSortedIds(systemClock),
    clock: systemClock,
    logger: silent,
    newKey: () => createKey({ environment: 'test' }),
  })
  await closeContext(context)
  expect(holding(folder)).toEqual([])
  expect(readdirSync(folder).filter((name) => name.startsWith('stagecraft-push-'))).toEqual([
    'stagecraft-push-1',
    'stagecraft-push-1.lock',
  ])
})

test(
  'a token is in no argument and in no file while it is used, and git ends with its process',
  SLOW,
  async () => {
    const folder = makeFolder(onTestFinished)
    const { promise, resolve } = Promise.withResolvers<void>()
    // A server that takes what it is sent, and says nothing.
    const server = createServer((socket) => socket.once('data', () => resolve()).on('error', () => {}))
    server.listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await expect.poll(() => server.address()).toBeTruthy()
    const { port } = server.address() as { port: number }
    const pidsFile = join(makeFolder(onTestFinished), 'pids')
    const git = join(makeFolder(onTestFinished), 'git')
    writeFileSync(git, `#!/bin/sh\necho $$ $* >> '${pidsFile}'\nexec git "$@"\n`, { mode: 0o755 })
    const child = startPush({
      remote: `http://git.example.com:${port}/x.git`,
      folder,
      credentials: { token: SECRET },
      programs: { git },
    })
    await promise
    expect(holding(folder)).toEqual([])
    const rows = readFileSync(pidsFile, 'utf8').trim().split('\n')
    expect(rows.join('\n')).not.toContain(SECRET)
    const pid = Number.parseInt(rows.at(-1) ?? '', 10)
    expect(isAlive(pid)).toBe(true)
    child.kill('SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
    await expect.poll(() => readdirSync(folder)).toEqual([])
    expect(tmpdir()).not.toBe(folder)
  },
)
