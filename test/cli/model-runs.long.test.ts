// What a run with a language model costs, what it keeps, and where it sends a key.
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { chatFixtures } from '../../packages/llm/src/testing/chat-fixtures.ts'
import { json } from '../../packages/llm/src/testing/replies.ts'
import { useStubServer } from '../../packages/llm/src/testing/stub-server.ts'
import { type CliResult, readFolder, runWarm, temporaryFolder } from './run-cli.ts'

const KEY = 'sk-canary-4711'
const server = useStubServer({ beforeAll, afterAll })

interface Run {
  readonly folder: string
  readonly url?: string
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const NO_KEYS = {
  ANTHROPIC_API_KEY: '',
  OPENAI_API_KEY: '',
  OPENAI_COMPATIBLE_API_KEY: '',
  STAGECRAFT_LLM_MODE: 'live',
}

function ask({ env = {}, flags = [], folder, url = `${server.url}/v1` }: Run): Promise<CliResult> {
  const backend = ['--backend', 'openai-compatible', '--base-url', url, '--model', 'm']
  return runWarm(['generate', '--all', '--catalog', 'columns.yml', ...backend, ...flags], {
    folder,
    env: { ...NO_KEYS, ...env },
  })
}

function tables(count: number, from = 1): string {
  const list = Array.from({ length: count }, (_, index) => {
    const columns = `[{ name: id, type: bigint }, { name: cust_no, type: text }, { name: note${from + index}, type: text }]`
    return `  - { schema: shop, name: t${from + index}, columns: ${columns} }`
  })
  return `dialect: duckdb\ntables:\n${list.join('\n')}\n`
}

/** A dbt project with so many tables beside it. */
function projectOf(count: number): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'dbt_project.yml'), 'name: shop\nversion: 1.0.0\n')
  writeFileSync(join(folder, 'columns.yml'), tables(count))
  return folder
}

const EDIT = {
  description: 'One thing that the shop sells.',
  columns: [
    { ordinal: '2', name: 'customer_number', description: 'Tells customers apart.' },
    { ordinal: 3, name: 'select' },
  ],
}

/** As models write that hold no schema: a thought, a fence, and not every key. */
function answerPlainly(text = `<think>Hm.</think>\n\`\`\`json\n${JSON.stringify(EDIT)}\n\`\`\``): void {
  server.answer(json(chatFixtures.ok(text)))
}

test('inside of a dbt project a second run asks nothing and changes nothing, and a new table is asked about alone', async () => {
  const folder = projectOf(4)
  answerPlainly()
  const first = await ask({ folder, flags: ['--out', '.'] })
  expect(first.code).toBe(0)
  expect(server.requests).toHaveLength(4)
  const models = () => Object.entries(readFolder(folder)).filter(([path]) => path.startsWith('models/'))
  const before = models()
  expect(JSON.stringify(before)).toContain('cust_no as customer_number')
  const second = await ask({ folder, flags: ['--out', '.'] })
  expect(second.code).toBe(0)
  expect(server.requests).toHaveLength(4)
  expect(second.stderr).toContain('nothing to write')
  expect(models()).toEqual(before)

  writeFileSync(join(folder, 'columns.yml'), tables(5))
  const third = await ask({ folder, flags: ['--out', '.'] })
  expect(third.code).toBe(0)
  expect(server.requests).toHaveLength(5)
  expect(third.stderr).toContain('1 table by the model, 0 from the cache')

  const path = before.map(([name]) => name).find((name) => name.endsWith('.sql')) ?? ''
  writeFileSync(join(folder, path), `${readFileSync(join(folder, path), 'utf8')}\n-- looked at\n`)
  expect((await ask({ folder })).stderr).toContain('0 tables by the model, 5 from the cache')
  expect(server.requests).toHaveLength(5)
})

test('a wrong column costs the table nothing, and the warning says which one it was', async () => {
  const folder = projectOf(1)
  answerPlainly()
  const { code, stderr, stdout } = await ask({ folder })
  expect(code).toBe(0)
  expect(server.requests).toHaveLength(1)
  expect(stdout).toContain('cust_no as customer_number')
  expect(stdout).toContain('Tells customers apart.')
  expect(stderr).toContain(
    "stg_shop__t1: note1: the backend's proposal was not used: the name is a reserved word; expected a name that is not a reserved word",
  )
})

test('what was of no use is not kept', async () => {
  const folder = projectOf(1)
  answerPlainly('I would rather not.')
  expect((await ask({ folder })).code).toBe(5)
  expect(server.requests).toHaveLength(2)
  answerPlainly()
  expect((await ask({ folder })).code).toBe(0)
  expect(server.requests).toHaveLength(1)
  expect((await ask({ folder })).stderr).toContain('0 tables by the model, 1 from the cache')
  expect(server.requests).toHaveLength(1)
})

test('a table that is in the cache is served from there, whatever the provider does', async () => {
  const folder = projectOf(3)
  answerPlainly()
  await ask({ folder })
  writeFileSync(join(folder, 'columns.yml'), tables(4, 0))
  server.answer(json(chatFixtures.error('invalid_api_key', 'no'), 401))
  const { code, stderr } = await ask({ folder })
  expect(code).toBe(0)
  expect(stderr).toContain('0 tables by the model, 3 from the cache, 1 by the rules')
})

/** Three that fail in a row, and those that were begun before the third one ended. */
const MOST_CALLS = 6

function callsOf(stderr: string): number {
  const [, calls = ''] = /0 from the cache, 500 by the rules; (\d+) calls,/.exec(stderr) ?? []
  expect(calls).not.toBe('')
  return Number(calls)
}

