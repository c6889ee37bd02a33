import type { ProposalDraft } from '@stagecraft/assistant'
import { scripted, type ScriptedAnswer } from '@stagecraft/llm'
import { type Backend, BackendError } from '@stagecraft/spec'
import type { Caller, MessageResource, TalkMessage } from '@stagecraft/spec/api'
import { expect, onTestFinished, test } from 'vitest'
import { change } from '../../packages/service/src/change.ts'
import type { ServiceContext } from '../../packages/service/src/context.ts'
import { runJobs } from '../../packages/service/src/jobs/run-jobs.ts'
import { keyHandlers } from '../../packages/service/src/keys/keys.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { messageJobs } from '../../packages/service/src/talk/message-jobs.ts'
import { keepProposal } from '../../packages/service/src/talk/proposals.ts'
import { talkHandlers } from '../../packages/service/src/talk/talk-handlers.ts'
import { describeEachStore, type OpenStore } from './each-store.ts'
import { createGate } from './gated-backend.ts'
import { openShop, type Shop } from './open-shop.ts'
import { callOf } from './open-test-context.ts'
import { openShopWithGit, untilEnded as untilPushed } from './push-shop.ts'

const FILES = {
  'warehouse/dbt_project.yml': 'name: shop\n',
  'warehouse/models/sources.yml': 'sources:\n  - name: shop\n    tables:\n      - name: orders\n',
  'warehouse/models/stg_orders.sql': "select * from {{ source('shop', 'orders') }}\n",
  'warehouse/models/fct_orders.sql': "select * from {{ ref('stg_orders') }} -- password=canary-sql-4711\n",
  'warehouse/profiles.yml': 'shop: { outputs: { dev: { password: canary-profile } } }\n',
  'warehouse/.secret.yml': 'models: [{ name: canary_hidden }]\n',
  'warehouse/target/manifest.json': '{"canary-target":1}\n',
  'warehouse/target/compiled/a.sql': 'select 1 as canary_compiled\n',
  'warehouse/models/key.pem.yml': 'models: []\n',
}

const QUESTION = 'Where is stg_orders used?'
const LOOK: ScriptedAnswer = { toolCalls: [{ id: 'call_1', name: 'find_uses', input: { id: 'stg_orders' } }] }
const ANSWER = 'It is read by `fct_orders` [models/fct_orders.sql:1].\nUnknown: why'

interface Talking {
  readonly shop: Shop
  readonly handlers: ReturnType<typeof talkHandlers>
  readonly repository: Awaited<ReturnType<typeof openShopWithGit>>['repository']
  readonly conversationId: string
  readonly ask: (content?: string, more?: object, caller?: Caller) => Promise<MessageResource>
  readonly get: (messageId: string) => Promise<MessageResource>
  readonly ended: (messageId: string) => Promise<MessageResource>
}

async function openTalk(open: OpenStore, backend: Backend | undefined): Promise<Talking> {
  const settings = backend ? { llm: { backend } } : {}
  const { repository, shop } = await openShopWithGit(open, { files: FILES, settings })
  const handlers = talkHandlers(shop.context)
  const { data } = await handlers.createConversation(callOf(shop.caller, {}))
  const conversationId = data.id
  const get = async (messageId: string): Promise<MessageResource> =>
    (await handlers.getMessage(callOf(shop.caller, { params: { conversationId, messageId } }))).data
  return {
    shop,
    handlers,
    repository,
    conversationId,
    get,
    ask: async (content = QUESTION, more = {}, caller = shop.caller) =>
      (
        await handlers.createMessage(
          callOf(caller, { params: { conversationId }, body: { content, wait: false, ...more } }),
        )
      ).data,
    async ended(messageId) {
      await expect.poll(async () => (await get(messageId)).state).toMatch(/^(?:completed|failed|cancelled)$/)
      return get(messageId)
    },
  }
}

/** An event with its position. */
type Told = TalkMessage & { readonly id?: number }

/** The events of a message, until its stream ends. */
async function follow(
  { conversationId, handlers, shop }: Talking,
  messageId: string,
  { caller = shop.caller, lastEvent }: { readonly caller?: Caller; readonly lastEvent?: number } = {},
): Promise<readonly Told[]> {
  const call = callOf(caller, {
    params: { conversationId, messageId },
    lastEventId: lastEvent === undefined ? undefined : String(lastEvent),
  })
  const { messages } = await handlers.getMessageEvents(call)
  const all: Told[] = []
  for await (const { data, id } of messages)
    all.push({ ...data, ...(id !== undefined && { id: Number(id) }) })
  return all
}

