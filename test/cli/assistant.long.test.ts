import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { SHOP_FILES } from '../assistant/views.ts'
import { lintProject } from './lint-project.ts'
import { readFolder, runWarm } from './run-cli.ts'

function shop(): string {
  const files = Object.entries(SHOP_FILES).filter(([path]) => path !== 'raw-tables.json')
  return lintProject(Object.fromEntries(files))
}

function filesBelow(folder: string): ReadonlySet<string> {
  return new Set(readdirSync(folder, { encoding: 'utf8', recursive: true }))
}

test.each([
  ['2025-11-25', 'legacy'],
  ['2026-07-28', 'auto'],
] as const)('mcp serves a client of %s over standard input and output', async (era, mode) => {
  const folder = shop()
  const before = filesBelow(folder)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [repositoryPath('packages/cli/src/bin.ts'), 'mcp', '--project-dir', join(folder, 'models')],
    stderr: 'pipe',
  })
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  onTestFinished(() => client.close())
  await client.connect(transport)
  expect(client.getNegotiatedProtocolVersion()).toBe(era)
  const uses = (): Promise<unknown> => client.callTool({ name: 'find_uses', arguments: { id: 'fct_orders' } })
  expect(await uses()).toMatchObject({ structuredContent: { total: 2 } })
  writeFileSync(join(folder, 'models/new.sql'), "select * from {{ ref('fct_orders') }}\n")
  expect(await uses()).toMatchObject({ structuredContent: { total: 3 } })
  expect(filesBelow(folder)).toEqual(new Set([...before, join('models', 'new.sql')]))
})

test('mcp prints the configuration of a client, and refuses a folder without a project', async () => {
  const folder = shop()
  const { code, stdout } = await runWarm(['mcp', '--print-config', 'claude'], { folder })
  expect(code).toBe(0)
  const { mcpServers } = JSON.parse(stdout) as {
    mcpServers: { stagecraft: { command: string; args: string[] } }
  }
  const { args, command } = mcpServers.stagecraft
  expect(existsSync(join(args.at(-1) ?? '', 'dbt_project.yml'))).toBe(true)
  // as the client starts it, with no stagecraft on its PATH
  const transport = new StdioClientTransport({ command, args, env: { PATH: '' } })
  const client = new Client({ name: 'test', version: '1' })
  onTestFinished(() => client.close())
  await client.connect(transport)
  expect((await client.listTools()).tools.length).toBeGreaterThan(5)
  const elsewhere = await runWarm(['mcp'], { folder: lintProject({ 'a.txt': 'a' }) })
  expect(elsewhere).toMatchObject({ code: 2, stdout: '' })
  expect(elsewhere.stderr).toContain('dbt_project.yml')
})

test('ask answers with file and line, and says that no model was asked', async () => {
  const folder = shop()
  const { code, stderr, stdout } = await runWarm(
    ['ask', 'What', 'breaks', 'if', 'shop.orders.tax', 'is', 'dropped?'],
    { folder },
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain(
    '  models/stg_shop__orders.sql:9  model.stg_shop__orders  reads tax  effect: breaks\n',
  )
  expect(stdout).toContain('computed from the files of the project, without a language model\n')
  const json = await runWarm(['ask', 'where is fct_orders used?', '--json', '--project-dir', folder])
  expect(JSON.parse(json.stdout)).toMatchObject({
    computedWithoutModel: true,
    tool: 'find_uses',
    items: [
      { file: 'models/sources.yml', line: 7 },
      { file: 'tests/no_negative_totals.sql', line: 1 },
    ],
  })
})

test('ask refuses what it cannot compute, and lists what it can', async () => {
  const { code, stderr, stdout } = await runWarm(['ask', 'how many rows does fct_orders have?'], {
    folder: shop(),
  })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain('a question that can be answered without a language model')
  expect(stderr).toContain('  is fct_orders used?\n')
})

const BIN = repositoryPath('packages/cli/src/bin.ts')
const KEY = 'a-key-of-twenty-chars'

/** Starts `stagecraft mcp --http` on a free port, and returns its address and what it printed. */
async function serveHttp(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly url: string; readonly printed: string }> {
  const child = spawn(process.execPath, [BIN, 'mcp', '--http', '0', '--project-dir', folder], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text))
  await expect.poll(() => printed, { timeout: 60_000 }).toContain('key')
  return { url: /MCP (\S+)/.exec(printed)?.[1] ?? '', printed }
}

