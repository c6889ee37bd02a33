// A service that a company has used for a while: hundreds of units, failed deliveries, findings, conversations.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@stagecraft/client'
import {
  makeRepository,
  type TestRepository,
} from '../../../packages/service/src/git/testing/repositories.ts'
import { newAdminKey, startService } from '../../service/start-service.ts'
import { type ChatTurn, openChatServer } from '../chat-server.ts'
import { FIRST_FILES, MENDED } from './dbt-files.ts'
import { rawTables } from './raw-tables.ts'

/** The pages that pictures are taken of, by their names. */
type Pages = Readonly<Record<string, string>>

export interface BusyWorld {
  readonly url: string
  readonly key: string
  readonly pages: Pages
  readonly close: () => Promise<void>
}

type Closers = (() => void | Promise<void>)[]

export async function openBusyWorld(): Promise<BusyWorld> {
  const closers: Closers = []
  const close = async (): Promise<void> => {
    for (const closer of closers.toReversed()) await closer()
  }
  try {
    return { ...(await fill(closers)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function fill(closers: Closers): Promise<Omit<BusyWorld, 'close'>> {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-pictures-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const key = newAdminKey()
  const service = await startService({ folder, adminKey: key, flags: ['--rate-limit', '0'] })
  closers.push(async () => void (await service.stop()))
  const client = createClient({ baseUrl: service.apiUrl, apiKey: key })
  const repository = makeRepository((close) => closers.push(close))
  const { projectId } = await client.sessions.get()
  await client.projects.update(projectId, {
    name: 'Northlight analytics',
    dialect: 'snowflake',
    git: { remote: repository.folder },
  })
  await addReceivers(client, closers)
  const pages = {
    ...(await addModels(client, folder)),
    ...(await addFindings(client, repository)),
    ...(await addConversation(client, closers)),
    ...(await addRest(client)),
  }
  return { url: service.apiUrl, key, pages: { overview: '/', ...pages } }
}

/** One receiver is well, one fails, one asks to wait. */
async function addReceivers(client: Client, closers: Closers): Promise<void> {
  const server = createServer((request, response) => {
    const [status, body] =
      { '/airflow': [200, '{"queued":true}'], '/slack': [429, '{"error":"rate limited"}'] }[
        request.url ?? ''
      ] ?? ([503, '{"error":"maintenance until 22:00"}'] as const)
    request.resume().on('end', () => response.writeHead(Number(status)).end(String(body)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const add = (
    path: string,
    description: string,
    events: Parameters<Client['webhooks']['create']>[0]['events'],
  ) =>
    client.webhooks.create({
      url: `http://127.0.0.1:${port}/${path}`,
      description,
      events,
      secret: `whsec_${Buffer.alloc(24, path).toString('base64')}`,
    })
  await add('airflow', 'Starts the build of the staging layer', ['scan.completed', 'push.completed'])
  await add('catalog', 'Keeps the data catalog fresh', ['unit.created', 'generation.completed'])
  await add('slack', 'Tells the channel what failed', ['generation.failed'])
}

/** Scans with drift, hundreds of units, and a batch of which a few units fail. */
async function addModels(client: Client, folder: string): Promise<Pages> {
  const file = join(folder, 'warehouse.json')
  const write = (isLater: boolean) =>
    writeFileSync(file, JSON.stringify({ dialect: 'snowflake', tables: rawTables({ isLater }) }))
  write(false)
  const scan = async (connectionId: string | undefined, profile = false) =>
    await client.scans.wait((await client.scans.create({ connectionId, profile })).id)
  const { id: connectionId } = await client.connections.create({
    name: 'snowflake export',
    catalog: `columns:${file}`,
  })
  await scan(connectionId)
  const options = { addTests: true, addDocs: true }
  const { generationId } = await client.units.createMany({
    type: 'staging',
    connectionId,
    select: ['raw.*'],
    options,
    generate: true,
  })
  await client.generations.wait(generationId ?? '')
  write(true)
  const drift = await scan(connectionId)
  await client.connections.test(connectionId)
  const again = await client.generations.create({})
  await client.generations.wait(again.id)
  await scan(undefined, true)
  const [source] = await client.sources.list({ search: 'crm.opportunities' }).all({ limit: 1 })
  const unit = await client.units.create({ type: 'staging', source: source?.name ?? '', options })
  const generate = async (unitId: string) =>
    await client.generations.wait((await client.generations.create({ unitId })).id)
  await generate(unit.id)
  await client.units.update(unit.id, { options: { ...options, leadingCommas: true } })
  await generate(unit.id)
  return {
    units: '/units',
    'units-failed': '/units?state=failed',
    'units-none': '/units?search=nothing+like+it',
    unit: `/units/${unit.id}`,
    'unit-diff': `/units/${unit.id}?diff=1`,
    'unit-columns': `/units/${unit.id}?view=columns&column=opportunity_id`,
    generations: '/generations',
    generation: `/generations/${again.id}`,
    connections: '/connections',
    scans: '/scans',
    scan: `/scans/${drift.id}`,
    sources: '/sources',
    source: `/sources/${encodeURIComponent(source?.name ?? '')}`,
    bulk: `/bulk?look=1&select=raw.stripe.*&connectionId=${connectionId}`,
  }
}

/** Checks, the first of them before people mended anything; a plan and a push of the fixes. */
async function addFindings(client: Client, repository: TestRepository): Promise<Pages> {
  const ids: string[] = []
  for (const files of [FIRST_FILES, ...MENDED]) {
    repository.commit(files)
    const { id } = await client.analyses.create({})
    await client.analyses.wait(id)
    ids.push(id)
  }
  const { id: fixId } = await client.analyses.fix(ids.at(-1) ?? '', {
    unsafe: true,
    branch: 'lint-fixes',
    dryRun: true,
  })
  await client.pushes.wait(fixId)
  const { id: pushId } = await client.pushes.create({
    branch: 'staging',
    message: 'Staging models of October',
  })
  await client.pushes.wait(pushId)
  return {
    findings: '/findings',
    check: `/findings/${ids[1]}`,
    pushes: '/pushes',
    push: `/pushes/${fixId}`,
  }
}

const ANSWER =
  '`fct_revenue` joins every payment of a customer [models/marts/fct_revenue.sql:6], and so does `fct_orders` [models/marts/fct_orders.sql:6].\n' +
  'Unknown: whether refunds are taken off before the load'

const EDITS = {
  edits: [
    {
      id: 'stg_stripe__payments',
      description: 'One row per payment, in whole units of its currency.',
      tests: [],
    },
    {
      id: 'stg_stripe__payments.currency',
      description: 'Three letters, as in ISO 4217.',
      tests: [{ name: 'not_null' }],
    },
  ],
}

function answer({ question, results }: ChatTurn) {
  if (/describe/i.test(question))
    return results.length === 0
      ? { tool: 'propose_properties', input: EDITS }
      : 'Both are described in the proposal; read it before you apply it.'
  if (results.length > 0) return ANSWER
  return { tool: 'find_uses', input: { id: 'stg_stripe__payments' } }
}

/** A conversation with a proposal. */
async function addConversation(client: Client, closers: Closers): Promise<Pages> {
  const chat = await openChatServer(answer)
  closers.push(chat.close)
  await client.assistant.update({
    provider: 'openai-compatible',
    model: 'qwen3-coder',
    baseUrl: chat.url,
    tokensPerDay: 2_000_000,
  })
  const { id } = await client.conversations.create({ title: 'What revenue is made of' })
  const ask = async (content: string, tools: 'read' | 'propose') =>
    await client.messages.create(id, { content, tools })
  await ask('Which models add up payments?', 'read')
  await ask('Describe stg_stripe__payments and its currency.', 'propose')
  for (const title of [
    'Which models break without invoices.tax?',
    'Owners of the churn model',
    'Null currencies',
  ])
    await client.conversations.create({ title })
  const [proposal] = await client.proposals.list().all({ limit: 1 })
  return {
    assistant: '/assistant',
    conversation: `/assistant/${id}`,
    proposal: `/proposals/${proposal?.id}`,
  }
}

/** Keys, and what is seen of deliveries. */
async function addRest(client: Client): Promise<Pages> {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  await client.keys.create({ name: 'airflow', scopes: ['read', 'generate'], expiresAt: inDays(90) })
  await client.keys.create({ name: 'ci', scopes: ['read', 'write', 'generate'] })
  const { id } = await client.keys.create({ name: 'laptop of Ann', scopes: ['read'], expiresAt: inDays(7) })
  await client.keys.revoke(id)
  const webhooks = await client.webhooks.list().all({ limit: 10 })
  const failing = webhooks.find(({ url }) => url.endsWith('catalog'))?.id
  const deliveries = await client.webhooks.deliveries(failing ?? '').all({ limit: 1000 })
  const delivery = deliveries.find(({ attempts }) => attempts > 0)
  const [event] = await client.events.list({ event: 'scan.completed' }).all({ limit: 1 })
  return {
    webhooks: '/webhooks',
    'webhook-new': '/webhooks/new',
    webhook: `/webhooks/${failing}`,
    deliveries: '/deliveries',
    delivery: `/deliveries/${delivery?.id}`,
    events: '/events',
    event: `/events/${event?.id}`,
    keys: '/keys',
    projects: '/projects',
    audit: '/audit',
    settings: '/settings',
  }
}