/** A backend that looks something up, and answers when the gate opens. */
function gated(gate: { readonly opened: Promise<void> }): Backend & { readonly waits: () => boolean } {
  let isWaiting = false
  const inner = scripted(({ turns }) => (turns.some(({ role }) => role === 'tool') ? ANSWER : LOOK))
  return {
    id: 'test:gated',
    waits: () => isWaiting,
    complete: async (request) => {
      if (request.turns.some(({ role }) => role === 'tool')) {
        isWaiting = true
        const { promise, reject } = Promise.withResolvers<never>()
        request.signal?.addEventListener('abort', () => reject(request.signal?.reason as Error))
        await Promise.race([gate.opened, promise])
      }
      return inner.complete(request)
    },
  }
}

async function otherKey(shop: Shop, scopes: readonly string[]): Promise<Caller> {
  const { data } = await keyHandlers(shop.context).createKey(
    callOf(shop.caller, { body: { name: 'other', scopes } }),
  )
  return { keyId: data.id, projectId: shop.caller.projectId, scopes }
}

await describeEachStore('the assistant', MIGRATIONS, (open) => {
  test('answers about the commit of the repository, and sends no secret of it anywhere', async () => {
    const backend = scripted([LOOK, ANSWER, 'As said, `stg_orders` [models/fct_orders.sql:1].'])
    const talk = await openTalk(open, backend)
    talk.shop.work()
    const reply = await talk.handlers.createMessage(
      callOf(talk.shop.caller, {
        params: { conversationId: talk.conversationId },
        body: { content: QUESTION },
      }),
    )
    expect(reply).toMatchObject({ status: 200, tokensUsed: 220 })
    expect(reply.data).toMatchObject({
      state: 'completed',
      answer: {
        text: 'It is read by `fct_orders` [1].',
        citations: [{ mark: 1, file: 'models/fct_orders.sql', line: 1 }],
        unknown: ['why'],
        answeredBy: 'model',
        backend: 'scripted',
        commit: talk.repository.git('rev-parse', 'HEAD'),
      },
      usage: { input: 200, output: 20, attempts: 2 },
    })
    const second = await talk.ended((await talk.ask('Sure?')).id)
    expect(second.answer).toMatchObject({
      droppedCitations: 0,
      citations: [{ file: 'models/fct_orders.sql' }],
    })
    const { bytes } = await talk.handlers.getTranscript(
      callOf(talk.shop.caller, { params: { conversationId: talk.conversationId } }),
    )
    const transcript = Buffer.from(bytes).toString()
    expect(
      transcript
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { type: string }).type),
    ).toEqual([
      'conversation',
      'question',
      'model',
      'results',
      'model',
      'answer',
      'question',
      'model',
      'answer',
    ])
    const events = await follow(talk, reply.data.id)
    const shown = JSON.stringify([backend.requests, transcript, reply.data, events])
    expect(shown).not.toMatch(/canary/)
    expect(shown).toContain('password=***')
    const settings = await talk.handlers.getAssistantSettings(callOf(talk.shop.caller, {}))
    expect(settings.data).toMatchObject({ tokensToday: 330, backend: 'scripted', hasKey: false })
  })

  test('a stream has every event in order, from the store, and goes on behind one that was seen', async () => {
    const talk = await openTalk(open, scripted([{ ...(LOOK as object), text: 'I look.\n' }, ANSWER]))
    const { id } = await talk.ask()
    const live = follow(talk, id)
    talk.shop.work()
    const events = await live
    expect(events.map(({ event }) => event)).toEqual([
      'message.started',
      'text.delta',
      'text.reset',
      'usage',
      'tool.started',
      'tool.finished',
      'text.delta',
      'text.delta',
      'usage',
      'message.completed',
    ])
    const numbers = events.map((event) => event.id ?? 0)
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
    expect(events.at(-1)?.envelope).toMatchObject({
      success: true,
      data: { id, state: 'completed', answer: { answeredBy: 'model' } },
      meta: { requestId: 'req_test', tokensUsed: 220 },
    })
    const kinds = (all: readonly Told[]) => all.map(({ event, id: number }) => [number, event])
    expect(kinds(await follow(talk, id))).toEqual(kinds(events))
    expect(await follow(talk, id, { lastEvent: events.at(-3)?.id ?? 0 })).toHaveLength(2)
    expect(await follow(talk, id, { lastEvent: events.at(-1)?.id ?? 0 })).toEqual([])
  })

  test('without a model the rules answer, also about generated units without a repository', async () => {
    const shop = await openShop(open)
    await shop.addUnit('main.orders')
    await shop.generate('main.orders')
    shop.work()
    const handlers = talkHandlers(shop.context)
    const { data } = await handlers.createConversation(callOf(shop.caller, { body: { title: 'A' } }))
    const ask = (content: string) =>
      handlers.createMessage(callOf(shop.caller, { params: { conversationId: data.id }, body: { content } }))
    expect((await ask('give me an overview of the project')).data).toMatchObject({
      answer: { answeredBy: 'rules' },
      tokensUsed: 0,
    })
    expect((await ask('why is the sky blue?')).data).toMatchObject({
      state: 'failed',
      error: { code: 'INVALID_REQUEST' },
    })
  })

  test('cancel, then a message: the second waits for the first and is answered', async () => {
    const gate = createGate()
    const backend = gated(gate)
    const talk = await openTalk(open, backend)
    talk.shop.work()
    const first = await talk.ask()
    await expect.poll(() => backend.waits()).toBe(true)
    const second = await talk.ask('Again?')
    const third = await talk.ask('And again?')
    const params = { conversationId: talk.conversationId }
    const cancel = (messageId: string) =>
      talk.handlers.cancelMessage(callOf(talk.shop.caller, { params: { ...params, messageId } }))
    expect((await cancel(third.id)).data).toMatchObject({ state: 'cancelled' })
    await cancel(first.id)
    expect(await talk.ended(first.id)).toMatchObject({ state: 'cancelled', usage: { attempts: 1 } })
    gate.open()
    expect(await talk.ended(second.id)).toMatchObject({ state: 'completed' })
    for (const { id } of [first, third])
      expect((await follow(talk, id)).at(-1)).toMatchObject({
        event: 'error',
        envelope: { error: { details: { reason: 'cancelled' } } },
      })
    expect((await cancel(second.id)).data).toMatchObject({ state: 'completed' })
  })

  test('a conversation that is deleted while it is answered leaves nothing, and its streams end', async () => {
    const gate = createGate()
    const backend = gated(gate)
    const talk = await openTalk(open, backend)
    talk.shop.work()
    const { id } = await talk.ask()
    const stream = follow(talk, id)
    await expect.poll(() => backend.waits()).toBe(true)
    const params = { conversationId: talk.conversationId }
    await talk.handlers.deleteConversation(callOf(talk.shop.caller, { params }))
    gate.open()
    expect((await stream).at(-1)).toMatchObject({
      event: 'error',
      envelope: { error: { code: 'NOT_FOUND' } },
    })
    await expect(talk.get(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const { db } = talk.shop.context.store
    expect(await db.selectFrom('message_events').selectAll().execute()).toEqual([])
    // what was spent stays spent
    const { data } = await talk.handlers.getAssistantSettings(callOf(talk.shop.caller, {}))
    expect(data).toMatchObject({ tokensToday: 110 })
  })

  test('a key that is revoked gets nothing more: its streams end, and so does its message', async () => {
    const gate = createGate()
    const backend = gated(gate)
    const talk = await openTalk(open, backend)
    talk.shop.work()
    const caller = await otherKey(talk.shop, ['read'])
    const { data } = await talk.handlers.createConversation(callOf(caller, {}))
    const own = { ...talk, conversationId: data.id }
    const message = (
      await talk.handlers.createMessage(
        callOf(caller, { params: { conversationId: data.id }, body: { content: QUESTION, wait: false } }),
      )
    ).data
    const stream = follow(own, message.id, { caller })
    await expect.poll(() => backend.waits()).toBe(true)
    await keyHandlers(talk.shop.context).revokeKey(
      callOf(talk.shop.caller, { params: { keyId: caller.keyId } }),
    )
    expect((await stream).at(-1)).toMatchObject({ envelope: { error: { code: 'UNAUTHORIZED' } } })
    gate.open()
    await expect
      .poll(async () => {
        const call = callOf(talk.shop.caller, { params: { conversationId: data.id, messageId: message.id } })
        return (await talk.handlers.getMessage(call)).data
      })
      .toMatchObject({ state: expect.stringMatching(/^(?:completed|failed)$/) })
  })

  test('a message whose process was killed fails, says so, and can be asked again', async () => {
    const gate = createGate()
    const killed = gated(gate)
    const talk = await openTalk(open, killed)
    // a process that dies: it claims the message, and never comes back to it
    const dead: ServiceContext = { ...talk.shop.context }
    const { id } = await talk.ask()
    const jobs = runJobs(dead, [messageJobs(dead)], { pollMs: 20, leaseMs: 300 })
    await expect.poll(() => killed.waits()).toBe(true)
    await talk.shop.context.store.db
      .updateTable('messages')
      .set({ lease_owner: 'another', lease_until: 0 })
      .where('id', '=', id)
      .execute()
    onTestFinished(() => jobs.stop())
    const failed = await talk.ended(id)
    expect(failed).toMatchObject({
      state: 'failed',
      error: { details: { reason: 'interrupted', retryable: true } },
      usage: { attempts: 1 },
    })
    expect((await follow(talk, id)).at(-1)).toMatchObject({ event: 'error' })
    gate.open()
    const params = { conversationId: talk.conversationId, messageId: id }
    await talk.handlers.retryMessage(callOf(talk.shop.caller, { params }))
    expect(await talk.ended(id)).toMatchObject({ state: 'completed', usage: { attempts: 3 } })
    const events = await follow(talk, id)
    expect(events[0]).toMatchObject({ event: 'message.started' })
    expect(events.filter(({ event }) => event === 'message.started')).toHaveLength(1)
    expect(events.at(-1)).toMatchObject({ event: 'message.completed' })
    await expect(talk.handlers.retryMessage(callOf(talk.shop.caller, { params }))).rejects.toThrow(
      'a failed or cancelled message',
    )
  })

  test('budgets of tokens hold for a day, and few messages wait at once', async () => {
    const talk = await openTalk(open, scripted([LOOK, ANSWER]))
    const { handlers, shop } = talk
    await handlers.updateAssistantSettings(callOf(shop.caller, { body: { tokensPerDay: 200 } }))
    for (let asked = 0; asked < 8; asked += 1) await talk.ask()
    await expect(talk.ask()).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      details: { reason: 'open_messages' },
    })
    shop.work()
    const { data } = await handlers.listMessages(
      callOf(shop.caller, { params: { conversationId: talk.conversationId } }),
    )
    const ids = data.items.map((message) => message.id).toReversed()
    expect(await talk.ended(ids[0] ?? '')).toMatchObject({ state: 'completed', tokensUsed: 220 })
    // the budget is used up: those that wait are answered by rules, and new ones are refused
    for (const id of ids.slice(1))
      expect(await talk.ended(id)).toMatchObject({ answer: { answeredBy: 'rules' }, tokensUsed: 0 })
    await expect(talk.ask()).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      details: { reason: 'token_budget' },
    })
  })

  test('conversations and proposals belong to their key', async () => {
    const talk = await openTalk(open, undefined)
    const { handlers, shop } = talk
    const stranger = await otherKey(shop, ['read', 'write', 'generate'])
    const admin = await otherKey(shop, ['read', 'admin'])
    const params = { conversationId: talk.conversationId }
    await expect(handlers.getConversation(callOf(stranger, { params }))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(
      handlers.createMessage(callOf(stranger, { params, body: { content: 'x' } })),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await handlers.getConversation(callOf(admin, { params }))).data.id).toBe(talk.conversationId)
    expect((await handlers.listConversations(callOf(stranger, {}))).data.items).toEqual([])
    await expect(
      handlers.createMessage(
        callOf({ ...shop.caller, scopes: ['read'] }, { params, body: { content: 'x', tools: 'propose' } }),
      ),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const proposalId = await propose(talk)
    for (const call of [
      () => handlers.getProposal(callOf(stranger, { params: { proposalId } })),
      () => handlers.applyProposal(callOf(stranger, { params: { proposalId }, body: { branch: 'a' } })),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await handlers.listProposals(callOf(stranger, {}))).data.items).toEqual([])
  })

  test('a proposal is pushed as it was shown, once its files are those that it was made from', async () => {
    const talk = await openTalk(open, undefined)
    const { handlers, repository, shop } = talk
    shop.work()
    const proposalId = await propose(talk)
    const shown = (await handlers.getProposal(callOf(shop.caller, { params: { proposalId } }))).data
    expect(shown).toMatchObject({
      state: 'open',
      files: [
        {
          path: 'models/stg_orders.sql',
          change: 'update',
          baseSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
        { path: 'models/stg_orders.yml', change: 'create' },
      ],
    })
    expect(shown.files[1]?.diff).toContain('+models:')
    const apply = async (body: object) => {
      const call = callOf(shop.caller, { params: { proposalId }, body })
      return untilPushed(shop, (await handlers.applyProposal(call)).data.id)
    }
    const planned = await apply({ branch: 'proposed', dryRun: true })
    expect(planned).toMatchObject({ outcome: 'planned' })
    expect(planned.plan?.files.map(({ path }) => path)).toEqual([
      'warehouse/models/stg_orders.sql',
      'warehouse/models/stg_orders.yml',
    ])
    const pushed = await apply({ branch: 'proposed' })
    expect(pushed).toMatchObject({ outcome: 'pushed', message: 'describe stg_orders' })
    expect(repository.read('warehouse/models/stg_orders.yml', 'proposed')).toBe(NEW_YAML)
    expect(repository.read('warehouse/models/fct_orders.sql', 'proposed')).toBe(
      FILES['warehouse/models/fct_orders.sql'],
    )
    const after = (await handlers.getProposal(callOf(shop.caller, { params: { proposalId } }))).data
    expect(after).toMatchObject({ state: 'applied', pushId: pushed.id })
    repository.commit({ 'warehouse/models/stg_orders.sql': 'select 1 as by_hand\n' })
    expect(await apply({ branch: 'late' })).toMatchObject({
      state: 'failed',
      error: { details: { reason: 'files_changed', files: ['models/stg_orders.sql'] } },
    })
    const refused = (await handlers.getProposal(callOf(shop.caller, { params: { proposalId } }))).data
    expect(refused).toMatchObject({ state: 'open' })
    await shop.context.store.db.updateTable('proposals').set({ expires_at: 0 }).execute()
    await expect(apply({ branch: 'expired' })).rejects.toThrow('has not expired')
    const call = callOf(shop.caller, { params: { proposalId } })
    const other = await otherKey(shop, ['read', 'generate'])
    await expect(handlers.discardProposal(callOf(other, { params: { proposalId } }))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect((await handlers.discardProposal(call)).data).toEqual({ id: proposalId, deleted: true })
    await expect(handlers.getProposal(call)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('the key of a model is sealed, belongs to its address, and is never shown', async () => {
    const { handlers, shop } = await openTalk(open, undefined)
    const update = (body: object) => handlers.updateAssistantSettings(callOf(shop.caller, { body }))
    const { data } = await update({ provider: 'anthropic', apiKey: 'sk-canary-1' })
    expect(data).toEqual({
      provider: 'anthropic',
      hasKey: true,
      tokensToday: 0,
      backend: 'anthropic:claude-haiku-5-5',
    })
    const rows = await shop.context.store.db.selectFrom('assistant_settings').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('canary')
    // another address would get the key
    await expect(update({ baseUrl: 'https://evil.example.com' })).rejects.toThrow('apiKey')
    await update({ baseUrl: 'https://llm.example.com', apiKey: 'sk-canary-2' })
    for (const baseUrl of ['http://169.254.169.254/', 'https://10.0.0.1/v1', 'file:///etc/passwd'])
      await expect(update({ baseUrl, apiKey: 'sk-canary-3' })).rejects.toThrow('baseUrl')
    await expect(update({ apiKey: 'with space' })).rejects.toThrow('apiKey')
    const cleared = await update({ provider: null, model: null, baseUrl: null })
    expect(cleared.data).toEqual({ hasKey: false, tokensToday: 0 })
    await expect(
      update({ provider: 'openai-compatible', baseUrl: 'https://llm.example.com' }),
    ).rejects.toThrow('model')
  })

  test('a provider that fails leaves the answer to the rules', async () => {
    const talk = await openTalk(open, scripted([new BackendError('overloaded', 'scripted: overloaded')]))
    talk.shop.work()
    expect(await talk.ended((await talk.ask()).id)).toMatchObject({
      state: 'completed',
      answer: { answeredBy: 'rules', fallback: 'scripted: overloaded', backend: 'scripted' },
    })
  })
})

const NEW_YAML = 'models:\n  - name: stg_orders\n    description: Orders.\n'

const DRAFT: ProposalDraft = {
  kind: 'yaml',
  title: 'describe stg_orders',
  files: [
    {
      path: 'models/stg_orders.sql',
      before: FILES['warehouse/models/stg_orders.sql'],
      after: "select * from {{ source('shop', 'orders') }} -- all\n",
    },
    { path: 'models/stg_orders.yml', before: undefined, after: NEW_YAML },
  ],
  evidence: ['the name'],
  notes: [],
}

/** Keeps a proposal as an answer under way does. */
async function propose(talk: Talking): Promise<string> {
  const { shop } = talk
  const message = await talk.ask()
  const row = await shop.context.store.db
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', message.id)
    .executeTakeFirstOrThrow()
  const proposal = await change(shop.context, shop.caller.projectId, (tx) =>
    keepProposal(tx, DRAFT, {
      asked: { key_id: row.key_id, conversation_id: row.conversation_id, message_id: row.id },
      createdBy: 'assistant',
      folder: 'warehouse',
    }),
  )
  return proposal.id
}
