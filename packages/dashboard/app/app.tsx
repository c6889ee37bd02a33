import type { ComponentType } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { words } from './messages.ts'
import { Page } from './parts/basics.tsx'
import { keepFocus } from './parts/focus.ts'
import { Problem } from './parts/states.tsx'
import { href, match, navigate, usePlace } from './router.ts'
import { client, forgetReads, isSignedOut } from './service/client.ts'
import { reportChange, sendEndToOthers, follow, onChange } from './service/live.ts'
import { forgetAll } from './service/resource.ts'
import { SessionContext, type Session } from './service/session.ts'
import { Shell } from './shell.tsx'
import type { PageProps } from './page-props.ts'
import { ROUTES, SIGN_IN, SIGN_IN_AGAIN } from './routes.ts'

/** The session of the browser: undefined while it loads, null without one. */
function useSessionState() {
  const [session, setSession] = useState<Session | null | undefined>()
  const [hasEnded, setEnded] = useState(false)
  const [isLost, setLost] = useState(false)
  const [error, setError] = useState<unknown>()
  const [said, setSaid] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const load = useCallback(() => {
    setError(undefined)
    client.sessions.get().then(setSession, (failure: unknown) => {
      if (isSignedOut(failure)) setSession(null)
      else setError(failure)
    })
  }, [])
  useEffect(load, [])
  const say = useCallback((text: string) => {
    setSaid(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setSaid(''), 5000)
  }, [])
  const leave = useCallback(() => {
    sendEndToOthers()
    forgetAll()
    setEnded(false)
    setSession(null)
  }, [])
  const signedOut = useCallback(() => {
    forgetAll()
    setEnded(true)
  }, [])
  const signedIn = useCallback(
    (opened: Session) => {
      setSession(opened)
      setEnded(false)
      reportChange('all')
      say(words.signIn.as(opened.keyName, opened.scopes))
    },
    [say],
  )
  const value = useMemo(
    () => ({ session: session ?? undefined, isLost, leave, signedOut, signedIn, say }),
    [session, isLost, say, signedOut],
  )
  return { error, hasEnded, load, said, session, setLost, value }
}

/** Returns the code of a link for signing in, and removes it from the address, so that it does not stay in the history. */
function takeCode(): string | null {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (code !== null) history.replaceState(null, '', location.pathname + location.search)
  return code
}

/** The pages, or the sign-in. */
export function App() {
  const [code] = useState(takeCode) // before the address changes
  const { path, query } = usePlace()
  const { error, hasEnded, load, said, session, setLost, value } = useSessionState()
  const projectId = hasEnded ? undefined : session?.projectId
  useEffect(() => {
    if (session === null && path !== '/sign-in')
      navigate(href('/sign-in', { next: path === '/' ? '' : location.pathname + location.search }), {
        replace: true,
      })
    if (session && path === '/sign-in') navigate(nextOf(query), { replace: true })
  }, [session, path])
  useEffect(() => {
    setLost(false)
    return projectId === undefined
      ? undefined
      : follow(projectId, { lost: setLost, signedOut: value.signedOut })
  }, [projectId])
  useEffect(keepFocus, [])
  return (
    <SessionContext.Provider value={value}>
      {error !== undefined && (
        <main>
          <Problem error={error} reload={load} />
        </main>
      )}
      {session === undefined && error === undefined && (
        <main>
          <p class="wait">{words.loading}</p>
        </main>
      )}
      {session === null && <LoadedPage load={SIGN_IN} params={code === null ? {} : { code }} />}
      {session && (
        <div hidden={hasEnded} key={session.projectId}>
          <Shell path={path}>
            <Found path={path} />
          </Shell>
        </div>
      )}
      {hasEnded && <LoadedPage load={SIGN_IN_AGAIN} params={{}} />}
      <Toast said={said} />
    </SessionContext.Provider>
  )
}

/** Shows a message above everything, even above a dialog. */
function Toast({ said }: { readonly said: string }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.hidePopover()
    if (said !== '') box.current?.showPopover()
  }, [said])
  return (
    <div ref={box} class="toast" role="status" popover="manual">
      {said}
    </div>
  )
}

/** Returns the page to open after the sign-in, which must be a page of the dashboard. */
function nextOf(query: URLSearchParams): string {
  const next = query.get('next') ?? ''
  return /^\/app(?:\/[^/\\]|$)/.test(next) ? next : href('/')
}

function Found({ path }: { readonly path: string }) {
  for (const [pattern, load] of Object.entries(ROUTES)) {
    const params = match(pattern, path)
    if (params) return <LoadedPage key={path} load={load} params={params} />
  }
  return (
    <Page title={words.problem.missing}>
      <p>{words.problem.missingText}</p>
      <p>
        <a href={href('/')}>{words.problem.overview}</a>
      </p>
    </Page>
  )
}

interface LoadedPageProps extends PageProps {
  readonly load: () => Promise<ComponentType<PageProps>>
}

/** A page whose code is loaded on first use. */
function LoadedPage({ load, params }: LoadedPageProps) {
  const [page, setPage] = useState<{ readonly shown?: ComponentType<PageProps>; readonly error?: unknown }>(
    {},
  )
  const [round, setRound] = useState(0)
  const again = () => setRound((before) => before + 1)
  useEffect(() => {
    forgetReads()
    load().then(
      (shown) => setPage({ shown }),
      (error: unknown) => setPage({ error }),
    )
  }, [load, round])
  const hasFailed = page.error !== undefined
  useEffect(() => (hasFailed ? onChange((changed) => changed === 'all' && again()) : undefined), [hasFailed])
  if (hasFailed) return <Problem error={page.error} reload={again} />
  const { shown: Shown } = page
  return Shown ? <Shown params={params} /> : <p class="wait">{words.loading}</p>
}
