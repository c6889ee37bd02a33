import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { isGone, isSignedOut } from './client.ts'
import { onChange } from './live.ts'
import { useSession } from './session.ts'

/** Data of the service, which may still be loading. */
export interface Loaded<Data> {
  readonly data: Data | undefined
  readonly error: unknown
  readonly reload: () => void
}

interface State<Data> {
  readonly key: string
  readonly data?: Data
  readonly error?: unknown
}

interface Kept {
  readonly data: unknown
  readonly kinds: readonly string[]
}

/** Cached data by key, shown immediately when a page is opened again. */
const kept = new Map<string, Kept>()
const MOST_KEPT = 50

onChange((changed) => {
  for (const [key, { kinds }] of kept)
    if (changed === 'all' || kinds.some((kind) => changed.has(kind))) kept.delete(key)
})

/** Clears the cache, so that the next user does not see it. */
export function forgetAll(): void {
  kept.clear()
}

/** Data without change notifications is not cached, because it may be outdated. */
function keep(key: string, entry: Kept): void {
  if (entry.kinds.length === 0) return
  kept.delete(key)
  kept.set(key, entry)
  const [oldest] = kept.keys()
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
}

/**
 * Loads the data of a key, and again when resources of these kinds change. Old data stays until the new data arrives,
 * even next to an error, unless it no longer exists. The response of an earlier key is dropped.
 */
export function useResource<Data>(
  key: string,
  load: (signal: AbortSignal) => Promise<Data>,
  kinds: readonly string[],
): Loaded<Data> {
  const { signedOut } = useSession()
  const [state, setState] = useState<State<Data>>({ key })
  const [round, setRound] = useState(0)
  const latest = useRef(load)
  latest.current = load
  const watched = kinds.join()
  const reload = useCallback(() => setRound((round) => round + 1), [])
  useEffect(() => {
    const abort = new AbortController()
    const settle = (next: (before: State<Data>) => State<Data>): void => {
      if (!abort.signal.aborted) setState(next)
    }
    const arrive = (data: Data): void => {
      if (!abort.signal.aborted) keep(key, { data, kinds })
      settle(() => ({ key, data }))
    }
    latest.current(abort.signal).then(arrive, (error: unknown) => {
      if (isSignedOut(error) && !abort.signal.aborted) signedOut()
      else settle((before) => (before.key === key && !isGone(error) ? { ...before, error } : { key, error }))
    })
    return () => abort.abort()
  }, [key, round])
  useEffect(
    () =>
      onChange((changed) => {
        // The service is back: an error of the time without it would show until the new data arrives.
        if (changed === 'all')
          setState(({ error, ...before }) => ('data' in before ? before : { ...before, error }))
        if (changed === 'all' || watched.split(',').some((kind) => changed.has(kind))) reload()
      }),
    [watched],
  )
  const isCurrent = state.key === key
  // A key always has the same type of data.
  const known = isCurrent && 'data' in state ? state.data : (kept.get(key)?.data as Data | undefined)
  const error = isCurrent ? state.error : undefined
  return { data: isGone(error) ? undefined : known, error, reload }
}

/** An action of a button or a form. It never runs twice at the same time, and its error is shown. */
export interface Action {
  readonly isBusy: boolean
  readonly error: unknown
  readonly run: (work: () => Promise<unknown>) => Promise<void>
}

export function useAction(): Action {
  const { session, signedOut } = useSession()
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly error?: unknown }>({
    isBusy: false,
  })
  const isRunning = useRef(false)
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    if (isRunning.current) return
    isRunning.current = true
    setState({ isBusy: true })
    try {
      await work()
      setState({ isBusy: false })
    } catch (error) {
      // On the sign-in itself, the key is wrong.
      const hasEnded = session !== undefined && isSignedOut(error)
      setState({ isBusy: false, ...(!hasEnded && { error }) })
      if (hasEnded) signedOut()
    } finally {
      isRunning.current = false
    }
  }
  return { isBusy: state.isBusy, error: state.error, run }
}
