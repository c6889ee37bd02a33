// Models that are proposed over MCP and in conversations of the service, and applied by a push.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { scripted } from '@stagecraft/llm'
import type { Scope } from '@stagecraft/spec/api'
import { expect, onTestFinished, test } from 'vitest'
import { auditHandlers } from '../../packages/service/src/audit/audit-log.ts'
import type { ServiceSettings } from '../../packages/service/src/context.ts'
import type { TestRepository } from '../../packages/service/src/git/testing/repositories.ts'
import { keyHandlers } from '../../packages/service/src/keys/keys.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { describeEachStore, type OpenStore } from './each-store.ts'
import type { Shop } from './open-shop.ts'
import { callOf } from './open-test-context.ts'
import { createPush, openShopWithGit, untilEnded } from './push-shop.ts'
import { serveContext } from './serve-context.ts'

/** The client gives up after a minute otherwise, which a busy machine may need. */
const PATIENT = { timeout: 600_000 }

const FILES = {
  'dbt_project.yml': 'name: shop\n',
  'models/fct_orders.sql': 'select 1 as order_id\n',
}
const MODEL = 'models/staging/main/stg_main__payments.sql'
const PROPERTIES = 'models/staging/main/_main__models.yml'
const WISH = {
  source: 'main.payments',
  columns: [{ column: 'amount_cents', description: 'What was paid.' }],
}

interface Served {
  readonly shop: Shop
  readonly repository: TestRepository
  /** Asks the service with a fresh key of some scopes. */
  readonly ask: (
    scopes: readonly Scope[],
    path: string,
    body?: object,
  ) => Promise<{ readonly status: number; readonly data: Readonly<Record<string, unknown>> }>
  readonly connect: (scopes: readonly Scope[]) => Promise<Client>
}

async function serve(open: OpenStore, settings: Partial<ServiceSettings> = {}): Promise<Served> {
  const { repository, shop } = await openShopWithGit(open, { files: FILES, settings })
  const { url } = await serveContext(shop.context)
  shop.work()
  await scan(shop)
  const keyOf = async (scopes: readonly Scope[]): Promise<string> => {
    const { createKey } = keyHandlers(shop.context)
    return (await createKey(callOf(shop.caller, { body: { name: 'client', scopes } }))).data.secret
  }
  return {
    shop,
    repository,
    async ask(scopes, path, body) {
      const answer = await fetch(`${url}/v1/projects/${shop.caller.projectId}/assistant/${path}`, {
        headers: {
          authorization: `Bearer ${await keyOf(scopes)}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
      const { data = {} } = (await answer.json()) as { readonly data?: Readonly<Record<string, unknown>> }
      return { status: answer.status, data }
    },
    async connect(scopes) {
      const client = new Client({ name: 'test', version: '1' })
      const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${await keyOf(scopes)}` } },
      })
      onTestFinished(() => client.close())
      await client.connect(transport)
      return client
    },
  }
}

/** Reads the tables of the warehouse into the store. */
async function scan({ caller, handlers }: Shop): Promise<void> {
  const { data } = await handlers.createScan(callOf(caller, { body: {} }))
  const state = async (): Promise<string> =>
    (await handlers.getScan(callOf(caller, { params: { scanId: data.id } }))).data.state
  await expect.poll(state).toBe('completed')
}

/** For hangs: a busy machine takes minutes to start threads. */
const TIME = { timeout: 600_000 }