test.each([
  ['2025-11-25', 'legacy'],
  ['2026-07-28', 'auto'],
] as const)('mcp --http serves a client of %s that has the key, on this machine only', async (era, mode) => {
  const folder = shop()
  const { printed, url } = await serveHttp(folder, { STAGECRAFT_MCP_TOKEN: KEY })
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/)
  expect(printed).not.toContain(KEY)
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
  expect((await fetch(url.replace('/mcp', '/'))).status).toBe(404)
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  onTestFinished(() => client.close())
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${KEY}` } },
    }),
  )
  expect(client.getNegotiatedProtocolVersion()).toBe(era)
  const result = await client.callTool({ name: 'find_uses', arguments: { id: 'fct_orders' } })
  expect(result).toMatchObject({ structuredContent: { total: 2 } })
})

test('mcp --http prints a key where none is given, and takes no short one', async () => {
  const folder = shop()
  const { printed, url } = await serveHttp(folder, { STAGECRAFT_MCP_TOKEN: '' })
  const key = /key for this run: (mcp_\S{32})\n/.exec(printed)?.[1] ?? ''
  const answer = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: '{}' })
  expect(answer.status).not.toBe(401)
  const short = await runWarm(['mcp', '--http'], { folder, env: { STAGECRAFT_MCP_TOKEN: 'short' } })
  expect(short).toMatchObject({ code: 2, stdout: '' })
  expect(short.stderr).toContain('STAGECRAFT_MCP_TOKEN')
  expect(short.stderr).not.toContain('"short"')
})

test('mcp prints the configuration of a client over HTTP without the key', async () => {
  const { stdout } = await runWarm(['mcp', '--http', '9000', '--print-config', 'vscode'], {
    folder: shop(),
    env: { STAGECRAFT_MCP_TOKEN: KEY },
  })
  expect(JSON.parse(stdout)).toMatchObject({
    servers: {
      stagecraft: {
        type: 'http',
        url: 'http://127.0.0.1:9000/mcp',
        headers: { Authorization: 'Bearer ${input:stagecraft-token}' },
      },
    },
    inputs: [{ id: 'stagecraft-token', password: true }],
  })
  expect(stdout).not.toContain(KEY)
})

interface Proposed {
  readonly id: string
  readonly before: Readonly<Record<string, string>>
}

/** Has a client propose a change over standard input and output. */
async function proposeOverMcp(
  folder: string,
  name: string,
  input: Record<string, unknown>,
): Promise<Proposed> {
  const before = withoutState(folder)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({
      // the clock of this process, where that is moved
      env: getEnvironment(),
      command: process.execPath,
      args: [BIN, 'mcp', '--project-dir', folder],
      stderr: 'pipe',
    }),
  )
  try {
    const { content, isError, structuredContent } = await client.callTool({ name, arguments: input })
    expect({ isError: isError ?? false, content: isError ? content : '' }).toEqual({
      isError: false,
      content: '',
    })
    expect(withoutState(folder)).toEqual(before)
    return { id: (structuredContent as { proposal: string }).proposal, before }
  } finally {
    await client.close()
  }
}

/** The files of a project; those of `.stagecraft` are state of this machine. */
function withoutState(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(readFolder(folder)).filter(([path]) => !path.startsWith('.stagecraft/')),
  )
}

const DESCRIBE = { edits: [{ id: 'int_orders', description: 'Orders with their tax.' }] }

test('a proposal is kept, shown, applied by a person and taken back', async () => {
  const folder = shop()
  const { before, id } = await proposeOverMcp(folder, 'propose_properties', DESCRIBE)
  expect(statSync(join(folder, '.stagecraft/proposals', `${id}.json`)).mode & 0o777).toBe(0o600)
  const listed = await runWarm(['proposals', 'list'], { folder })
  expect(listed.stdout).toContain(`${id}  `)
  expect(listed.stdout).toContain('1 file  describe or test int_orders\n')
  const shown = await runWarm(['proposals', 'show', id], { folder })
  expect(shown.stdout).toContain('+    description: Orders with their tax.\n')
  const applied = await runWarm(['apply', id], { folder })
  expect(applied).toMatchObject({ code: 0, stderr: `changed models/staging.yml\napplied ${id}\n` })
  expect(readFileSync(join(folder, 'models/staging.yml'), 'utf8')).toContain('Orders with their tax.')
  expect((await runWarm(['proposals', 'list'], { folder })).stdout).toBe('')
  expect((await runWarm(['apply', id], { folder })).code).toBe(2)
  expect((await runWarm(['undo'], { folder })).code).toBe(0)
  expect(withoutState(folder)).toEqual(before)
})

test('a stale proposal is refused with one message, and nothing is written', async () => {
  const folder = shop()
  const { id } = await proposeOverMcp(folder, 'propose_properties', DESCRIBE)
  const file = join(folder, 'models/staging.yml')
  writeFileSync(file, `${readFileSync(file, 'utf8')}# changed since\n`)
  const before = withoutState(folder)
  const refused = await runWarm(['apply', id], { folder })
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain(
    `nothing was written: ${id} cannot be applied: it is stale, because models/staging.yml changed since it was made; ask for a new proposal`,
  )
  expect(withoutState(folder)).toEqual(before)
  expect((await runWarm(['proposals', 'discard', id], { folder })).stderr).toBe('discarded 1 proposal\n')
  const mixed = await runWarm(['apply', id, 'shop.orders'], { folder })
  expect(mixed.stderr).toContain('proposals alone')
})

function getEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
