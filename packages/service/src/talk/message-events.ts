import { setTimeout as pause } from 'node:timers/promises'
import { StagecraftError } from '@stagecraft/spec'
import type { Caller, StreamMessage, TalkMessage } from '@stagecraft/spec/api'
import { type Kysely, sql } from 'kysely'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { fromJson, toJson } from '../store/rows.ts'
import type { Database } from '../store/schema.ts'
import type { MessageRow } from '../store/talk-rows.ts'
import { openMessage, toMessage } from './message-rows.ts'

/** An event of a running answer, before it has a number. */
export interface NewEvent {
  /** The last one is `completed`, `failed` or `cancelled`; `transcript` is for the transcript only. */
  readonly type: string
  readonly data: object
}

/** Events of a message are written by the holder of its lease, or in the transaction that ends it. */
export async function appendEvent(db: Kysely<Database>, messageId: string, event: NewEvent): Promise<void> {
  await appendEvents(db, messageId, [event])
}

export async function appendEvents(
  db: Kysely<Database>,
  messageId: string,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return
  const last = await db
    .selectFrom('message_events')
    .select((columns) => columns.fn.max('number').as('number'))
    .where('message_id', '=', messageId)
    .executeTakeFirst()
  const first = (last?.number ?? 0) + 1
  await db
    .insertInto('message_events')
    .values(
      events.map(({ data, type }, index) => ({
        message_id: messageId,
        number: first + index,
        type,
        data: toJson(data),
      })),
    )
    .execute()
}

/** Deletes the end event of an attempt that is retried. Its number is not reused. */
export async function clearEvents(db: Kysely<Database>, messageId: string): Promise<void> {
  await db
    .updateTable('message_events')
    .set({ type: 'past' })
    .where('message_id', '=', messageId)
    .where('type', '!=', 'transcript')
    .execute()
}

/** The interval at which a stream polls for events. */
const POLL_MS = 200
const BATCH = 200

export async function getMessageEvents(
  context: ServiceContext,
  { caller, lastEventId, params, requestId, signal }: CallOf<'getMessageEvents'>,
): ReplyOf<'getMessageEvents'> {
  await openMessage(context.store.db, caller, params)
  const after = /^\d{1,9}$/.test(lastEventId ?? '') ? Number(lastEventId) : 0
  return { messages: follow(context, { caller, after, params, requestId, signal }) }
}

interface Following {
  readonly caller: Caller
  readonly after: number
  readonly params: { readonly conversationId: string; readonly messageId: string }
  readonly requestId: string
  readonly signal: AbortSignal
}

/** Reads from the store, so that any process serves any stream. It ends with the message, its conversation or its key. */
async function* follow(
  context: ServiceContext,
  { after, caller, params, requestId, signal }: Following,
): AsyncGenerator<StreamMessage<TalkMessage>> {
  const { clock, store } = context
  const { db } = store
  const exchange = (): Exchange => ({ requestId, timestamp: new Date(clock.now()).toISOString() })
  for (let last = after; !signal.aborted;) {
    const isOpen = await isKeyOpen(context, caller)
    const row = isOpen ? await readIfThere(db, caller, params) : undefined
    if (!row) {
      yield { data: failed(isOpen ? gone(params) : revoked(), requestId) }
      return
    }
    const rows = await newerThan(db, params.messageId, last)
    for (const { data, number, type } of rows) {
      last = number
      // The end is written together with the row, so the row is read again.
      const newest = ENDS.has(type) ? ((await readIfThere(db, caller, params)) ?? row) : row
      yield { id: String(number), data: toTalkMessage({ type, data, row: newest }, exchange()) }
      if (ENDS.has(type)) return
    }
    if (rows.length === 0 && isEnded(row)) {
      // The client has already received the end.
      return
    }
    if (rows.length < BATCH) await pause(POLL_MS, undefined, { signal }).catch(() => undefined)
  }
}

function isEnded({ state }: MessageRow): boolean {
  return state !== 'queued' && state !== 'running'
}

const ENDS: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled'])

export async function isKeyOpen(
  { store }: Pick<ServiceContext, 'store'>,
  { keyId }: Pick<Caller, 'keyId'>,
): Promise<boolean> {
  const row = await store.db
    .selectFrom('api_keys')
    .select('id')
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`(expires_at is null or expires_at > ${store.nowOnce()})`)
    .executeTakeFirst()
  return row !== undefined
}

async function readIfThere(
  db: Kysely<Database>,
  caller: Caller,
  params: Following['params'],
): Promise<MessageRow | undefined> {
  try {
    return await openMessage(db, caller, params)
  } catch (error) {
    if (error instanceof StagecraftError && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

function newerThan(db: Kysely<Database>, messageId: string, last: number) {
  return db
    .selectFrom('message_events')
    .select(['number', 'type', 'data'])
    .where('message_id', '=', messageId)
    .where('number', '>', last)
    .where('type', 'not in', ['transcript', 'past'])
    .orderBy('number')
    .limit(BATCH)
    .execute()
}

interface Stored {
  readonly type: string
  readonly data: string
  readonly row: MessageRow
}

interface Exchange {
  readonly requestId: string
  readonly timestamp: string
}

function toTalkMessage({ data, row, type }: Stored, exchange: Exchange): TalkMessage {
  if (type === 'completed') {
    const message = toMessage(row)
    const envelope = { success: true, data: message, meta: { ...exchange, tokensUsed: message.tokensUsed } }
    return { event: 'message.completed', envelope }
  }
  if (type === 'failed')
    return failed(fromJson(data) as Pick<StagecraftError, 'code' | 'message' | 'details'>, exchange.requestId)
  if (type === 'cancelled') return failed(CANCELLED, exchange.requestId)
  // Only talk events use these types.
  return { event: type as TalkMessage['event'], data: fromJson(data) as Record<string, unknown> }
}

const CANCELLED = {
  code: 'GENERATION_FAILED',
  message: 'the message was cancelled',
  details: { reason: 'cancelled' },
} as const

function failed(
  { code, details, message }: Pick<StagecraftError, 'code' | 'message' | 'details'>,
  requestId: string,
): TalkMessage {
  const error = { code, message, ...(details && { details }) }
  return { event: 'error', envelope: { success: false, error, meta: { requestId } } }
}

function gone({ messageId }: Following['params']): StagecraftError {
  return StagecraftError.unknownId('message', messageId)
}

function revoked(): StagecraftError {
  return new StagecraftError('UNAUTHORIZED', 'the key was revoked or has expired')
}
