import { setTimeout as pause } from 'node:timers/promises'
import { NO_USAGE } from '@stagecraft/core/run'
import { StagecraftError } from '@stagecraft/spec'
import type { Caller, MessageResource } from '@stagecraft/spec/api'
import { type Change, change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { queuedJob } from '../jobs/lease.ts'
import { page } from '../store/page.ts'
import { toJson } from '../store/rows.ts'
import type { MessageRow } from '../store/talk-rows.ts'
import { assertBudget } from './budget.ts'
import { openConversation } from './conversation-handlers.ts'
import { appendEvent, clearEvents } from './message-events.ts'
import { type MessageOptions, openMessage, toMessage } from './message-rows.ts'

/** The maximum number of queued and running messages of a project. */
const MOST_OPEN = 8

/** The time that a request waits for an answer. Proxies close silent connections after a minute. */
const WAIT_MS = 50_000
const POLL_MS = 150

export async function createMessage(
  context: ServiceContext,
  { body, caller, params: { conversationId }, signal, wantsStream = false }: CallOf<'createMessage'>,
): ReplyOf<'createMessage'> {
  const { content, maxSeconds, maxTokens, tools = 'read', wait = true } = body
  if (tools === 'propose' && !caller.scopes.includes('generate')) throw withoutScope()
  await assertBudget(context, caller.projectId)
  const options: MessageOptions = {
    tools,
    ...(maxTokens !== undefined && { maxTokens }),
    ...(maxSeconds !== undefined && { maxSeconds }),
  }
  const row = await change(context, caller.projectId, async (tx) => {
    // Messages of a project are counted one after another.
    await tx.ownProject({ lock: 'update' })
    await openConversation(tx.db, caller, conversationId)
    await assertRoom(tx)
    const now = await tx.now()
    const message: MessageRow = {
      ...queuedJob(now),
      id: tx.ids.next('msg'),
      project_id: caller.projectId,
      conversation_id: conversationId,
      key_id: caller.keyId,
      content,
      options: toJson(options),
      answer: null,
      seen: null,
      usage: toJson(NO_USAGE),
    }
    await tx.db.insertInto('messages').values(message).execute()
    await tx.db
      .updateTable('conversations')
      .set((columns) => ({ messages: columns('messages', '+', 1), updated_at: now }))
      .where('id', '=', conversationId)
      .execute()
    tx.wakeAfter('jobs')
    return message
  })
  if (!wait || wantsStream) return { data: toMessage(row), status: 202 }
  return waited(context, caller, { conversationId, messageId: row.id, signal })
}

interface Waiting {
  readonly conversationId: string
  readonly messageId: string
  readonly signal: AbortSignal
}

/** The answer continues after the client disconnects. */
async function waited(
  { store }: ServiceContext,
  caller: Caller,
  { signal, ...ids }: Waiting,
): Promise<{ data: MessageResource; status: 200 | 202; tokensUsed: number }> {
  const until = performance.now() + WAIT_MS
  for (;;) {
    const data = toMessage(await openMessage(store.db, caller, ids))
    const isOpen = data.state === 'queued' || data.state === 'running'
    if (!isOpen || signal.aborted || performance.now() > until)
      return { data, status: isOpen ? 202 : 200, tokensUsed: data.tokensUsed }
    await pause(POLL_MS)
  }
}

function withoutScope(): StagecraftError {
  return new StagecraftError('FORBIDDEN', 'the key lacks the scope "generate", which proposals need', {
    details: { scope: 'generate' },
  })
}

/** @throws {StagecraftError} RATE_LIMITED if too many wait or run. */
async function assertRoom(tx: Change): Promise<void> {
  const { open } = await tx.db
    .selectFrom('messages')
    .select((columns) => columns.fn.countAll<number>().as('open'))
    .where('project_id', '=', tx.projectId)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow()
  if (open < MOST_OPEN) return
  const suggestion = 'try again when one of them has ended'
  throw new StagecraftError(
    'RATE_LIMITED',
    `${MOST_OPEN} messages of the project are queued or running; ${suggestion}`,
    {
      details: { reason: 'open_messages', suggestion },
    },
  )
}

export async function listMessages(
  { store }: ServiceContext,
  { caller, params: { conversationId }, query }: CallOf<'listMessages'>,
): ReplyOf<'listMessages'> {
  await openConversation(store.db, caller, conversationId)
  const messages = store.db.selectFrom('messages').selectAll().where('conversation_id', '=', conversationId)
  const { nextCursor, rows } = await page(messages, query)
  return { data: { items: rows.map(toMessage) }, nextCursor }
}

export async function getMessage(
  { store }: ServiceContext,
  { caller, params }: CallOf<'getMessage'>,
): ReplyOf<'getMessage'> {
  return { data: toMessage(await openMessage(store.db, caller, params)) }
}

/** A message that has ended is not changed. */
export async function cancelMessage(
  context: ServiceContext,
  { caller, params }: CallOf<'cancelMessage'>,
): ReplyOf<'cancelMessage'> {
  const data = await change(context, caller.projectId, async (tx) => {
    await openMessage(tx.db, caller, params)
    const finished_at = await tx.now()
    const own = tx.db.updateTable('messages').where('id', '=', params.messageId)
    const ended = await own
      .set({ state: 'cancelled', finished_at, cancel: 1 })
      .where('state', '=', 'queued')
      .returning('id')
      .execute()
    if (ended.length > 0) await appendEvent(tx.db, params.messageId, { type: 'cancelled', data: {} })
    await own.set({ cancel: 1 }).where('state', '=', 'running').execute()
    tx.wakeAfter('jobs')
    return toMessage(await openMessage(tx.db, caller, params))
  })
  return { data }
}

/** Only the last message can be asked again, because later answers depend on the earlier ones. */
export async function retryMessage(
  context: ServiceContext,
  { caller, params }: CallOf<'retryMessage'>,
): ReplyOf<'retryMessage'> {
  await assertBudget(context, caller.projectId)
  const row = await change(context, caller.projectId, async (tx) => {
    await tx.ownProject({ lock: 'update' })
    const message = await openMessage(tx.db, caller, params)
    const last = await tx.db
      .selectFrom('messages')
      .select('id')
      .where('conversation_id', '=', params.conversationId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    if (last.id !== message.id) throw notRetryable('the last message of its conversation', 'an earlier one')
    if (message.state !== 'failed' && message.state !== 'cancelled')
      throw notRetryable('a failed or cancelled message', `one that is ${message.state}`)
    await assertRoom(tx)
    const { created_at: _, ...again } = queuedJob(await tx.now())
    await clearEvents(tx.db, message.id)
    await tx.db
      .updateTable('messages')
      .set({ ...again, key_id: caller.keyId })
      .where('id', '=', message.id)
      .execute()
    tx.wakeAfter('jobs')
    return { ...message, ...again }
  })
  return { data: toMessage(row), status: 202 }
}

function notRetryable(expected: string, received: string): StagecraftError {
  return StagecraftError.invalid({ path: 'messageId', expected, received })
}
