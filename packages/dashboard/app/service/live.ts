// Says when what a page shows has changed: by the stream of the project and, while that is broken, every half minute.
import { client, isSignedOut } from './client.ts'

type Listener = (kinds: ReadonlySet<string> | 'all') => void

const listeners = new Set<Listener>()
const POLL_MS = 30_000
const GATHER_MS = 300

/** Tells a listener of changes until it is taken back. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function announce(kinds: ReadonlySet<string> | 'all'): void {
  for (const listener of listeners) listener(kinds)
}

/** Follows a project until it is told to stop; `signedOut` is called once nobody is signed in any more. */
export function follow(projectId: string, signedOut: () => void): () => void {
  const abort = new AbortController()
  const read = async (): Promise<void> => {
    try {
      await readChanges(projectId, abort.signal)
    } catch (error) {
      if (abort.signal.aborted) return
      if (isSignedOut(error)) return signedOut()
    }
    // Something between does not let streams through: look again, and show what there is.
    setTimeout(() => {
      if (abort.signal.aborted) return
      announce('all')
      void read()
    }, POLL_MS)
  }
  void read()
  return () => abort.abort()
}

async function readChanges(projectId: string, signal: AbortSignal): Promise<void> {
  let gathered = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const tell = (): void => {
    timer = undefined
    announce(gathered)
    gathered = new Set()
  }
  for await (const { event, kind } of client.changes.stream({ projectId, signal })) {
    if (event === 'reset') announce('all')
    if (kind === undefined) continue
    gathered.add(kind)
    timer ??= setTimeout(tell, GATHER_MS)
  }
}
