import { spawn } from 'node:child_process'
import { scripted, type ScriptedAnswer } from '@stagecraft/llm'
import { expect, onTestFinished, test } from 'vitest'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { talkHandlers } from '../../packages/service/src/talk/talk-handlers.ts'
import { repositoryPath } from '../paths.ts'
import { describeEachStore, type StorePlace } from './each-store.ts'
import { makeTestFolder, type Shop } from './open-shop.ts'
import { callOf } from './open-test-context.ts'
import { openShopWithGit } from './push-shop.ts'
import type { WorkerSettings } from './worker-process.ts'

/** Long enough for a slow machine to show that it is alive. */
const LEASE_MS = 3000
const CONVERSATIONS = 4
/** Only the last question of a conversation can be asked again: every other one has a second one. */
const questionsOf = (conversation: number): readonly string[] =>
  conversation % 2 === 0 ? ['Where is stg_orders used?', 'Sure?'] : ['Where is stg_orders used?']

const FILES = {
  'dbt_project.yml': 'name: shop\n',
  'models/sources.yml': 'sources:\n  - name: shop\n    tables:\n      - name: orders\n',
  'models/stg_orders.sql': "select * from {{ source('shop', 'orders') }}\n",
  'models/fct_orders.sql': "select * from {{ ref('stg_orders') }}\n",
}
const LOOK: ScriptedAnswer = { toolCalls: [{ id: 'call_1', name: 'find_uses', input: { id: 'stg_orders' } }] }
const ANSWER = 'It is read by `fct_orders` [models/fct_orders.sql:1].'

/** A process that works, and waits for ever in the midst of each answer; calling it ends it as a power cut does. */
function startWorker(place: StorePlace): () => Promise<void> {
  const settings: WorkerSettings = { place, leaseMs: LEASE_MS, folder: makeTestFolder(), answers: 0 }
  const parameters = [repositoryPath('test/service/worker-process.ts'), JSON.stringify(settings)]
  const child = spawn(process.execPath, parameters, { stdio: ['ignore', 'ignore', 'inherit'] })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  return kill
}

interface Row {
  readonly id: string
  readonly state: string
  readonly error: string | null
}

async function rowsOf({ context }: Shop): Promise<readonly Row[]> {
  return await context.store.db.selectFrom('messages').select(['id', 'state', 'error']).execute()
}

/** The types of the events of each message, in their order. */
async function eventsOf({ context }: Shop): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await context.store.db
    .selectFrom('message_events')
    .select(['message_id', 'number', 'type'])
    .orderBy('message_id')
    .orderBy('number')
    .execute()
  return new Map(
    [...Map.groupBy(rows, ({ message_id }) => message_id)].map(([id, own]) => {
      expect(own.map(({ number }) => number)).toEqual(own.map((_, index) => index + 1))
      return [id, own.map(({ type }) => type)]
    }),
  )
}

const ENDS: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled'])

await describeEachStore('answers whose processes are killed', MIGRATIONS, (open, place) => {
  test('are neither lost nor doubled, and can be asked again', { timeout: 300_000 }, async () => {
    const backend = scripted(({ turns }) => (turns.some(({ role }) => role === 'tool') ? ANSWER : LOOK))
    const { shop } = await openShopWithGit(open, { files: FILES, settings: { llm: { backend } } })
    const handlers = talkHandlers(shop.context)
    const places = new Map<string, string>()
    const asked = new Map<string, readonly string[]>()
    for (let index = 0; index < CONVERSATIONS; index += 1) {
      const { data } = await handlers.createConversation(callOf(shop.caller, {}))
      asked.set(data.id, questionsOf(index))
      for (const content of questionsOf(index)) {
        const params = { conversationId: data.id }
        const message = await handlers.createMessage(
          callOf(shop.caller, { params, body: { content, wait: false } }),
        )
        places.set(message.data.id, data.id)
      }
    }
    const running = async (): Promise<number> =>
      [...(await eventsOf(shop)).values()].filter((types) => types.includes('message.started')).length
    const kills = [startWorker(place), startWorker(place)]
    await expect.poll(running, { timeout: 120_000 }).toBe(CONVERSATIONS)
    await Promise.all(kills.map((kill) => kill()))

    // each second question waits for the first one of its conversation, which nobody has told the end of yet
    shop.work({ leaseMs: LEASE_MS })
    const ended = async (): Promise<number> =>
      (await rowsOf(shop)).filter(({ state }) => ENDS.has(state)).length
    await expect.poll(ended, { timeout: 120_000 }).toBe(places.size)
    const rows = await rowsOf(shop)
    expect(rows.map(({ id }) => id).toSorted()).toEqual([...places.keys()].toSorted())
    const failed = rows.filter(({ state }) => state === 'failed')
    expect(failed).toHaveLength(CONVERSATIONS)
    for (const { error } of failed) expect(error).toContain('interrupted')
    expect(rows.length - failed.length).toBe(CONVERSATIONS / 2)

    const last = failed.filter(({ id }) => asked.get(places.get(id) ?? '')?.length === 1)
    for (const { id: messageId } of last) {
      const params = { conversationId: places.get(messageId) ?? '', messageId }
      await handlers.retryMessage(callOf(shop.caller, { params }))
    }
    const completed = async (): Promise<number> =>
      (await rowsOf(shop)).filter(({ state }) => state === 'completed').length
    await expect.poll(completed, { timeout: 120_000 }).toBe(CONVERSATIONS)
    for (const types of (await eventsOf(shop)).values()) {
      expect(types.filter((type) => ENDS.has(type))).toHaveLength(1)
      expect(types.filter((type) => type === 'message.started')).toHaveLength(1)
    }
    for (const [conversationId, contents] of asked) {
      const params = { conversationId }
      const { data } = await handlers.getConversation(callOf(shop.caller, { params }))
      expect(data).toMatchObject({ messages: contents.length })
      const { bytes } = await handlers.getTranscript(callOf(shop.caller, { params }))
      const lines = Buffer.from(bytes).toString().trim().split('\n')
      const questions = lines.flatMap((line) => {
        const { text, type } = JSON.parse(line) as { readonly type: string; readonly text?: string }
        return type === 'question' ? [text] : []
      })
      // a transcript keeps the attempt that was killed, too
      expect(questions).toEqual(contents.length === 1 ? [...contents, ...contents] : contents)
    }
    // what the killed processes asked was never answered, so that only these calls cost anything
    const { data: settings } = await handlers.getAssistantSettings(callOf(shop.caller, {}))
    expect(settings.tokensToday).toBe(backend.requests.length * 110)
  })
})
