import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { isSignedOut } from './client.ts'
import { onChange } from './live.ts'
import { useSession } from './session.ts'

/** Something of the service, as far as it is known. */
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

/**
 * Loads what a key names, and again when resources of these kinds change. What was shown stays until the new is there;
 * the answer of an earlier key is dropped.
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
    const settle = (next: Partial<State<Data>>) => {
      if (!abort.signal.aborted) setState({ key, ...next })
    }
    latest.current(abort.signal).then(
      (data) => settle({ data }),
      (error: unknown) => {
        if (isSignedOut(error) && !abort.signal.aborted) signedOut()
        else settle({ error })
      },
    )
    return () => abort.abort()
  }, [key, round])
  useEffect(
    () =>
      onChange((changed) => {
        if (changed === 'all' || watched.split(',').some((kind) => changed.has(kind))) reload()
      }),
    [watched],
  )
  const isCurrent = state.key === key
  return { data: isCurrent ? state.data : undefined, error: isCurrent ? state.error : undefined, reload }
}

/** An action of a button or a form: it runs once at a time, and its failure is shown. */
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
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    if (state.isBusy) return
    setState({ isBusy: true })
    try {
      await work()
      setState({ isBusy: false })
    } catch (error) {
      // At the sign-in itself, nobody was signed in: the key is wrong.
      if (session && isSignedOut(error)) signedOut()
      else setState({ isBusy: false, error })
    }
  }
  return { isBusy: state.isBusy, error: state.error, run }
}
