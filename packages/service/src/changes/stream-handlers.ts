import {
  type ApiHandlers,
  type Caller,
  CHANGE_KINDS,
  type ChangeKind,
  type ChangeMessage,
  type StreamMessage,
} from '@stagecraft/spec/api'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import type { ChangeRow } from '../store/own-rows.ts'
import type { Store } from '../store/store.ts'
import { type ChangeFeed, createChangeFeed } from './change-feed.ts'
import { isReached, type Position, printMark, readChanges, readEnd, readMark } from './read-changes.ts'

type StreamHandlers = Pick<ApiHandlers, 'streamChanges'>

/** Creates the handler of the stream of changes. */
export function streamHandlers(context: ServiceContext): StreamHandlers {
  const feed = createChangeFeed(context)
  return { streamChanges: (call) => streamChanges({ store: context.store, feed }, call) }
}

interface StreamSetup {
  readonly store: Store
  readonly feed: ChangeFeed
}

type Message = StreamMessage<ChangeMessage>

async function streamChanges(
  { feed, store }: StreamSetup,
  { caller, lastEventId, signal }: CallOf<'streamChanges'>,
): ReplyOf<'streamChanges'> {
  const clock = await openClock(store)
  const queue = messageQueue<Message>(({ id }) => ({ id, data: { event: 'reset' } }))
  // Changes that arrive while the past is read are queued after it.
  let early: Message[] | undefined = []
  const { from, leave } = await feed.join({
    caller,
    changed: (rows, end) => {
      const messages = toMessages(rows, { caller, mark: printMark({ at: clock(), ...end }) })
      if (early) early.push(...messages)
      else queue.push(...messages)
    },
    ended: () => queue.end(),
  })
  const end = (): void => {
    queue.end()
    leave()
  }
  signal.addEventListener('abort', end, { once: true })
  try {
    const mark = printMark({ at: clock(), ...from })
    const past = await readPast(store, { projectId: caller.projectId, lastEventId, from, now: clock() })
    queue.push(...opening(past && toMessages(past, { caller, mark }), mark), ...early)
    early = undefined
  } catch (error) {
    end()
    throw error
  }
  if (signal.aborted) end()
  return { messages: { [Symbol.asyncIterator]: () => untilEnd(queue, end) } }
}

/** Reads the clock of the database once. */
async function openClock(store: Store): Promise<() => number> {
  const difference = (await store.now()) - performance.now()
  return () => Math.round(performance.now() + difference)
}

/**
 * Only the last of several messages carries the position. If an earlier one did and the stream broke, the client would
 * miss the rest.
 */
function opening(past: readonly Message[] | undefined, mark: string): readonly Message[] {
  if (!past) return [{ id: mark, data: { event: 'reset' } }]
  if (past.length === 0) return [{ id: mark, data: { event: 'open' } }]
  return [{ data: { event: 'open' } }, ...past]
}

function toMessages(
  rows: readonly ChangeRow[],
  { caller, mark }: { readonly caller: Caller; readonly mark: string },
): readonly Message[] {
  const all = collectMessages(rows, caller.scopes)
  return all.map((data, index) => (index === all.length - 1 ? { id: mark, data } : { data }))
}

interface Past {
  readonly projectId: string
  readonly lastEventId: string | undefined
  readonly from: Position
  readonly now: number
}

/** The maximum number of changes that are sent one by one to a returning client. */
const MOST_PAST = 5000

/** Reads the changes since the client's last position; undefined if they are no longer known. */
async function readPast(
  store: Store,
  { from, lastEventId, now, projectId }: Past,
): Promise<readonly ChangeRow[] | undefined> {
  if (lastEventId === undefined) return []
  const after = readMark(lastEventId, now)
  // A restored store may be older than the positions of its clients.
  if (!after || !isReached(after, await readEnd(store))) return undefined
  const rows = await readChanges(store, { after, until: from, projectId, limit: MOST_PAST + 1 })
  return rows.length > MOST_PAST ? undefined : rows
}

/** Yields the messages of a queue. `end` is called when the reader stops. */
function untilEnd(queue: AsyncIterable<Message>, end: () => void): AsyncIterator<Message> {
  const iterator = queue[Symbol.asyncIterator]()
  return {
    async next() {
      const result = await iterator.next()
      if (result.done) end()
      return result
    },
    async return() {
      end()
      return { done: true, value: undefined }
    },
  }
}

/** The maximum number of ids in one message. */
const MOST_IDS = 100

/** Groups changes into one message for each kind that the scopes of a key may read. */
function collectMessages(rows: readonly ChangeRow[], scopes: readonly string[]): readonly ChangeMessage[] {
  const groups = Map.groupBy(rows, ({ kind }) => kind)
  return [...groups].flatMap(([kind, group]) =>
    kind !== 'session' && scopes.includes(CHANGE_KINDS[kind]) ? [toMessage(kind, group)] : [],
  )
}

function toMessage(kind: ChangeKind, rows: readonly ChangeRow[]): ChangeMessage {
  const all = [...new Set(rows.map(({ resource_id }) => resource_id))]
  const ids = all.slice(-MOST_IDS)
  const listed = new Set(ids)
  // The last state of each counts.
  const states = rows.flatMap(({ resource_id, state }) =>
    state === null || !listed.has(resource_id) ? [] : [[resource_id, state] as const],
  )
  return {
    event: 'change',
    kind,
    ids,
    ...(all.length > ids.length && { more: true as const }),
    changes: [...new Set(rows.map(({ change }) => change))],
    ...(states.length > 0 && { states: Object.fromEntries(states) }),
  }
}

/** Messages on their way to one client. */
interface MessageQueue<Message> extends AsyncIterable<Message> {
  push(...messages: readonly Message[]): void
  /** Ends the queue and drops waiting messages. */
  end(): void
}

/**
 * Creates a queue with one reader.
 *
 * @param overflow Makes the message that stands for those that waited for too long a time.
 */
function messageQueue<Message>(
  overflow: (last: Message) => Message,
  { most = 1000 }: { readonly most?: number } = {},
): MessageQueue<Message> {
  let waiting: Message[] = []
  let isEnded = false
  let wake: (() => void) | undefined
  const next = async (): Promise<IteratorResult<Message>> => {
    for (;;) {
      if (isEnded) return { done: true, value: undefined }
      const [value] = waiting.splice(0, 1)
      if (value !== undefined) return { done: false, value }
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  const end = (): void => {
    isEnded = true
    waiting = []
    wake?.()
  }
  return {
    push(...messages) {
      waiting.push(...messages)
      const last = waiting.at(-1)
      if (waiting.length > most && last !== undefined) waiting = [overflow(last)]
      wake?.()
    },
    end,
    [Symbol.asyncIterator]: () => ({
      next,
      return: () => {
        end()
        return Promise.resolve({ done: true, value: undefined })
      },
    }),
  }
}
