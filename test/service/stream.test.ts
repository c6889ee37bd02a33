import { createClient } from '@stagecraft/client'
import type { ChangeMessage } from '@stagecraft/spec/api'
import { expect, onTestFinished, test } from 'vitest'
import { pruneChanges } from '../../packages/service/src/changes/read-changes.ts'
import type { ServiceContext } from '../../packages/service/src/context.ts'
import { runJobs } from '../../packages/service/src/jobs/run-jobs.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { describeEachStore } from './each-store.ts'
import { jobsOf } from './jobs-of.ts'
import { makeWarehouse } from './open-shop.ts'
import { openTestContext } from './open-test-context.ts'
import { addProjectWithKey, serveContext } from './serve-context.ts'

const HOUR = 3_600_000
const WEBHOOK = {
  url: 'https://example.com/hooks',
  events: ['unit.created' as const],
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
}

interface Heard {
  readonly messages: ChangeMessage[]
  /** Waits until a change of a kind was heard that has this. */
  readonly hears: (kind: string, part?: object) => Promise<void>
  readonly stop: () => void
  /** Resolves when the stream has ended, to what ended it. */
  readonly end: Promise<unknown>
}

/** Listens with the client until the test is over, and returns once the stream is open. */
async function listen(client: ReturnType<typeof createClient>): Promise<Heard> {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const messages: ChangeMessage[] = []
  const end = (async () => {
    for await (const message of client.changes.stream({ signal: stop.signal })) messages.push(message)
  })().catch((error: unknown) => error)
  await expect.poll(() => messages.length).toBeGreaterThan(0)
  return {
    messages,
    end,
    stop: () => stop.abort(),
    hears: async (kind, part = {}) => {
      await expect
        .poll(() => messages.filter((one) => one.kind === kind))
        .toContainEqual(expect.objectContaining(part))
    },
  }
}

async function openProject(context: ServiceContext) {
  const { app, url } = await serveContext(context)
  const owner = await addProjectWithKey(context)
  const clientOf = (apiKey: string) => createClient({ baseUrl: url, apiKey, projectId: owner.projectId })
  return { ...owner, app, url, clientOf, client: clientOf(owner.secret) }
}

/** Reads a stream without the client, so that its bytes and positions are seen. */
async function openRaw(url: string, { key, lastEventId }: { key: string; lastEventId?: string }) {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const headers = {
    authorization: `Bearer ${key}`,
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  }
  const response = await fetch(url, { headers, signal: stop.signal })
  let text = ''
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const bytes of response.body ?? []) text += decoder.decode(bytes, { stream: true })
  })().catch(() => undefined)
  return {
    response,
    reading,
    text: () => text,
    ids: () => [...text.matchAll(/^id: (.*)$/gm)].map(([, id = '']) => id),
    stop: () => stop.abort(),
  }
}