await describeEachStore('models that are proposed', MIGRATIONS, (open) => {
  test('over MCP are planned as a push would, and applied with the scope for it', TIME, async () => {
    const { ask, connect, repository, shop } = await serve(open)
    const client = await connect(['read', 'generate'])
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('propose_model')
    const { structuredContent } = await client.callTool({ name: 'propose_model', arguments: WISH }, PATIENT)
    const { proposal } = structuredContent as { readonly proposal: string }
    const place = `/v1/projects/${shop.caller.projectId}/assistant/proposals/${proposal}/apply`
    expect(structuredContent).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ file: MODEL, text: 'creates the file' })]),
      next: `nothing is written yet; a person applies it: POST ${place} with {"branch": "…"}`,
    })
    const { data: entries } = await auditHandlers(shop.context).listAuditEntries(
      callOf(shop.caller, { query: { limit: 10, operation: 'keepProposal' } }),
    )
    expect(entries.items).toMatchObject([{ resourceId: proposal, outcome: 'done' }])
    const body = { branch: 'stagecraft' }
    expect(await ask(['read', 'generate'], `proposals/${proposal}/apply`, body)).toMatchObject({
      status: 403,
    })
    // of another key, which may see all
    const { data, status } = await ask(['admin', 'write'], `proposals/${proposal}/apply`, body)
    expect(status).toBe(202)
    expect(await untilEnded(shop, String(data['id']))).toMatchObject({
      state: 'completed',
      outcome: 'pushed',
    })
    expect(repository.read(MODEL, 'stagecraft')).toContain("source('main', 'payments')")
    expect(repository.read(PROPERTIES, 'stagecraft')).toContain('What was paid.')
    expect(repository.read('stagecraft.lock', 'stagecraft')).toContain('payments')
    // pushes of units leave it alone, and add what is theirs beside it
    await shop.generate('main.orders', { options: { addDocs: true } })
    const pushed = await untilEnded(shop, await createPush(shop))
    expect(pushed).toMatchObject({ state: 'completed', outcome: 'pushed' })
    expect(repository.read(MODEL, 'stagecraft')).toContain("source('main', 'payments')")
    expect(repository.read(PROPERTIES, 'stagecraft')).toMatch(/stg_main__orders[^]*What was paid\./)
  })

  test('in a conversation are kept for its key, and refused once the branch is another', TIME, async () => {
    const backend = scripted([
      { toolCalls: [{ id: 'call_1', name: 'propose_model', input: WISH }] },
      'I proposed a model.',
    ])
    const { repository, shop, ask } = await serve(open, { llm: { backend } })
    const all: readonly Scope[] = ['read', 'generate', 'write', 'admin']
    const { data: conversation } = await ask(all, 'conversations', {})
    const place = `conversations/${String(conversation['id'])}/messages`
    const question = { content: 'Stage the payments.', tools: 'propose' }
    expect(await ask(['read', 'admin'], place, question)).toMatchObject({ status: 403 })
    const { data: asked } = await ask(all, place, question)
    const read = async () => (await ask(all, `${place}/${String(asked['id'])}`)).data
    await expect.poll(async () => (await read())['state'], { timeout: 300_000 }).toBe('completed')
    const message = await read()
    const { answer } = message as { readonly answer: { readonly proposals: readonly string[] } }
    const [proposal] = answer.proposals
    const { data } = await ask(all, `proposals/${proposal}`)
    expect(data).toMatchObject({ kind: 'model', state: 'open', conversationId: conversation['id'] })
    repository.commit({ [MODEL]: 'select 1 as payment_id\n' })
    const applied = await ask(all, `proposals/${proposal}/apply`, { branch: 'main' })
    expect(await untilEnded(shop, String(applied.data['id']))).toMatchObject({
      state: 'failed',
      error: { details: { reason: 'files_changed', files: expect.arrayContaining([MODEL]) } },
    })
    expect(repository.read(MODEL)).toBe('select 1 as payment_id\n')
  })

  test('are none that a unit generates, and none of tables that nobody knows', TIME, async () => {
    const { connect, shop } = await serve(open)
    const unitId = await shop.addUnit('main.payments')
    const client = await connect(['read', 'generate'])
    const propose = async (source: string): Promise<string> =>
      JSON.stringify(
        (await client.callTool({ name: 'propose_model', arguments: { source } }, PATIENT)).content,
      )
    expect(await propose('main.payments')).toContain(`that of ${unitId}`)
    expect(await propose('main.carts')).toMatch(/carts/)
  })
})
