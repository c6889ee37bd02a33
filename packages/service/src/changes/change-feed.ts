import { StagecraftError } from '@stagecraft/spec'
import type { Caller } from '@stagecraft/spec/api'
import type { ServiceContext } from '../context.ts'
import { startLoop, type Loop } from '../loop.ts'
import type { ChangeRow } from '../store/own-rows.ts'
import { endedCallers } from './ended-callers.ts'
import { type Position, readChanges, readEnd } from './read-changes.ts'

/** The interval at which changes of other processes are looked for, in milliseconds. */
const POLL_MS = 500

/** The shortest time between two looks, so that a thousand changes are a few messages. */
const COLLECT_MS = 100

/** The interval at which keys that have run out are looked for. */
const CHECK_MS = 10_000

const AT_ONCE = 2000

/** The most streams of one key in a process: each is a connection that stays. */
const MOST_STREAMS = 50

/** Receives the changes of one project. */
interface FeedListener {
  readonly caller: Caller
  /** Takes changes that belong together, and the position behind them. */
  readonly changed: (rows: readonly ChangeRow[], end: Position) => void
  /** Is told that the key or session of the caller has ended. */
  readonly ended: () => void
}

/** The changes of a store, read once for all streams of this process. */
export interface ChangeFeed {
  /** Calls back from now on; resolves to the position behind which it does, and how to stop it. */
  join(listener: FeedListener): Promise<{ readonly from: Position; readonly leave: () => void }>
}

/** Creates a feed, which reads only while somebody listens. */
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
  /** The position behind what was read. */
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
        await tellEnded(store, listeners)
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

async function tellEnded(
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
