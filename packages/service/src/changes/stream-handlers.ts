import type { ApiHandlers, Caller, ChangeMessage, StreamMessage } from '@stagecraft/spec/api'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import type { ChangeRow } from '../store/own-rows.ts'
import type { Store } from '../store/store.ts'
import { type ChangeFeed, createChangeFeed } from './change-feed.ts'
import { collectMessages } from './collect-messages.ts'
import { messageQueue } from './message-queue.ts'
import { printMark, readMark } from './position-text.ts'
import { isReached, type Position, readChanges, readEnd } from './read-changes.ts'

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
  // What comes while the past is read stands behind it.
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

/** Returns the clock of the database, which is asked once. */
async function openClock(store: Store): Promise<() => number> {
  const difference = (await store.now()) - performance.now()
  return () => Math.round(performance.now() + difference)
}

/** A position that came with the first of several messages would leave out the others, if the stream broke off. */
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

/** The most changes that are told one by one to a client that comes back. */
const MOST_PAST = 5000

/** Reads what changed since the client was here; undefined when nobody knows. */
async function readPast(
  store: Store,
  { from, lastEventId, now, projectId }: Past,
): Promise<readonly ChangeRow[] | undefined> {
  if (lastEventId === undefined) return []
  const after = readMark(lastEventId, now)
  // A store that was restored may be behind its clients.
  if (!after || !isReached(after, await readEnd(store))) return undefined
  const rows = await readChanges(store, { after, until: from, projectId, limit: MOST_PAST + 1 })
  return rows.length > MOST_PAST ? undefined : rows
}

/** The messages of a queue; `end` is called once nobody reads them any more. */
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
