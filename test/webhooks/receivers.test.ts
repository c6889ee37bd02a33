// The receivers of docs/how-to/receive-webhooks.md, as they stand there, get deliveries that are signed and sent by us.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { attemptDelivery, signDelivery } from '@stagecraft/webhooks'
import { repositoryPath } from '../paths.ts'

const PAGE = readFileSync(repositoryPath('docs/how-to/receive-webhooks.md'), 'utf8')
const SECRET = 'пароль-🔑'
const BODY = `{"id":"evt_1","event":"scan.completed","created_at":"2026-11-21T00:00:00.000Z","project_id":"proj_1","data":{"s":"é😀"}}`

/** The blocks of a language, in order. */
function blocks(language: string): readonly string[] {
  return [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, text = '']) => text,
  )
}

/** The program that uses something, of those that stand on the page. */
function programWith(text: string): string {
  const program = blocks('ts').find((block) => block.includes(text))
  if (program === undefined)
    throw new Error(`docs/how-to/receive-webhooks.md: expected a block of ts with ${text}`)
  return program
}

/** A file beside the package, where its frameworks are found. */
function write(name: string, text: string): string {
  const folder = mkdtempSync(repositoryPath('packages/webhooks/.docs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

/** Runs a program until the test is over, and waits until it listens. */
async function start(program: string, parameters: readonly string[]): Promise<number> {
  const port = await freePort()
  const environment = { ...process.env, PYTHONUTF8: '1', WEBHOOK_SECRET: SECRET, PORT: String(port) }
  // A group of its own, because `go run` starts the program that listens.
  const child: ChildProcess = spawn(program, parameters, { env: environment, stdio: 'pipe', detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)))
  child.on('error', (error) => (output += error.message))
  onTestFinished(() => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid)
  })
  for (let tries = 0; tries < 600 && child.exitCode === null; tries += 1) {
    if (await isOpen(port)) return port
    await pause(50)
  }
  throw new Error(`${program} ${parameters.join(' ')} does not listen:\n${output}`)
}

async function send(port: number, change: Record<string, string> = {}, body = BODY): Promise<unknown> {
  const timestamp = Math.floor(Date.now() / 1000)
  const { status, excerpt } = await attemptDelivery({
    url: `http://127.0.0.1:${port}/`,
    headers: { ...signDelivery({ id: 'evt_1', timestamp, body: BODY, secrets: [SECRET] }), ...change },
    body,
    policy: { allowCidrs: ['127.0.0.1/32'], allowHttp: true },
  })
  return [status, (JSON.parse(excerpt ?? '') as { readonly received: unknown }).received]
}

async function expectReceiver(port: number): Promise<void> {
  expect(await send(port)).toEqual([200, true])
  expect(await send(port, {}, BODY.replace('é', 'e'))).toEqual([401, false])
  expect(await send(port, { 'x-service-signature': `sha256=${'0'.repeat(64)}` })).toEqual([401, false])
  expect(await send(port, { 'x-service-signature': 'none' })).toEqual([401, false])
}

test.each([['nodeHandler'], ['expressHandler'], ['fastifyPlugin'], ['honoHandler']])(
  'the receiver with %s runs as printed in the docs',
  async (name) => {
    const port = await start(process.execPath, [write('main.ts', programWith(name))])
    await expectReceiver(port)
  },
  30_000,
)

test('the receiver with fetchHandler runs as printed in the docs', async () => {
  const print = vi.spyOn(console, 'log').mockReturnValue()
  onTestFinished(() => print.mockRestore())
  const file = write('main.ts', programWith('fetchHandler'))
  const { default: worker } = (await import(file)) as {
    readonly default: { readonly fetch: (request: Request, env: object) => Promise<Response> }
  }
  const sign = signDelivery({
    id: 'evt_1',
    timestamp: Math.floor(Date.now() / 1000),
    body: BODY,
    secrets: [SECRET],
  })
  for (const [body, status] of [
    [BODY, 200],
    [`${BODY} `, 401],
  ] as const) {
    const request = new Request('https://worker.example/', { method: 'POST', headers: sign, body })
    expect((await worker.fetch(request, { WEBHOOK_SECRET: SECRET })).status).toBe(status)
  }
  expect(print.mock.calls).toEqual([['scan.completed']])
})

test('the programs in the docs compile', () => {
  const [first = '', ...others] = blocks('ts')
  const file = write('0.ts', first)
  const files = others.map((text, index) => {
    const other = join(dirname(file), `${index + 1}.ts`)
    writeFileSync(other, text)
    return other
  })
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext']
  const imports = ['--allowImportingTsExtensions', '--skipLibCheck', '--types', 'node']
  const { stdout } = spawnSync(
    repositoryPath('node_modules/.bin/tsc'),
    [...options, ...imports, file, ...files],
    {
      cwd: repositoryPath('.'),
      encoding: 'utf8',
    },
  )
  expect(stdout).toBe('')
  expect(files).toHaveLength(5)
})

test('the receiver in Python has ten lines and runs as printed in the docs', async () => {
  const [program = ''] = blocks('python')
  expect(program.trim().split('\n')).toHaveLength(10)
  await expectReceiver(await start('python3', [write('main.py', program)]))
})

const hasGo = spawnSync('go', ['version']).status === 0

test(`the receiver in Go ${hasGo ? 'runs as it stands in the docs' : 'is in the docs (no go here to run it)'}`, async () => {
  const [program = ''] = blocks('go')
  expect(program).toContain('package main')
  if (hasGo) await expectReceiver(await start('go', ['run', write('main.go', program)]))
})
