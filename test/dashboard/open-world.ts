// The dashboard of a real service, with what its pages show.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@stagecraft/client'
import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import { makeRepository, type TestRepository } from '../../packages/service/src/git/testing/repositories.ts'
import { createDatabase } from '../service/own-database.ts'
import { newAdminKey, startService } from '../service/start-service.ts'
import { signIn, type SignedIn, type SignInOptions } from './sign-in.ts'

/** A text that would open dialogs if it ever became markup. */
export const MARKUP = '<img src=x onerror=alert(1)></style><script>alert(2)</script>'

/** A service on one store, its first key, and what it keeps. */
export interface World {
  readonly url: string
  /** Of its file, on the embedded store. */
  readonly folder: string
  readonly adminKey: string
  readonly client: Client
  readonly browser: Browser
  /** Ids of what the pages show; flows add to them. */
  readonly ids: Record<
    'batch' | 'conversation' | 'delivery' | 'scan' | 'source' | 'unit' | 'webhook' | 'analysis' | 'push',
    string
  >
  /** A receiver of webhooks, which answers with markup. */
  readonly receiver: { status: number; readonly url: string }
  readonly repository: TestRepository
  /** Signs in, in a window of its own; what the page complains of is added to `complaints`. */
  readonly signIn: (options?: SignInOptions) => Promise<SignedIn>
  readonly close: () => Promise<void>
}

const FILES = {
  'dbt_project.yml': 'name: shop\n',
  'models/sources.yml': 'sources:\n  - name: shop\n    tables:\n      - name: orders\n',
  'models/stg_orders.sql': "select * from {{ source('shop', 'orders') }}\n",
  'models/fct_orders.sql': `-- ${MARKUP}\nselect * from {{ ref('stg_orders') }} join {{ ref('${MARKUP}') }} using (id)\n`,
}

/** @param serverUrl PostgreSQL; without one the store is a file */
export async function openWorld(browser: Browser, serverUrl?: string): Promise<World> {
  const closers: (() => void | Promise<void>)[] = []
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-dashboard-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const repository = makeRepository((close) => closers.push(close))
  repository.commit(FILES)
  const receiver = await openReceiver()
  closers.push(receiver.close)
  const database = serverUrl === undefined ? undefined : await createDatabase(serverUrl)
  if (database) closers.push(() => database.drop())
  const adminKey = newAdminKey()
  const service = await startService({ folder, adminKey, ...(database && { databaseUrl: database.url }) })
  closers.push(async () => void (await service.stop()))
  const url = service.apiUrl
  const client = createClient({ baseUrl: url, apiKey: adminKey })
  return {
    url,
    folder,
    adminKey,
    client,
    browser,
    receiver,
    repository,
    ids: await fill(client, repository.folder),
    signIn: (options) => signIn({ browser, url, key: adminKey }, options),
    async close() {
      for (const close of closers.toReversed()) await close()
    },
  }
}

/** Scans, generates and checks, so that each page has something to show. */
async function fill(client: Client, remote: string): Promise<World['ids']> {
  const { projectId } = await client.sessions.get()
  await client.projects.update(projectId, { git: { remote } })
  const scan = await client.scans.create({ profile: true })
  await client.scans.wait(scan.id)
  const [source] = await client.sources.list({ search: 'crm' }).all({ limit: 1 })
  const name = source?.name ?? ''
  const options = { addTests: true, addDocs: true }
  const unit = await client.units.create({ name: MARKUP, type: 'staging', source: name, options })
  const analyses = [await client.analyses.create({}), await client.analyses.create({})]
  const batch = await client.generations.create({})
  await client.generations.wait(batch.id)
  for (const { id } of analyses) expect((await client.analyses.wait(id)).error).toBeUndefined()
  const push = await client.pushes.create({ branch: 'plan', message: MARKUP, dryRun: true })
  await client.pushes.wait(push.id)
  const { id: conversation } = await client.conversations.create({ title: MARKUP })
  return {
    scan: scan.id,
    source: name,
    unit: unit.id,
    batch: batch.id,
    analysis: analyses[1]?.id ?? '',
    push: push.id,
    conversation,
    webhook: '',
    delivery: '',
  }
}

async function openReceiver(): Promise<World['receiver'] & { readonly close: () => void }> {
  const server: Server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver = {
    status: 500,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  server.on('request', (request, response) => {
    request.resume().on('end', () => response.writeHead(receiver.status).end(MARKUP))
  })
  return receiver
}