await describeEachStore('the stream of a project', MIGRATIONS, (open) => {
  test('tells what changes, and what state it has', async () => {
    const context = openTestContext(await open())
    const { client } = await openProject(context)
    const heard = await listen(client)
    expect(heard.messages).toEqual([{ event: 'open' }])
    const connection = await client.connections.create({ name: 'a', catalog: `sqlite:${makeWarehouse()}` })
    await heard.hears('connection', { ids: [connection.id], changes: ['created'] })
    const units = [
      await client.units.create({ type: 'staging', source: 'main.orders' }),
      await client.units.create({ type: 'staging', source: 'main.payments' }),
    ]
    await heard.hears('unit', { ids: expect.arrayContaining([units[1]?.id]) })
    await heard.hears('event')
    await client.units.update(units[0]?.id ?? '', { name: 'Orders' })
    await heard.hears('unit', { ids: [units[0]?.id], changes: ['updated'] })
    const scan = await client.scans.create()
    const batch = await client.generations.create()
    await heard.hears('batch', { states: { [batch.id]: 'queued' } })
    const jobs = runJobs(context, jobsOf(context), { pollMs: 20 })
    onTestFinished(() => jobs.stop())
    await heard.hears('scan', { states: { [scan.id]: 'completed' } })
    await heard.hears('batch', { states: { [batch.id]: 'completed' } })
    const members = await client.generations.list({ batchId: batch.id }).all()
    const states = () => Object.assign({}, ...heard.messages.map((message) => message.states))
    await expect.poll(states).toMatchObject(Object.fromEntries(members.map(({ id }) => [id, 'completed'])))
    await client.units.delete(units[1]?.id ?? '')
    await heard.hears('unit', { ids: [units[1]?.id], changes: ['deleted'] })
    expect(JSON.stringify(heard.messages)).not.toContain('main.orders')
  })

  test('tells of conversations, and of the states of their messages', async () => {
    const context = openTestContext(await open())
    const { client } = await openProject(context)
    const heard = await listen(client)
    const conversation = await client.conversations.create({ title: 'A secret plan' })
    await heard.hears('conversation', { ids: [conversation.id], changes: ['created'] })
    const message = await client.messages.create(conversation.id, { content: 'Which models?', wait: false })
    await heard.hears('message', { states: { [message.id]: 'queued' } })
    await heard.hears('conversation', { ids: [conversation.id], changes: ['updated'] })
    const jobs = runJobs(context, jobsOf(context), { pollMs: 20 })
    onTestFinished(() => jobs.stop())
    // there is nothing to look at
    await heard.hears('message', { states: { [message.id]: 'failed' } })
    await client.conversations.delete(conversation.id)
    await heard.hears('conversation', { ids: [conversation.id], changes: ['deleted'] })
    expect(JSON.stringify(heard.messages)).not.toMatch(/secret|models/)
  })

  test('tells of webhooks and deliveries to keys that read them, and when a webhook is disabled', async () => {
    const context = openTestContext(await open())
    const { client, clientOf } = await openProject(context)
    const { secret } = await client.keys.create({ name: 'reader', scopes: ['read'] })
    const [heard, reader] = [await listen(client), await listen(clientOf(secret))]
    const webhook = await client.webhooks.create(WEBHOOK)
    await heard.hears('webhook', { states: { [webhook.id]: 'active' } })
    await client.webhooks.pause(webhook.id)
    await heard.hears('webhook', { states: { [webhook.id]: 'paused' } })
    await context.store.db.updateTable('webhooks').set({ state: 'disabled', notice: 'gone' }).execute()
    await heard.hears('webhook', { states: { [webhook.id]: 'disabled' } })
    await client.units.create({ type: 'staging', source: 'a.b' })
    await context.store.db.updateTable('deliveries').set({ state: 'delivered' }).execute()
    await heard.hears('unit')
    await reader.hears('unit')
    const kinds = new Set(reader.messages.map(({ kind }) => kind))
    expect(kinds).toEqual(new Set([undefined, 'unit', 'event']))
  })

  test('goes on where it ended, in another process, and misses nothing', async () => {
    const contexts = [openTestContext(await open()), openTestContext(await open())] as const
    const first = await openProject(contexts[0])
    const { url } = await serveContext(contexts[1])
    const path = `/v1/projects/${first.projectId}/stream`
    const { secret: key } = first
    const before = await openRaw(`${first.url}${path}`, { key })
    expect(before.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const one = await first.client.units.create({ type: 'staging', source: 'a.one' })
    await expect.poll(before.text).toContain(one.id)
    before.stop()
    const two = await first.client.units.create({ type: 'staging', source: 'a.two' })
    const lastEventId = before.ids().at(-1) ?? ''
    const after = await openRaw(`${url}${path}`, { key, lastEventId })
    await expect.poll(after.text).toContain(two.id)
    // with a position where what came in between is told as news and not as past
    expect(after.text()).toMatch(/^retry: 2000\n\n(?:id: \S+\n)?data: \{"event":"open"\}\n/)
    expect(after.text()).not.toContain(one.id)
    const three = await first.client.units.create({ type: 'staging', source: 'a.three' })
    await expect.poll(after.text).toContain(three.id)
  })

  test('says when nobody knows any more what changed', async () => {
    let offset = 0
    const context = openTestContext(await open({ clockOffset: () => offset }))
    const { client, projectId, secret: key, url } = await openProject(context)
    const stream = `${url}/v1/projects/${projectId}/stream`
    const before = await openRaw(stream, { key })
    await client.units.create({ type: 'staging', source: 'a.b' })
    await expect.poll(() => before.ids().length).toBeGreaterThan(1)
    const [lastEventId = ''] = before.ids()
    offset = 2 * HOUR
    await pruneChanges(context)
    expect(await context.store.db.selectFrom('changes').select('seq').execute()).toEqual([])
    const far = lastEventId.replace(/-[^-]*-[^-]*$/, '-zzzzzzzzz-zzzzzzzzz')
    offset = 0
    for (const id of ['', 'x', '../..', lastEventId.replace(/^[^-]+/, '1'), far]) {
      const { text } = await openRaw(stream, { key, lastEventId: id })
      await expect.poll(text, { message: id }).toContain('{"event":"reset"}')
    }
  })

  test('ends when its key or its session ends, and tells the client why', async () => {
    const context = openTestContext(await open())
    const { client, clientOf, projectId, secret, url } = await openProject(context)
    const other = await client.keys.create({ name: 'other', scopes: ['read'] })
    const heard = await listen(clientOf(other.secret))
    await client.keys.revoke(other.id)
    expect(await heard.end).toMatchObject({ code: 'UNAUTHORIZED' })
    const page = { 'x-stagecraft': '1', 'sec-fetch-site': 'same-origin' }
    const signIn = await fetch(`${url}/v1/session`, {
      method: 'POST',
      headers: { ...page, 'content-type': 'application/json' },
      body: JSON.stringify({ key: secret }),
    })
    const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const response = await fetch(`${url}/v1/projects/${projectId}/stream`, { headers: { cookie } })
    expect(response.status).toBe(200)
    await fetch(`${url}/v1/session`, { method: 'DELETE', headers: { ...page, cookie } })
    expect(await response.text()).toContain('{"event":"open"}')
  })

  test('is of one project, and of a limited number for one key', async () => {
    const context = openTestContext(await open())
    const { client, projectId, secret: key, url } = await openProject(context)
    const heard = await listen(client)
    const other = await addProjectWithKey(context, 'Other')
    const foreign = createClient({ baseUrl: url, apiKey: other.secret })
    await foreign.units.create({ type: 'staging', source: 'a.foreign' })
    await client.units.create({ type: 'staging', source: 'a.own' })
    await heard.hears('unit')
    const units = heard.messages.filter(({ kind }) => kind === 'unit')
    expect(units.flatMap(({ ids = [] }) => ids)).toHaveLength(1)
    const stream = `${url}/v1/projects/${projectId}/stream`
    for (let count = 1; count < 50; count += 1) await openRaw(stream, { key })
    const { response } = await openRaw(stream, { key })
    expect(response.status).toBe(429)
    heard.stop()
    await expect.poll(async () => (await openRaw(stream, { key })).response.status).toBe(200)
  })

  test('ends with the service', async () => {
    const { app, projectId, secret: key, url } = await openProject(openTestContext(await open()))
    const { reading, text } = await openRaw(`${url}/v1/projects/${projectId}/stream`, { key })
    await expect.poll(text).toContain('open')
    await app.close()
    await reading
    expect(text()).toContain('open')
  })
})

await describeEachStore('changes of transactions that overlap', MIGRATIONS, (open, _place, engine) => {
  test('are all told, in whichever order they are committed', async () => {
    const [context, other] = [openTestContext(await open()), openTestContext(await open())]
    const { client } = await openProject(context)
    const slow = await client.units.create({ type: 'staging', source: 'a.slow' })
    const heard = await listen(client)
    const held = Promise.withResolvers<void>()
    const written = Promise.withResolvers<void>()
    const late = other.store.transaction(async (transaction) => {
      await transaction.updateTable('units').set({ version: 2 }).where('id', '=', slow.id).execute()
      written.resolve()
      await held.promise
    })
    await written.promise
    const sources = ['a.one', 'a.two', 'a.three']
    const creating = Promise.all(sources.map((source) => client.units.create({ type: 'staging', source })))
    // SQLite has one writer, so that the others wait for it.
    if (engine === 'postgres') await creating
    held.resolve()
    await late
    const quick = await creating
    const ids = [slow.id, ...quick.map(({ id }) => id)]
    await expect
      .poll(() => heard.messages.flatMap((one) => (one.kind === 'unit' ? (one.ids ?? []) : [])))
      .toEqual(expect.arrayContaining(ids))
  })
})
