// The tools of the assistant at `/mcp` of the service, asked for by the official client.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { memoryRateLimiter } from '@stagecraft/http'
import type { Scope } from '@stagecraft/spec/api'
import { expect, onTestFinished, test } from 'vitest'
import { auditHandlers } from '../../packages/service/src/audit/audit-log.ts'
import { keyHandlers } from '../../packages/service/src/keys/keys.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { talkHandlers } from '../../packages/service/src/talk/talk-handlers.ts'
import { describeEachStore, type OpenStore } from './each-store.ts'
import type { Shop } from './open-shop.ts'
import { callOf } from './open-test-context.ts'
import { openShopWithGit } from './push-shop.ts'
import { addProjectWithKey, serveContext } from './serve-context.ts'

/** The client gives up after a minute otherwise, which a busy machine may need. */
const PATIENT = { timeout: 600_000 }

const FILES = {
  'dbt_project.yml': 'name: shop\n',
  'stagecraft.yml': 'naming: { booleans: false }\n',
  'models/sources.yml': 'sources:\n  - name: shop\n    tables:\n      - name: orders\n',
  'models/stg_orders.sql': "select id as order_id from {{ source('shop', 'orders') }}\n",
  'models/models.yml': 'models:\n  - name: fct_orders\n',
  'models/fct_orders.sql': "select * from {{ ref('stg_orders') }}\n",
}

interface Served {
  readonly shop: Shop
  readonly url: string
  readonly key: (scopes: readonly Scope[]) => Promise<string>
}

async function serve(open: OpenStore): Promise<Served> {
  const { shop } = await openShopWithGit(open, { files: FILES })
  const { url } = await serveContext(shop.context)
  return {
    shop,
    url,
    async key(scopes) {
      const { createKey } = keyHandlers(shop.context)
      const { data } = await createKey(callOf(shop.caller, { body: { name: 'client', scopes } }))
      return data.secret
    },
  }
}

async function connect(
  url: string,
  key: string,
  mode: 'legacy' | { pin: string } = 'legacy',
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })
  onTestFinished(() => client.close())
  await client.connect(transport)
  return client
}

const ERAS = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
] as const

const EDITS = { edits: [{ id: 'fct_orders', description: 'One row per order.' }] }
const ASK = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })

function post(url: string, headers: Readonly<Record<string, string>>, body = ASK): Promise<Response> {
  const own = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  return fetch(`${url}/mcp`, { method: 'POST', body, headers: { ...own, ...headers } })
}

await describeEachStore('MCP in the service', MIGRATIONS, (open) => {
  test('answers clients of both eras about the repository of their key', async () => {
    const { key, url } = await serve(open)
    const reader = await key(['read'])
    for (const [era, mode] of ERAS) {
      const client = await connect(url, reader, mode)
      expect(client.getNegotiatedProtocolVersion()).toBe(era)
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toContain('find_uses')
      expect(tools.filter(({ name }) => name.startsWith('propose_'))).toEqual([])
      const uses = await client.callTool({ name: 'find_uses', arguments: { id: 'stg_orders' } }, PATIENT)
      expect(uses.structuredContent).toMatchObject({
        items: [{ id: 'model.fct_orders', file: 'models/fct_orders.sql', line: 1 }],
      })
      const settings = await client.callTool(
        { name: 'get_conventions', arguments: { topic: 'booleans' } },
        PATIENT,
      )
      expect(settings.structuredContent).toMatchObject({
        items: [{ id: 'setting.naming.booleans', file: 'stagecraft.yml', line: 1 }],
      })
    }
  })

  test('keeps proposals for the key that asked, and logs them', async () => {
    const { key, shop, url } = await serve(open)
    const client = await connect(url, await key(['read', 'generate']))
    const { content, isError, structuredContent } = await client.callTool(
      {
        name: 'propose_properties',
        arguments: EDITS,
      },
      PATIENT,
    )
    expect({ isError, content: isError ? content : [] }).toEqual({ isError: undefined, content: [] })
    const { proposal: proposalId } = structuredContent as { readonly proposal: string }
    const { getProposal, listProposals } = talkHandlers(shop.context)
    const { data } = await getProposal(callOf(shop.caller, { params: { proposalId } }))
    expect(data).toMatchObject({ kind: 'yaml', state: 'open' })
    expect(data).not.toHaveProperty('conversationId')
    const { data: entries } = await auditHandlers(shop.context).listAuditEntries(
      callOf(shop.caller, { query: { limit: 10, operation: 'keepProposal' } }),
    )
    expect(entries.items).toMatchObject([{ resourceId: proposalId, outcome: 'done', keyName: 'client' }])
    const other = { ...shop.caller, keyId: 'key_of_somebody', scopes: ['read'] as const }
    const listed = await listProposals(callOf(other, { query: { limit: 10 } }))
    expect(listed.data.items).toEqual([])
  })

  test('opens no other project', async () => {
    const { shop, url } = await serve(open)
    const { secret } = await addProjectWithKey(shop.context, 'Other')
    const client = await connect(url, secret)
    const found = await client.callTool({ name: 'get_resource', arguments: { id: 'fct_orders' } }, PATIENT)
    expect(found.isError).toBe(true)
    expect(JSON.stringify(found.content)).not.toContain('models/fct_orders.sql')
  })

  test('refuses pages of other origins, keys without the scope, the cookie, and what is not JSON', async () => {
    const { key, url } = await serve(open)
    const bearer = { authorization: `Bearer ${await key(['read'])}` }
    const statuses = await Promise.all(
      [
        post(url, bearer),
        post(url, { ...bearer, origin: url }),
        post(url, { ...bearer, origin: 'https://evil.example' }),
        post(url, { ...bearer, origin: 'null' }),
        post(url, {}),
        post(url, { authorization: 'Bearer nobody' }),
        post(url, { cookie: 'stagecraft=abc', 'x-stagecraft': '1' }),
        post(url, { authorization: `Bearer ${await key(['write'])}` }),
        post(url, bearer, '{'),
        post(url, { ...bearer, 'content-type': 'text/plain' }),
        post(url, bearer, JSON.stringify('a'.repeat(1_100_000))),
        fetch(`${url}/mcp`, { headers: bearer }),
      ].map(async (answer) => (await answer).status),
    )
    expect(statuses).toEqual([200, 200, 403, 403, 401, 401, 401, 403, 400, 400, 400, 405])
  })

  test('counts requests against the limit of the key', async () => {
    const { shop } = await openShopWithGit(open, { files: FILES })
    const { url } = await serveContext(shop.context, {
      limits: { rate: memoryRateLimiter({ requests: 2, seconds: 600 }) },
    })
    const { secret } = await addProjectWithKey(shop.context, 'Other')
    const headers = { authorization: `Bearer ${secret}` }
    const statuses = []
    for (let turn = 0; turn < 3; turn++) statuses.push((await post(url, headers)).status)
    expect(statuses).toEqual([200, 200, 429])
  })
})
