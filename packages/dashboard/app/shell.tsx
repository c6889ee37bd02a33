import type { Scope } from '@stagecraft/spec/api'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { words } from './messages.ts'
import { href } from './router.ts'
import { Palette } from './parts/palette.tsx'
import { checkReach, client, isSignedOut } from './service/client.ts'
import { useAction } from './service/resource.ts'
import { useSession } from './service/session.ts'
import { messageOf } from './service/client.ts'

interface Entry {
  readonly path: string
  readonly title: string
  readonly scope: Scope
}

const { nav } = words
const GROUPS: readonly { readonly title: string; readonly entries: readonly Entry[] }[] = [
  {
    title: nav.models,
    entries: [
      { path: '/units', title: nav.units, scope: 'read' },
      { path: '/generations', title: nav.generations, scope: 'read' },
      { path: '/pushes', title: nav.pushes, scope: 'read' },
      { path: '/findings', title: nav.findings, scope: 'read' },
      { path: '/assistant', title: nav.assistant, scope: 'read' },
    ],
  },
  {
    title: nav.warehouse,
    entries: [
      { path: '/connections', title: nav.connections, scope: 'read' },
      { path: '/scans', title: nav.scans, scope: 'read' },
      { path: '/sources', title: nav.sources, scope: 'read' },
    ],
  },
  {
    title: nav.events,
    entries: [
      { path: '/webhooks', title: nav.webhooks, scope: 'webhooks' },
      { path: '/deliveries', title: nav.deliveries, scope: 'webhooks' },
      { path: '/events', title: nav.eventLog, scope: 'read' },
    ],
  },
  {
    title: nav.project,
    entries: [
      { path: '/projects', title: nav.projects, scope: 'read' },
      { path: '/keys', title: nav.keys, scope: 'admin' },
      { path: '/audit', title: nav.audit, scope: 'admin' },
    ],
  },
]

/** The navigation and the page. */
export function Shell({ children, path }: { readonly path: string; readonly children: ComponentChildren }) {
  const { isLost, session } = useSession()
  const [isJumping, setJumping] = useState(false)
  const open = GROUPS.flatMap(({ entries }) => entries.filter(({ scope }) => session?.scopes.includes(scope)))
  const pages = [{ path: '/', title: nav.overview }, ...open, { path: '/settings', title: nav.settings }].map(
    ({ path: to, title }) => ({ href: href(to), title, sort: words.palette.page }),
  )
  return (
    <>
      <a class="skip" href="#page">
        {words.skip}
      </a>
      <div class="shell">
        <header class="side">
          <div>
            <a class="brand" href={href('/')}>
              <img src="/app/favicon.svg" alt="" />
              {words.app}
            </a>
            <Menu path={path} jump={() => setJumping(true)} />
          </div>
        </header>
        <main id="page" tabIndex={-1}>
          {isLost && <Lost />}
          {children}
        </main>
      </div>
      <Palette isOpen={isJumping} pages={pages} setOpen={setJumping} />
    </>
  )
}

/** Shows that the service does not answer, above the data that was loaded before. */
function Lost() {
  const { isBusy, run } = useAction()
  return (
    <div class="box warn lost" role="alert">
      <p>
        <b>{words.lost.title}.</b> {words.lost.text}
      </p>
      <button type="button" aria-disabled={isBusy} onClick={() => void run(checkReach)}>
        {words.retry}
      </button>
    </div>
  )
}

const NARROW = '(max-width: 800px)'

/** The links of the navigation. On a phone they are collapsed. */
function Menu({ jump, path }: { readonly path: string; readonly jump: () => void }) {
  const [isOpen, setOpen] = useState(!matchMedia(NARROW).matches)
  const { session } = useSession()
  useEffect(() => {
    const media = matchMedia(NARROW)
    const update = () => setOpen(!media.matches)
    update()
    media.addEventListener('change', update)
    return () => media.removeEventListener('change', update)
  }, [path])
  const link = ({ path: to, title }: Omit<Entry, 'scope'>) => {
    const isHere = to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`)
    return (
      <a key={to} href={href(to)} {...(isHere && { 'aria-current': 'page' as const })}>
        {title}
      </a>
    )
  }
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {words.app} · {words.menu}
      </summary>
      <nav aria-label={nav.label}>
        {link({ path: '/', title: nav.overview })}
        {GROUPS.map(({ entries, title }) => (
          <div key={title}>
            <b>{title}</b>
            {entries.filter(({ scope }) => session?.scopes.includes(scope)).map(link)}
            {title === nav.project && link({ path: '/settings', title: nav.settings })}
          </div>
        ))}
        <button class="link" type="button" onClick={jump}>
          {words.palette.open}
        </button>
        <SignOut />
      </nav>
    </details>
  )
}

function SignOut() {
  const { leave, say } = useSession()
  const signOut = async (): Promise<void> => {
    try {
      await client.sessions.delete()
    } catch (error) {
      if (!isSignedOut(error)) return say(messageOf(error))
    }
    leave()
    say(words.signIn.ended)
  }
  return (
    <button class="link" type="button" onClick={() => void signOut()}>
      {words.signIn.out}
    </button>
  )
}
