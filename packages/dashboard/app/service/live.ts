// Reports changes of the data that a page shows: from the stream of the project or, while it is broken, every half
// minute.
import { checkReach, client, isSignedOut, reportReach } from './client.ts'

type Kinds = ReadonlySet<string> | 'all'
type Listener = (kinds: Kinds) => void

const listeners = new Set<Listener>()
const POLL_MS = 30_000
/** The minimum time between two notifications, and between a change and the first one. */
const PAUSE_MS = 1000
const GATHER_MS = 100

/** Notifies a listener of changes until it is removed. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Calls the listeners of changes in this tab. */
export function reportChange(kinds: Kinds): void {
  for (const listener of listeners) listener(kinds)
}

/** A message between tabs. */
type Message = Kinds | 'ended' | 'reached' | 'lost'

let sendEnd: (() => void) | undefined

/** Tells the other tabs that the session has ended. */
export function sendEndToOthers(): void {
  sendEnd?.()
}

interface Follower {
  readonly signedOut: () => void
  readonly lost: (isLost: boolean) => void
}

/**
 * Follows a project until stopped; calls `signedOut` once no one is signed in, and `lost` when the service stops or
 * starts to answer. Only one tab of the browser reads the stream and informs the others, because browsers limit
 * connections to a host. When it closes, another tab takes over. Plain HTTP to another machine has no locks, so each
 * tab then reads the stream itself.
 */
export function follow(projectId: string, { lost, signedOut }: Follower): () => void {
  const abort = new AbortController()
  const name = `stagecraft ${projectId}`
  const others = new BroadcastChannel(name)
  let isLost = false
  const reached = (isReached: boolean): void => {
    if (isReached !== isLost) return
    isLost = !isReached
    lost(isLost)
    // Changes may have been missed.
    if (isReached) reportChange('all')
  }
  others.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data === 'ended') signedOut()
    else if (data === 'reached' || data === 'lost') reached(data === 'reached')
    else reportChange(data)
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  const post = (message: Message): void => others.postMessage(message)
  sendEnd = () => post('ended')
  reportReach((isReached) => {
    if (isReached === isLost) post(isReached ? 'reached' : 'lost')
    reached(isReached)
  })
  const check = (): void => void checkReach()
  for (const event of ['online', 'offline']) addEventListener(event, check)
  const notify = (kinds: Kinds): void => {
    reportChange(kinds)
    post(kinds)
  }
  const read = async (): Promise<void> => {
    if (await readUntilEnd(projectId, abort.signal, notify)) return
    post('ended')
    signedOut()
  }
  const { signal } = abort
  // A cancelled lock request rejects.
  if (isSecureContext) navigator.locks.request(name, { signal }, read).catch(() => undefined)
  else void read()
  return () => {
    for (const event of ['online', 'offline']) removeEventListener(event, check)
    reportReach(undefined)
    sendEnd = undefined
    abort.abort()
    others.close()
  }
}

/** Reads the stream repeatedly. Returns false once no one is signed in, and true when stopped. */
async function readUntilEnd(
  projectId: string,
  signal: AbortSignal,
  notify: (kinds: Kinds) => void,
): Promise<boolean> {
  while (!signal.aborted) {
    try {
      await readChanges(projectId, signal, notify)
    } catch (error) {
      if (!signal.aborted && isSignedOut(error)) return false
    }
    // A proxy may block streams: reload instead.
    await pause(POLL_MS, signal)
    if (!signal.aborted) notify('all')
  }
  return true
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

async function readChanges(
  projectId: string,
  signal: AbortSignal,
  notify: (kinds: Kinds) => void,
): Promise<void> {
  let gathered = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let notifiedAt = 0
  const flush = (): void => {
    timer = undefined
    notifiedAt = Date.now()
    notify(gathered)
    gathered = new Set()
  }
  for await (const { event, kind } of client.changes.stream({ projectId, signal })) {
    if (event === 'reset') notify('all')
    if (kind === undefined) continue
    gathered.add(kind)
    timer ??= setTimeout(flush, Math.max(GATHER_MS, notifiedAt + PAUSE_MS - Date.now()))
  }
}