/** A port that nobody listens on. */
async function closedPort(): Promise<number> {
  const probe = createTcpServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

test('a provider that refuses connections is left alone after a few tables', async () => {
  const folder = projectOf(500)
  const port = await closedPort()
  const { code, stderr } = await ask({ folder, url: `http://127.0.0.1:${port}/v1`, flags: ['--out', '.'] })
  expect(code).toBe(5)
  expect(callsOf(stderr)).toBeLessThanOrEqual(MOST_CALLS)
  const cause = `the provider cannot be reached (ECONNREFUSED at 127.0.0.1:${port})`
  expect(stderr).toContain(`500 tables without a usable answer: ${cause}\n`)
  expect(stderr.match(/warning\[BACKEND_FAILED\]/g)).toHaveLength(1)
  expect(Object.keys(readFolder(folder)).filter((path) => path.endsWith('.sql'))).toHaveLength(500)
})

test('a provider that never answers is left alone after one round of waiting', async () => {
  const folder = projectOf(500)
  const silent = createTcpServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as AddressInfo
  writeFileSync(join(folder, 'stagecraft.yml'), 'backend: { deadlineSeconds: 1 }\n')
  const { code, stderr } = await ask({ folder, url: `http://127.0.0.1:${port}/v1` })
  expect(code).toBe(5)
  expect(callsOf(stderr)).toBeLessThanOrEqual(MOST_CALLS)
  expect(stderr).toContain(
    `500 tables without a usable answer: no answer in time (deadlineSeconds of 1 passed`,
  )
})

interface Seen {
  readonly url: string
  readonly headers: () => readonly string[]
}

/** A server that notes every header that it is sent, and answers as it is told. */
async function listener(status = 200, extra: Readonly<Record<string, string>> = {}): Promise<Seen> {
  const headers: string[] = []
  const http = createServer((request, response) => {
    headers.push(JSON.stringify(request.headers))
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json', ...extra }).end('{}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => http.once('listening', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, headers: () => headers }
}

test.each(['anthropic', 'openai', 'openai-compatible'])(
  'an address in stagecraft.yml does not get the key of %s, until the user says so',
  async (name) => {
    const folder = projectOf(1)
    const aimed = await listener(401)
    const variable = `${name.toUpperCase().replace('-', '_')}_API_KEY`
    writeFileSync(
      join(folder, 'stagecraft.yml'),
      `backend: { name: ${name}, baseUrl: "${aimed.url}", model: m }\n`,
    )
    const parameters = ['generate', '--all', '--catalog', 'columns.yml']
    const env = { ...NO_KEYS, [variable]: KEY }
    const refused = await runWarm(parameters, { folder, env })
    expect(refused.code).toBe(2)
    const { host } = new URL(aimed.url)
    expect(refused.stderr).toContain(`set ${variable}_HOST=${host} if it is`)
    expect(aimed.headers()).toEqual([])
    const elsewhere = await runWarm(parameters, {
      folder,
      env: { ...env, [`${variable}_HOST`]: 'example.com' },
    })
    expect(elsewhere.code).toBe(2)
    expect(aimed.headers()).toEqual([])
    const tied = await runWarm(parameters, { folder, env: { ...env, [`${variable}_HOST`]: host } })
    expect(tied.code).toBe(5)
    expect(aimed.headers().join()).toContain(KEY)
    expect(JSON.stringify([refused, elsewhere, tied])).not.toContain(KEY)
  },
)

test('a key goes over plain http to this machine only', async () => {
  const folder = projectOf(1)
  const env = { OPENAI_COMPATIBLE_API_KEY: KEY }
  const { code, stderr } = await ask({ folder, env, url: 'http://llm.example.com/v1' })
  expect(code).toBe(2)
  expect(stderr).toContain(
    'baseUrl: expected https, or an address of this machine, because a key is sent there',
  )
})

test('a key does not follow a redirect', async () => {
  const folder = projectOf(1)
  const other = await listener()
  const first = await listener(307, { location: `${other.url}/v1/chat/completions` })
  const env = { OPENAI_COMPATIBLE_API_KEY: KEY }
  const { code, stderr } = await ask({ folder, env, url: `${first.url}/v1` })
  expect(code).toBe(5)
  expect(first.headers().join()).toContain(KEY)
  expect(other.headers()).toEqual([])
  expect(stderr).toContain(`status 307 at ${new URL(first.url).host}`)
})

test('a catalog in stagecraft.yml does not get PGPASSWORD, until the user says so', async () => {
  const folder = temporaryFolder()
  let asked = 0
  const aimed = createTcpServer((socket) => {
    asked++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => aimed.once('listening', resolve))
  onTestFinished(() => void aimed.close())
  const { port } = aimed.address() as AddressInfo
  mkdirSync(folder, { recursive: true })
  const say = (address: string) => writeFileSync(join(folder, 'stagecraft.yml'), `catalog: ${address}\n`)
  const run = (env: Readonly<Record<string, string>>) =>
    runWarm(['tables'], { folder, env: { PGPASSWORD: KEY, PGHOST: '', ...env } })

  say(`postgres://u@127.0.0.1:${port}/db`)
  const refused = await run({ PGHOST: 'db.example.com' })
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('set PGHOST=127.0.0.1 if the password is for it')
  say(`postgres://u@db.example.com/db`)
  expect((await run({})).code).toBe(2)
  say(`postgres://u@localhost/db?host=db.example.com`)
  expect((await run({})).code).toBe(2)
  expect(asked).toBe(0)

  say(`postgres://u@127.0.0.1:${port}/db`)
  const tied = await run({ PGHOST: '127.0.0.1' })
  expect(tied.code).toBe(4)
  expect(asked).toBeGreaterThan(0)
  expect(JSON.stringify([refused, tied])).not.toContain(KEY)
})
