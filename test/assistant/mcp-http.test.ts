import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createMcpHttpHandler, type McpHttpCaller, type McpHttpHandler } from '@stagecraft/assistant/mcp'
import { askInPlace, chooseTools } from '@stagecraft/assistant'
import { describe, expect, onTestFinished, test } from 'vitest'
import { memoryProposals, type MemoryProposals } from './memory-proposals.ts'
import { SHOP_FILES, viewOf } from './views.ts'

const shop = viewOf(SHOP_FILES)
const other = viewOf({ 'models/secret_plans.sql': 'select 1 as a\n' })

const CALLERS: Readonly<Record<string, McpHttpCaller>> = {
  'key-of-shop': { id: 'key_1', scopes: ['read', 'generate'], extra: { project: 'shop' } },
  'key-of-other': { id: 'key_2', scopes: ['read'], extra: { project: 'other' } },
  'key-without-scope': { id: 'key_3', scopes: ['write'] },
}

async function open(kept: Readonly<Record<string, MemoryProposals>> = {}): Promise<McpHttpHandler> {
  const handler = await createMcpHttpHandler({
    version: '0.1.0',
    allowedHosts: ['127.0.0.1'],
    verify: (key) => Promise.resolve(CALLERS[key]),
    open: (caller) => {
      const proposals = kept[caller?.clientId ?? '']
      return {
        readProject: askInPlace(() => (caller?.extra?.['project'] === 'shop' ? shop : other)),
        tools: chooseTools({ proposals: caller?.scopes.includes('generate') ?? false }),
        ...(proposals && { ports: { proposals } }),
      }
    },
  })
  onTestFinished(() => handler.close())
  return handler
}

async function connect(
  handler: McpHttpHandler,
  key: string,
  mode: 'legacy' | { pin: string },
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    fetch: (url, init) => {
      const headers = new Headers(init?.headers)
      headers.set('host', '127.0.0.1')
      return handler.fetch(new Request(url, { ...init, headers }))
    },
  })
  onTestFinished(() => client.close())
  await client.connect(transport)
  return client
}

describe.each([
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
] as const)('over HTTP, a client of %s', (era, mode) => {
  test('gets the project and the proposals of its key, and no other', async () => {
    const kept = { key_1: memoryProposals(), key_2: memoryProposals() }
    const handler = await open(kept)
    const client = await connect(handler, 'key-of-shop', mode)
    expect(client.getNegotiatedProtocolVersion()).toBe(era)
    const edits = [{ id: 'fct_orders', description: 'One row per order.' }]
    const result = await client.callTool({ name: 'propose_properties', arguments: { edits } })
    expect(result.isError).not.toBe(true)
    expect({ one: kept.key_1.kept.length, two: kept.key_2.kept.length }).toEqual({ one: 1, two: 0 })
    const reader = await connect(handler, 'key-of-other', mode)
    const { tools } = await reader.listTools()
    expect(tools.filter(({ name }) => name.startsWith('propose_'))).toEqual([])
    await expect(reader.callTool({ name: 'propose_properties', arguments: { edits } })).rejects.toThrow(
      'propose_properties',
    )
    const found = await reader.callTool({ name: 'get_resource', arguments: { id: 'fct_orders' } })
    expect(found.isError).toBe(true)
  })
})

const BODY = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })

function request(headers: Readonly<Record<string, string>>, body: string = BODY): Request {
  return new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    body,
    headers: {
      host: '127.0.0.1:8765',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: 'Bearer key-of-shop',
      ...headers,
    },
  })
}

test.each([
  ['a page of another origin', { origin: 'https://evil.example' }, 403],
  ['the origin null', { origin: 'null' }, 403],
  ['a name that was rebound to this machine', { host: 'evil.example' }, 403],
  ['no key', { authorization: '' }, 401],
  ['another kind of key', { authorization: 'Basic a2V5LW9mLXNob3A=' }, 401],
  ['an unknown key', { authorization: 'Bearer key-of-nobody' }, 401],
  ['two keys', { authorization: 'Bearer key-of-shop, Bearer key-of-other' }, 401],
  ['a key without the scope', { authorization: 'Bearer key-without-scope' }, 403],
])('refuses %s', async (_, headers, status) => {
  const response = await (await open()).fetch(request(headers))
  expect(response.status).toBe(status)
  const text = await response.text()
  expect(text).not.toContain('project_overview')
  expect(text).not.toContain('key-of-')
  if (headers['authorization' as keyof typeof headers] !== undefined)
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="stagecraft"/)
})

test('refuses a body that is too large, and takes pages of this machine', async () => {
  const handler = await open()
  expect(
    (await handler.fetch(request({}, `${BODY.slice(0, -1)},"x":"${'a'.repeat(1_100_000)}"}`))).status,
  ).toBe(413)
  expect((await handler.fetch(request({ origin: 'http://localhost:6274' }))).status).toBe(200)
})

test.each([
  ['{bad json', 400, null, { code: -32_700, message: 'the message is not valid JSON' }],
  ['[]', 400, null, { code: -32_600, message: 'the message is not a JSON object' }],
  [
    '{"jsonrpc":"2.0"}',
    400,
    null,
    { code: -32_600, message: 'the message is not a request, a notification or a response of JSON-RPC 2.0' },
  ],
  [
    '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":5}}',
    200,
    4,
    { code: -32_602, message: 'tools/call: params.name: expected text, got 5' },
  ],
  [`"${'a'.repeat(1_100_000)}"`, 413, null, { code: -32_600, message: 'the message is longer than 1 MB' }],
])('a body that starts with %.40s gets its error', async (body, status, id, error) => {
  const response = await (await open()).fetch(request({}, body))
  expect(response.status).toBe(status)
  expect(await response.json()).toEqual({ jsonrpc: '2.0', id, error })
})

test('several messages at once are still taken, as clients of 2025-03-26 send them', async () => {
  const response = await (await open()).fetch(request({}, `[${BODY}]`))
  expect({ status: response.status, text: await response.text() }).toEqual({
    status: 200,
    text: expect.stringContaining('project_overview') as string,
  })
})
