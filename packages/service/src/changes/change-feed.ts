import { StagecraftError } from '@stagecraft/spec'
import type { Caller } from '@stagecraft/spec/api'
import type { ServiceContext } from '../context.ts'
import { type Loop, startLoop } from '../loop.ts'
import type { ChangeRow } from '../store/own-rows.ts'
import { type Position, readChanges, readEnd } from './read-changes.ts'
import { isLive } from '../sessions/sessions.ts'
import { chunksOf } from '../store/rows.ts'
import type { Store } from '../store/store.ts'

/** The interval for polling changes of other processes, in milliseconds. */
const POLL_MS = 500

/** The minimum time between two polls, which groups a thousand changes into a few messages. */
const COLLECT_MS = 100

/** The interval for finding expired keys. */
const CHECK_MS = 10_000

const AT_ONCE = 2000

/** The maximum number of streams of one key in a process. Each holds a connection open. */
const MOST_STREAMS = 50

/** Receives the changes of one project. */
interface FeedListener {
  readonly caller: Caller
  /** Receives changes that belong together, and the position after them. */
  readonly changed: (rows: readonly ChangeRow[], end: Position) => void
  /** Called when the key or session of the caller has ended. */
  readonly ended: () => void
}

/** Reads the changes of a store once for all streams of this process. */
export interface ChangeFeed {
  /** Starts calling back. Resolves to the position after which changes are reported, and a function that stops it. */
  join(listener: FeedListener): Promise<{ readonly from: Position; readonly leave: () => void }>
}

/** Creates a feed. It reads only while it has listeners. */
export function createChangeFeed(context: Pick<ServiceContext, 'logger' | 'store' | 'wakeups'>): ChangeFeed {
  const listeners = new Set<FeedListener>()
  let running: { readonly reader: Promise<Reader>; readonly stop: () => void } | undefined
  return {
    async join(listener) {
      refuseMany(listeners, listener.caller)
      listeners.add(listener)
      running ??= run(context, listeners)
      const { reader, stop } = running
      const leave = (): void => {
        listeners.delete(listener)
        if (listeners.size > 0 || running?.stop !== stop) return
        stop()
        running = undefined
      }
      try {
        return { from: (await reader).end(), leave }
      } catch (error) {
        leave()
        if (running?.stop === stop) running = undefined
        throw error
      }
    },
  }
}

function refuseMany(listeners: ReadonlySet<FeedListener>, { keyId }: Caller): void {
  const own = [...listeners].filter(({ caller }) => caller.keyId === keyId)
  if (own.length < MOST_STREAMS) return
  const suggestion = 'share one stream'
  throw new StagecraftError('RATE_LIMITED', `the key has ${own.length} streams; ${suggestion}`, {
    details: { suggestion },
  })
}

interface Reader {
  /** The position up to which changes were read. */
  readonly end: () => Position
}

function run(
  context: Pick<ServiceContext, 'logger' | 'store' | 'wakeups'>,
  listeners: ReadonlySet<FeedListener>,
): { readonly reader: Promise<Reader>; readonly stop: () => void } {
  const { logger, store, wakeups } = context
  let loop: Loop | undefined
  let isStopped = false
  const unlisten = wakeups.listen('changes', () => loop?.wake())
  const start = async (): Promise<Reader> => {
    let end = await readEnd(store)
    let checkedAt = performance.now()
    const round = async (): Promise<number> => {
      const rows = await readChanges(store, { after: end, limit: AT_ONCE })
      const last = rows.at(-1)
      if (last) end = { position: last.position, seq: last.seq }
      tell(listeners, rows, end)
      if (rows.some(endsCallers) || performance.now() - checkedAt > CHECK_MS) {
        checkedAt = performance.now()
        await reportEnded(store, listeners)
      }
      return rows.length === AT_ONCE ? 0 : rows.length > 0 ? COLLECT_MS : POLL_MS
    }
    if (!isStopped)
      loop = startLoop(round, { logger, everyMs: POLL_MS, message: 'reading changes for streams failed' })
    return { end: () => end }
  }
  const stop = (): void => {
    isStopped = true
    unlisten()
    void loop?.stop()
  }
  return { reader: start(), stop }
}

function tell(listeners: ReadonlySet<FeedListener>, rows: readonly ChangeRow[], end: Position): void {
  if (rows.length === 0) return
  const byProject = Map.groupBy(rows, ({ project_id }) => project_id)
  for (const { caller, changed } of listeners) {
    const own = byProject.get(caller.projectId)
    if (own) changed(own, end)
  }
}

/** Keys are revoked, and sessions and projects are deleted. */
function endsCallers({ change, kind, state }: ChangeRow): boolean {
  return (kind === 'key' && (state !== null || change === 'deleted')) || kind === 'session'
}

async function reportEnded(
  store: ServiceContext['store'],
  listeners: ReadonlySet<FeedListener>,
): Promise<void> {
  const callers = [...listeners]
  const ended = new Set(
    await endedCallers(
      store,
      callers.map(({ caller }) => caller),
    ),
  )
  for (const listener of callers) if (ended.has(listener.caller)) listener.ended()
}

/** Returns the callers whose key or session has ended. */
async function endedCallers(store: Store, callers: readonly Caller[]): Promise<readonly Caller[]> {
  const keyIds = [...new Set(callers.map(({ keyId }) => keyId))]
  const keys = await liveKeys(store, keyIds)
  const sessionIds = callers.flatMap(({ sessionId }) => sessionId ?? [])
  const sessions = await liveSessions(store, sessionIds)
  return callers.filter(
    ({ keyId, sessionId }) => !keys.has(keyId) || (sessionId !== undefined && !sessions.has(sessionId)),
  )
}

async function liveKeys(store: Store, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const live = new Set<string>()
  for (const chunk of chunksOf(ids)) {
    const rows = await store.db
      .selectFrom('api_keys')
      .select('id')
      .where('id', 'in', chunk)
      .where('revoked_at', 'is', null)
      .where((where) =>
        where.or([where('expires_at', 'is', null), where('expires_at', '>', store.nowOnce())]),
      )
      .execute()
    for (const { id } of rows) live.add(id)
  }
  return live
}

async function liveSessions(store: Store, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const live = new Set<string>()
  for (const chunk of chunksOf([...new Set(ids)])) {
    const rows = await store.db
      .selectFrom('sessions')
      .select(['id', 'expires_at', 'last_seen_at', store.nowMs().as('now')])
      .where('id', 'in', chunk)
      .execute()
    for (const row of rows) if (isLive(row)) live.add(row.id)
  }
  return live
}
