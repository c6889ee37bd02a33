import { type ChildProcess, spawn } from 'node:child_process'
import { errorEnvelopeSchema, successEnvelopeSchema } from '@stagecraft/spec'
import { expect, onTestFinished, test } from 'vitest'
import { openRaw, readAnswers } from '../http/raw-socket.ts'
import { repositoryPath } from '../paths.ts'
import { runCli } from './run-cli.ts'

const BODY = JSON.stringify({ type: 'staging', source: 'shop.orders' })
const KEY = 'sk_0123456789abcdefghij'
const CATALOG = repositoryPath('test/cli/columns.yml')

interface Serving {
  readonly child: ChildProcess
  readonly url: string
  readonly port: number
  readonly stdout: () => string
  readonly stderr: () => string
  readonly exit: Promise<number | null>
}

async function serve(
  environment: Readonly<Record<string, string>>,
  ...flags: readonly string[]
): Promise<Serving> {
  const parameters = ['serve', '--catalog', CATALOG, '--port', '0', ...flags]
  const child = spawn(process.execPath, [repositoryPath('packages/cli/src/bin.ts'), ...parameters], {
    env: { ...process.env, STAGECRAFT_API_KEYS: '', NO_COLOR: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const texts = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text))
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
  await expect.poll(() => `${texts.stdout}${texts.stderr}`).toMatch(/API docs|error/)
  const url = /POST (http:\S+)\/generate/.exec(texts.stdout)?.[1] ?? ''
  return {
    child,
    url,
    port: Number(new URL(url).port),
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    exit,
  }
}

function post(url: string, key: string): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return fetch(`${url}/generate`, { method: 'POST', headers, body: BODY })
}

test('makes a key when none is given, and logs a line for each request', async () => {
  const { child, exit, stderr, stdout, url } = await serve({})
  const key = /API key, .*: (sk_\w+)/.exec(stdout())?.[1] ?? ''
  const response = await post(url, key)
  const { meta } = successEnvelopeSchema.parse(await response.json())
  expect((await post(url, `${key}x`)).status).toBe(401)
  child.kill('SIGINT')
  expect(await exit).toBe(0)
  const lines = stderr()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(logged).toContainEqual(
    expect.objectContaining({ requestId: meta.requestId, method: 'POST', path: '/generate', status: 200 }),
  )
  expect(stdout().split(key)).toHaveLength(2)
  expect(stderr()).not.toContain(key)
  expect(stderr()).not.toMatch(/Bearer|shop\.orders|Deprecat/)
})

test('takes keys from the environment, finishes what is in flight, and stops', async () => {
  const { child, exit, port, stderr, url } = await serve({
    STAGECRAFT_API_KEYS: `other_key_of_20_letters,${KEY}`,
  })
  expect((await post(url, KEY)).status).toBe(200)
  expect(stderr()).not.toContain('sk_')
  const connection = await openRaw(port)
  const headers = [
    `Authorization: Bearer ${KEY}`,
    'Content-Type: application/json',
    `Content-Length: ${BODY.length}`,
  ]
  connection.send(`POST /generate HTTP/1.1\r\nHost: x\r\n${headers.join('\r\n')}\r\n\r\n${BODY.slice(0, 10)}`)
  await new Promise((resolve) => setTimeout(resolve, 100))
  child.kill('SIGTERM')
  await expect
    .poll(() =>
      fetch(`${url}/healthz`).then(
        () => 'up',
        () => 'refused',
      ),
    )
    .toBe('refused')
  connection.send(BODY.slice(10))
  await connection.ended
  const [answer] = readAnswers(connection.text())
  expect(answer).toMatchObject({ status: 200, headers: { connection: 'close' } })
  expect(await exit).toBe(0)
})

test('has a rate limit', async () => {
  const { url } = await serve({ STAGECRAFT_API_KEYS: KEY }, '--rate-limit', '1', '--log-level', 'silent')
  expect((await post(url, KEY)).headers.get('ratelimit-policy')).toBe('"default";q=1;w=60')
  const limited = await post(url, KEY)
  expect(errorEnvelopeSchema.parse(await limited.json()).error.code).toBe('RATE_LIMITED')
})

test.each([
  [['--port', 'many'], {}, '--port: expected a whole number from 0 to 65535, got "many"'],
  [['--deadline', '0'], {}, '--deadline: expected a whole number'],
  [[], { STAGECRAFT_API_KEYS: `${KEY},not good` }, 'got something else as key 2'],
  [[], { STAGECRAFT_API_KEYS: `${KEY},hunter2` }, 'got one of 7 characters as key 2'],
  [
    [],
    { STAGECRAFT_API_KEYS: 'sk_live_HZWqr08RVNHDcjyreme6J1DbPvKrnd_1paRjM' },
    'got a key with a typing error as key 1',
  ],
])('refuses %j %j', async (flags, env, message) => {
  const { code, stderr } = await runCli(['serve', '--catalog', CATALOG, ...flags], { env })
  expect(stderr).toContain(message)
  expect(code).toBe(2)
})

test('says in its help what it does not serve', async () => {
  const { stdout } = await runCli(['serve', '--help'])
  expect(stdout).toContain('without a store')
  expect(stdout).toContain('STAGECRAFT_API_KEYS')
})
