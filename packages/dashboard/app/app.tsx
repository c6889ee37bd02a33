import type { ComponentType } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { words } from './messages.ts'
import { Page } from './parts/basics.tsx'
import { Problem } from './parts/states.tsx'
import { href, match, navigate, usePlace } from './router.ts'
import { client, isSignedOut } from './service/client.ts'
import { follow } from './service/live.ts'
import { SessionContext, type Session } from './service/session.ts'
import { Shell } from './shell.tsx'
import { SignIn } from './pages/sign-in.tsx'
import type { PageProps } from './page-props.ts'
import { ROUTES } from './routes.ts'

/** The session that the browser has: undefined until it is known, null without one. */
function useSessionState() {
  const [session, setSession] = useState<Session | null | undefined>()
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
  const signedOut = useCallback(() => setSession(null), [])
  const value = useMemo(
    () => ({ session: session ?? undefined, signedOut, signedIn: setSession, say }),
    [session, say, signedOut],
  )
  return { error, load, said, session, value }
}

/** The pages, or the sign-in. */
export function App() {
  const { path, query } = usePlace()
  const { error, load, said, session, value } = useSessionState()
  const projectId = session?.projectId
  useEffect(() => {
    if (session === null && path !== '/sign-in')
      navigate(href('/sign-in', { next: path === '/' ? '' : location.pathname + location.search }), {
        replace: true,
      })
    if (session && path === '/sign-in') navigate(nextOf(query), { replace: true })
  }, [session, path])
  useEffect(() => (projectId === undefined ? undefined : follow(projectId, value.signedOut)), [projectId])
  return (
    <SessionContext.Provider value={value}>
      {error !== undefined && (
        <main>
          <Problem error={error} reload={load} />
        </main>
      )}
      {session === null && <SignIn />}
      {session && (
        <Shell path={path}>
          <Found path={path} />
        </Shell>
      )}
      <div class="toast" role="status">
        {said}
      </div>
    </SessionContext.Provider>
  )
}

/** The page to go on to after the sign-in: one of these, and of no other place. */
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

/** A page, whose code is loaded when it is first shown. */
function LoadedPage({ load, params }: LoadedPageProps) {
  const [page, setPage] = useState<{ readonly shown?: ComponentType<PageProps>; readonly error?: unknown }>(
    {},
  )
  useEffect(() => {
    load().then(
      (shown) => setPage({ shown }),
      (error: unknown) => setPage({ error }),
    )
  }, [load])
  if (page.error !== undefined) return <Problem error={page.error} reload={() => location.reload()} />
  const { shown: Shown } = page
  return Shown ? <Shown params={params} /> : <p class="wait">{words.loading}</p>
}
